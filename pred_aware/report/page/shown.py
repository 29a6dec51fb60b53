"""A page as a value: to be written, or shown in a notebook."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from pred_aware.report.page.content import Content
from pred_aware.report.page.writing import html, write

HEIGHT = 900
"""Of the frame in a notebook, in pixels."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that can be sent round."""

    content: Content
    """What stands on it."""

    def write(self, path: str | Path) -> None:
        """Write it into a file: whole, or not at all.

        Raises
        ------
        InputError
            The file can't be written.
        """
        write(Path(path), self.content)

    def _repr_html_(self) -> str:
        """Show it in a notebook, in a frame of its own, so that neither changes the other."""
        title = escape(self.content.title)
        return (
            f'<iframe title="{title}" sandbox="allow-scripts" width="100%" height="{HEIGHT}" '
            f'srcdoc="{escape(html(self.content))}"></iframe>'
        )
