"""Two yardsticks beside runs: what no schedule goes below, and run times known exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.comparison.cells import measure_cell
from pred_aware.metrics.lower_bound import MEASURES as BOUNDED
from pred_aware.metrics.lower_bound import LowerBound
from pred_aware.metrics.table import MEASURES
from pred_aware.report.table import NOTHING, Cell, Table

NOTE = (
    "On the workload as it is, one run each. At best: no schedule of these jobs on this machine "
    "goes below it, not even one that knows the future; the best one lies somewhere above "
    "(docs/at-best.md). None: nothing but the trivial bound is known. Exact: the same scheduler "
    "that knows each run time when the job is submitted."
)


@dataclass(frozen=True, slots=True)
class AtBest:
    """What runs could be at best.

    Parameters
    ----------
    bounds
        By measure.
    figures
        By run, the measures of the run itself.
    exact
        By run, the measures of the same scheduler with run times known exactly; ``None`` where it
        can't be told them.
    """

    bounds: Mapping[str, LowerBound]
    figures: Mapping[str, Mapping[str, float | None]]
    exact: Mapping[str, Mapping[str, float | None] | None]

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to JSON."""
        return {
            "bounds": {name: asdict(bound) for name, bound in self.bounds.items()},
            "exact": self.exact,
        }


def bounded(measures: Sequence[str]) -> tuple[str, ...]:
    """Return those of some measures that have a lower bound; all of these where none has."""
    return tuple(name for name in BOUNDED if name in measures) or BOUNDED


def at_best_table(found: AtBest) -> Table:
    """Return each measure with its bound, beside each run and the same with exact run times."""
    rows = tuple(
        (
            MEASURES[measure].label,
            bound_cell(measure, bound),
            *(
                cell
                for name, figures in found.figures.items()
                for cell in (
                    measure_cell(measure, figures.get(measure)),
                    exact_cell(measure, found.exact[name]),
                )
            ),
        )
        for measure, bound in found.bounds.items()
    )
    columns = [column for name in found.figures for column in (name, "exact")]
    return Table("At best", ("", "at best", *columns), rows, NOTE)


def bound_cell(measure: str, bound: LowerBound | None) -> Cell:
    """Write a bound; ``none`` where only the trivial one is known."""
    if bound is None:
        return Cell(NOTHING, None)
    return Cell("none", None) if bound.value is None else measure_cell(measure, bound.value)


def exact_cell(measure: str, figures: Mapping[str, float | None] | None) -> Cell:
    """Write a measure of a scheduler that knows run times, if it can."""
    return Cell(NOTHING, None) if figures is None else measure_cell(measure, figures.get(measure))
