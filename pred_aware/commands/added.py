"""Commands of other packages, found by entry point."""

from types import ModuleType

from pred_aware.report.lines import say
from predictors.failures import in_words
from predictors.registry import installed

GROUP = "pred_aware.commands"
"""Of entry points: each names a module with `register`, as those of this package have, and `PANEL`,
the group of the help that its commands stand in."""


def added_commands() -> dict[str, list[ModuleType]]:
    """Return modules of commands by their group of the help.

    One that can't be loaded is told in one line, and left out: the other commands shall run.
    """
    panels: dict[str, list[ModuleType]] = {}
    for name, point in sorted(installed(GROUP).items()):
        # what somebody else's module does when it is imported is anybody's guess
        try:
            module = point.load()
            panel, _ = str(module.PANEL), module.register
            panels.setdefault(panel, []).append(module)
        except Exception as error:  # noqa: BLE001
            say(
                f"pred-aware: warning: the commands of '{name}' can't be loaded: {in_words(error)}",
                error=True,
            )
    return panels
