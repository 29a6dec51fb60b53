"""A comparison as a report: what is printed, and what stands in its files."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pred_aware.comparison.page import page_of, pictures_of
from pred_aware.comparison.tables import print_comparison, tables
from pred_aware.report.lines import say
from pred_aware.report.page import Content
from pred_aware.report.picture import Picture
from pred_aware.report.result import Result
from pred_aware.report.table import Table
from pred_aware.report.terminal import console

if TYPE_CHECKING:
    from pred_aware.comparison.comparison import Comparison


class ComparisonReport(Result):
    """A comparison, for people.

    Parameters
    ----------
    comparison
        What was found.
    remarks
        What else has to be known of it, such as that there is no workload.
    """

    def __init__(self, comparison: "Comparison", remarks: Iterable[str] = ()) -> None:
        self.comparison = comparison
        self.remarks = tuple(remarks)

    def to_dict(self) -> dict[str, object]:
        """Return everything that was found."""
        return self.comparison.to_dict()

    def show(self) -> None:
        """Print the tables and what they leave out."""
        print_comparison(self.comparison, console())
        for remark in self.remarks:
            say(remark)

    def tables(self) -> list[Table]:
        """Return all tables."""
        return tables(self.comparison)

    def pictures(self) -> tuple[str, list[Picture]]:
        """Return those of the waits."""
        return pictures_of(self.comparison)

    def page(self, *, made: str, names: bool) -> Content:
        """Return the page."""
        return page_of(self.comparison, made=made, names=names)
