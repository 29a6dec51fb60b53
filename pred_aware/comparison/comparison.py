"""The result of `pred_aware.compare`."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from html import escape
from pathlib import Path
from typing import Any

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.copies import NO_SHAKES
from pred_aware.comparison.page import page_of, pictures_of
from pred_aware.comparison.tables import print_briefly, print_comparison, tables
from pred_aware.comparison.weeks import number_of
from pred_aware.comparison.winners_and_losers import gains_in_json, groups_in_json
from pred_aware.effects.bounds import BoundedMeasure
from pred_aware.effects.effect import OF_WEEKS, Effect, nested
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say
from pred_aware.report.page.content import Content
from pred_aware.report.page.writing import html, write
from pred_aware.report.picture import Picture
from pred_aware.report.result import Result
from pred_aware.report.table import Table
from pred_aware.report.terminal import console


class ComparisonReport(Result):
    """A comparison as a report.

    Parameters
    ----------
    comparison
        The comparison to report.
    remarks
        Further remarks, such as that the workload is missing.
    full
        Whether to print all tables.
    """

    ROWS = "Gains"

    def __init__(
        self, comparison: "Comparison", remarks: Iterable[str] = (), *, full: bool = True
    ) -> None:
        self.comparison, self.full = comparison, full
        self.remarks = tuple(remarks)

    def to_dict(self) -> dict[str, object]:
        """Return the comparison as JSON data."""
        return self.comparison.to_dict()

    def show(self) -> None:
        """Print all tables and their remarks, or only the main measures."""
        if not self.full:
            print_briefly(self.comparison, console(), self.remarks)
            return
        print_comparison(self.comparison, console())
        for remark in self.remarks:
            say(remark)

    def tables(self) -> list[Table]:
        """Return all tables."""
        return tables(self.comparison)

    def pictures(self) -> tuple[str, list[Picture]]:
        """Return the pictures of waiting times."""
        return pictures_of(self.comparison)

    def write_rows(self, path: Path) -> None:
        """Write the change of each job's wait, completely or not at all.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        from workload_tools.files import packed, written_whole

        content = self.comparison.gains().to_csv(lineterminator="\n")
        with written_whole(path) as file, packed(file, path) as into:
            into.write(content.encode())

    def page(self, *, command: str, names: bool) -> Content:
        """Return the page."""
        return page_of(self.comparison, command=command, names=names)


def check_gains(path: Path | None) -> None:
    """Check that the name of a file for the waits of jobs ends in .csv or .csv.gz.

    Raises
    ------
    PredAwareError
        The name has another ending.
    """
    if path is not None and not path.name.lower().endswith((".csv", ".csv.gz")):
        raise PredAwareError(f"cannot write gains to {path}: its name must end in .csv or .csv.gz")


HEIGHT = 900
"""The height of the frame in a notebook, in pixels."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that can be written or shown in a notebook."""

    content: Content
    """The content of the page."""

    def write(self, path: str | Path) -> None:
        """Write the page into a file, completely or not at all.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        write(Path(path), self.content)

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame, so that their styles do not mix."""
        title = escape(self.content.title)
        return (
            f'<iframe title="{title}" sandbox="allow-scripts" width="100%" height="{HEIGHT}" '
            f'srcdoc="{escape(html(self.content))}"></iframe>'
        )


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Compared):
    """A comparison of runs of the same workload, made by `pred_aware.compare`."""

    def page(self, *, names: bool = False) -> Page:
        """Return the page that `pred-aware compare --html` writes. A notebook shows it.

        Parameters
        ----------
        names
            Whether to show the names of jobs and users instead of numbers.
        """
        return Page(page_of(self, command="pred_aware.compare(...)", names=names))

    def _repr_html_(self) -> str:
        """Show the measures and the provenance of the runs in a notebook."""
        from pred_aware.report.html import table_in_html

        said = [] if self.recorded_queue is None else [self.recorded_queue.sentence]
        note = "; ".join([*said, *self.provenance_lines()])
        return table_in_html(repr(self)[1:-1], self.frame, note=note)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON data."""
        return {
            "baseline": self.runs[0].name,
            "tau": self.tau,
            "runs": {run.name: run.to_dict() for run in self.runs},
            "against_baseline": {
                other.name: {**other.to_dict(), "gains": gains_in_json(self.compared[0], run)}
                for other, run in zip(self.against_baseline, self.compared[1:], strict=True)
            },
            "recorded_queue": None
            if self.recorded_queue is None
            else self.recorded_queue.to_dict(),
            "intervals": NO_SHAKES if self.shaken is None else self.shaken.to_dict(),
            **({} if self.resampled is None else {"resamples": self.resampled.to_dict()}),
            **({} if self.weeks is None else {"weeks": self._weeks(self.weeks)}),
            **({} if self.bounds is None else {"bounds": _bounds_dict(self.bounds)}),
            **({"by": groups_in_json(self)} if self.groups else {}),
            **({"not_the_same_jobs": self.differences} if self.differences else {}),
        }

    def _weeks(self, effects: Sequence[Effect]) -> dict[str, Any]:
        runs = (run.name for run in self.runs[1:])
        effects_of_weeks = nested(effects, OF_WEEKS, policies=runs)
        return {"weeks": number_of(effects), "against_baseline": effects_of_weeks}


def as_comparison(found: Compared) -> Comparison:
    """Return a `Comparison` with the same content."""
    return Comparison(**{one.name: getattr(found, one.name) for one in fields(found)})


def _bounds_dict(rows: Sequence[BoundedMeasure]) -> dict[str, Any]:
    exact: dict[str, dict[str, float | None] | None] = {}
    for row in rows:
        mine = exact.setdefault(row.policy, None if row.exact is None else {})
        if mine is not None:
            mine[row.measure] = row.exact
    lower = {row.measure: None if row.bound is None else asdict(row.bound) for row in rows}
    return {"lower": lower, "exact": exact}
