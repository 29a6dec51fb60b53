"""The directive ``predictors``: every built-in predictor, from the docstring of its class."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from predictors.registry import PREDICTORS


class Predictors(SphinxDirective):
    """Show the class of each predictor, in the order of their names."""

    def run(self) -> list[nodes.Node]:
        """Return the classes."""
        made = {PREDICTORS.load(name) for name in PREDICTORS.names()}
        lines = [
            f".. autoclass:: {one.__module__}.{one.__qualname__}\n   :no-members:\n"
            for one in sorted(made, key=lambda one: one.__qualname__)
        ]
        return self.parse_text_to_nodes("```{eval-rst}\n" + "\n".join(lines) + "```\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("predictors", Predictors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
