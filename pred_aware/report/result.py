"""The result of a command in all output forms: JSON, text, tables, pictures, page and rows."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pred_aware.report.page.content import Content
    from pred_aware.report.picture import Picture
    from pred_aware.report.table import Table


class Result(ABC):
    """The result of a command. A subclass defines those output forms that the command offers."""

    ROWS: ClassVar[str] = "Jobs"
    """The name of the content that `write_rows` writes, for the message with the file's path."""

    @abstractmethod
    def to_dict(self) -> Any:  # noqa: ANN401 - any JSON value
        """Return the result as JSON data."""

    @abstractmethod
    def show(self) -> None:
        """Print the result."""

    def tables(self) -> "Sequence[Table]":
        """Return all tables."""
        return ()

    def pictures(self) -> "tuple[str, Sequence[Picture]]":
        """Return the title above the pictures, and the pictures."""
        return "", ()

    def page(self, *, command: str, names: bool) -> "Content":
        """Return the page. `command` repeats it; `names`: show names of users and jobs."""
        raise NotImplementedError

    def write_rows(self, path: "Path") -> None:
        """Write one row for each job."""
        raise NotImplementedError
