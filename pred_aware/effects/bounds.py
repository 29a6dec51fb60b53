"""Two yardsticks beside policies: what no schedule goes below, and run times known exactly."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pred_aware.effects.tables import POLICY, measure_cell
from pred_aware.metrics.lower_bound import MEASURES as BOUNDED
from pred_aware.metrics.lower_bound import LowerBound
from pred_aware.metrics.table import MEASURES
from pred_aware.report.table import NOTHING, Cell, Table

NOTE = (
    "On the workload as it is, one run each. Lower bound: no schedule of these jobs on this "
    "machine goes below it, not even one that knows the future; the best one lies somewhere above "
    "(docs/explanation/bounds.md). None: nothing but the trivial bound is known. Exact: the same "
    "scheduler that knows each run time when the job is submitted."
)


@dataclass(frozen=True, slots=True)
class BoundedMeasure:
    """A measure of a policy beside both yardsticks, on a log as it is."""

    log: str
    policy: str
    measure: str
    value: float | None
    exact: float | None
    """Of the same policy with run times known exactly; ``None`` where it cannot be told them."""
    bound: LowerBound | None
    """What no schedule goes below; ``None`` where the log cannot be simulated."""

    def to_dict(self) -> dict[str, Any]:
        """Return the row flat, a value by name."""
        bound = None if self.bound is None else self.bound.value
        return {
            "log": self.log, "policy": self.policy, "measure": self.measure, "value": self.value,
            "exact": self.exact, "bound": bound,
        }  # fmt: skip


def bounded(measures: Sequence[str]) -> tuple[str, ...]:
    """Return those of some measures that have a lower bound; all of these where none has."""
    return tuple(name for name in BOUNDED if name in measures) or BOUNDED


def bounds_table(rows: Sequence[BoundedMeasure]) -> Table:
    """Return each measure with its bound, beside each policy and the same with exact run times."""
    policies = list(dict.fromkeys(row.policy for row in rows))
    found = []
    for measure in dict.fromkeys(row.measure for row in rows):
        mine = [row for row in rows if row.measure == measure]
        cells = (cell for row in mine for cell in (_value(row), _exact(row)))
        found.append((MEASURES[measure].label, _bound(mine[0]), *cells))
    columns = [column for name in policies for column in (name, "exact")]
    return Table("Lower bounds", ("", "lower bound", *columns), tuple(found), NOTE)


def by_measure(rows: Iterable[BoundedMeasure]) -> Iterator[Table]:
    """Yield a table for each measure: the policies on all logs beside both yardsticks."""
    every = list(rows)
    measures = list(dict.fromkeys(row.measure for row in every))
    for measure in measures:
        yield Table(
            f"Lower bounds, {MEASURES[measure].label}",
            (POLICY, "policy", "exact", "lower bound"),
            tuple(
                (f"{row.log}: {row.policy}", _value(row), _exact(row), _bound(row))
                for row in every
                if row.measure == measure
            ),
            note=NOTE if measure == measures[-1] else "",
        )


def _value(row: BoundedMeasure) -> Cell:
    return measure_cell(row.measure, row.value)


def _exact(row: BoundedMeasure) -> Cell:
    return Cell(NOTHING, None) if row.exact is None else measure_cell(row.measure, row.exact)


def _bound(row: BoundedMeasure) -> Cell:
    """Write a bound; ``none`` where only the trivial one is known."""
    if row.bound is None:
        return Cell(NOTHING, None)
    value = row.bound.value
    return Cell("none", None) if value is None else measure_cell(row.measure, value)
