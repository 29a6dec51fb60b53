"""Sphinx's configuration of the documentation's website.

    sphinx-build -W -q docs build/site

Neither the build nor the built pages load anything from the network. The same sources give the same
bytes.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

from pred_aware.version import __version__  # noqa: E402 - after the change of sys.path

project = "pred-aware"
version = release = __version__
copyright = ""  # noqa: A001 - Sphinx's name; the licence is in the repository
html_show_copyright = False

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "commands",
    "measures",
    "predictor_classes",
]
exclude_patterns = ["_extensions", "__pycache__"]
suppress_warnings = ["myst.header"]  # generated sections may skip a level of headings

myst_enable_extensions = ["attrs_block", "colon_fence"]
myst_heading_anchors = 4

source_suffix = {".md": "markdown", ".ipynb": "markdown"}

default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "show-inheritance": False}
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"pred-aware {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
pygments_style = "default"
pygments_dark_style = "github-dark"

_PAGE = re.compile(r"`{0,2}docs/([\w/-]+)\.md`{0,2}")
_CITED, _SOURCE = re.compile(r"\[(\d)\]_"), re.compile(r"^\.\. \[\d\] ")


def _links_to_pages(*told: list[str]) -> None:
    """Replace file names of pages in a docstring by links, and number its references."""
    lines = told[-1]
    linked = (_PAGE.sub(r":doc:`/\1`", line) for line in lines)
    lines[:] = [_SOURCE.sub("#. ", _CITED.sub(r"[\1]", line)) for line in linked]


def _cells_as_markdown(app: Sphinx, name: str, source: list[str]) -> None:
    """Turn a notebook into a page with its text, its code and a link to download the notebook."""
    path = Path(app.env.doc2path(name))
    if path.suffix != ".ipynb":
        return
    parts = [
        text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
        for cell in json.loads(source[0])["cells"]
        for text in ["".join(cell["source"])]
    ]
    head, _, rest = parts[0].partition("\n")
    parts[0] = f"{head}\n\n{{download}}`The notebook <{path.name}>`\n{rest}"
    source[0] = "\n\n".join(parts)


def _scrolled_by_keys(*told: Any) -> None:  # noqa: ANN401 - as Sphinx calls it
    """Make code blocks and tables focusable, so that the keyboard can scroll wide ones."""
    context = told[3]
    body = str(context.get("body", "")).replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace(
        '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'
    )


def setup(app: Sphinx) -> None:
    """Connect the functions that change docstrings, notebooks and pages."""
    app.connect("source-read", _cells_as_markdown)
    app.connect("html-page-context", _scrolled_by_keys, priority=900)  # after the theme's own
    app.connect("autodoc-process-docstring", _links_to_pages)
