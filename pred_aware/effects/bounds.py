"""Reference values for policies: a lower bound of all schedules, and results of exact run times."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pred_aware.effects.tables import POLICY, measure_cell
from pred_aware.metrics.lower_bound import MEASURES as BOUNDED
from pred_aware.metrics.lower_bound import LowerBound
from pred_aware.metrics.table import MEASURES
from pred_aware.report.table import NOTHING, Cell, Table

NOTE = (
    "One run of each policy on the unperturbed workload. Lower bound: no schedule of these jobs on "
    "this machine has a lower value, even with knowledge of the future. The best schedule is at or "
    "above the bound (docs/explanation/bounds.md). None: no bound above the value "
    "without any wait is known. Exact: the same scheduler, if it knew each run time at the job's "
    "submission."
)


@dataclass(frozen=True, slots=True)
class BoundedMeasure:
    """A measure of a policy with two reference values, on an unperturbed log."""

    log: str
    policy: str
    measure: str
    value: float | None
    exact: float | None
    """Value of the same policy with exact run times; ``None`` if the policy uses no run times.
    """
    bound: LowerBound | None
    """Lower bound of all schedules; ``None`` if the log cannot be simulated."""

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name."""
        bound = None if self.bound is None else self.bound.value
        return {
            "log": self.log, "policy": self.policy, "measure": self.measure, "value": self.value,
            "exact": self.exact, "bound": bound,
        }  # fmt: skip


def bounded(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the measures that have a lower bound; if none has, all measures with a bound."""
    return tuple(name for name in BOUNDED if name in measures) or BOUNDED


def bounds_table(rows: Sequence[BoundedMeasure]) -> Table:
    """Return a table of measures with bounds, policies, and policies with exact run times."""
    policies = list(dict.fromkeys(row.policy for row in rows))
    found = []
    for measure in dict.fromkeys(row.measure for row in rows):
        mine = [row for row in rows if row.measure == measure]
        cells = (cell for row in mine for cell in (_value(row), _exact(row)))
        found.append((MEASURES[measure].label, _bound(mine[0]), *cells))
    columns = [column for name in policies for column in (name, "exact")]
    return Table("Lower bounds", ("", "lower bound", *columns), tuple(found), NOTE)


def by_measure(rows: Iterable[BoundedMeasure]) -> Iterator[Table]:
    """Yield a table for each measure: policies on all logs, with the two reference values."""
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
    """Format a bound; ``none`` if only the trivial bound is known."""
    if row.bound is None:
        return Cell(NOTHING, None)
    value = row.bound.value
    return Cell("none", None) if value is None else measure_cell(row.measure, value)
