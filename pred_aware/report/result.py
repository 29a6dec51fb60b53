"""The result of a command, in each of the forms in which it is delivered."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pred_aware.report.page.content import Content
    from pred_aware.report.picture import Picture
    from pred_aware.report.table import Table


class Result(ABC):
    """What a command delivers; a form that a command has no option for is left as it is here."""

    ROWS: ClassVar[str] = "Jobs"
    """What `write_rows` writes, as people are told where it is."""

    @abstractmethod
    def to_dict(self) -> Any:  # noqa: ANN401 - whatever JSON has
        """Return it as JSON has it."""

    @abstractmethod
    def show(self) -> None:
        """Print it for people."""

    def tables(self) -> "Sequence[Table]":
        """Return all tables."""
        return ()

    def pictures(self) -> "tuple[str, Sequence[Picture]]":
        """Return the title above the pictures, and the pictures."""
        return "", ()

    def page(self, *, made: str, names: bool) -> "Content":
        """Return the page: by the command that made it, with or without names of users and jobs."""
        raise NotImplementedError

    def write_rows(self, path: "Path") -> None:
        """Write what there is to say of each single job."""
        raise NotImplementedError
