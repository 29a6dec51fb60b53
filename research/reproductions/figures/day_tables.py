"""Paper 001's two tables: its figures and ours, with IMPROVEMENT as it divides and as it should."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.report import Cell, Table, number, percent
from reproductions.checks.of_the_day import DAY
from reproductions.day import FIGURES

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

_PREDICTOR = "decision_tree"


@dataclass(frozen=True, slots=True)
class Improvement:
    """A table of the paper, on one of its machines."""

    place: str
    """Of the table."""
    processors: int
    """Of the machine."""
    published: Mapping[str, tuple[float, float]]
    """By figure: what the paper has of ``pred_aware`` and of ``easy_bf``."""
    divided_by_new: bool
    """Whether the paper divides by ``pred_aware``'s figure, and not by ``easy_bf``'s."""

    def drawn(self, evidence: "Evidence") -> Table | None:
        """Return it with our figures; ``None`` where the workload is not at hand."""
        if evidence.missing(DAY):
            return None
        day = evidence.day
        old = day.run(self.processors, "easy_bf", delays="batsim").figures
        given = {"predictor": _PREDICTOR}
        new = day.run(self.processors, "pred_aware", given, delays="batsim").figures
        rows = tuple(
            (
                name,
                *self._cells(*self.published[name]),
                *self._cells(new[name], old[name]),
            )
            for name in FIGURES
        )
        as_it = "pred_aware's" if self.divided_by_new else "easy_bf's"
        told = ("pred_aware", "easy_bf", *dict.fromkeys((f"of {as_it}", "of easy_bf's")))
        columns = ("", *(f"paper: {name}" for name in told), *(f"ours: {name}" for name in told))
        return Table(
            f"{self.place}: {self.processors:,} processors",
            columns,
            rows,
            note=f"The paper's IMPROVEMENT is a share of {as_it} figure here; negative is less. "
            "Seconds and times. The day is rebuilt from the paper's published outputs; our tree "
            "has learned from what has ended on it, the paper's from the months before, and from "
            "users and other fields that are not published.",
        )

    def _cells(self, new: float, old: float) -> Iterator[Cell]:
        yield number(new, 2)
        yield number(old, 2)
        if self.divided_by_new:
            yield _change(new, old, new)
        yield _change(new, old, old)


def _change(new: float, old: float, by: float) -> Cell:
    share = (new - old) / by if by else None
    shown = percent(share, 2)
    return Cell(f"{'+' if share and share > 0.0 else ''}{shown}", share)
