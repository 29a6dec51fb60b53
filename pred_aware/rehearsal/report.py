"""A rehearsal as a report: what is printed, and what stands in its files."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.rehearsal import job_by_job
from pred_aware.rehearsal.in_words import trust, what_is_simulated
from pred_aware.rehearsal.page import content_of
from pred_aware.rehearsal.pictures import pictures
from pred_aware.rehearsal.tables import beside_each_other, errors, tables, what_is_set
from pred_aware.rehearsal.verdict import verdict_of
from pred_aware.report.page import Content
from pred_aware.report.picture import Picture
from pred_aware.report.remark import Remark, remarks
from pred_aware.report.result import Result
from pred_aware.report.table import Table
from pred_aware.report.terminal import console, show

if TYPE_CHECKING:
    from pred_aware.rehearsal.rehearsal import Rehearsal


class RehearsalReport(Result):
    """A rehearsal, for people."""

    def __init__(self, rehearsal: "Rehearsal") -> None:
        self.rehearsal = rehearsal

    def to_dict(self) -> dict[str, Any]:
        """Return everything that was found."""
        return self.rehearsal.to_dict()

    def show(self) -> None:
        """Print the answer, what it rests on, and the tables."""
        found, told = self.rehearsal, verdict_of(self.rehearsal)
        answer = (Remark(told.sentence, strong=True), *remarks(told.more))
        some = [what_is_set(found), *errors(found), beside_each_other(found)]
        show([answer, *some, trust(found), what_is_simulated(found)], console())

    def tables(self) -> list[Table]:
        """Return all tables."""
        return tables(self.rehearsal)

    def pictures(self) -> tuple[str, list[Picture]]:
        """Return what would have been set."""
        found = self.rehearsal
        title = f"Soft walltimes on {found.log.name}, {found.dates}"
        return title, list(pictures(found, verdict_of(found)))

    def page(self, *, made: str, names: bool = False) -> Content:
        """Return the page: by the command that made it."""
        return content_of(self.rehearsal, made=made)

    def write_rows(self, path: Path) -> None:
        """Write what would have been set for each job, and its waits."""
        job_by_job.write(self.rehearsal, path)
