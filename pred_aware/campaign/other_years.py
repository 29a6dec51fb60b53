"""What resamples of the logs say: whether another year would agree."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from pred_aware.campaign.agenda import Agenda, Values
from pred_aware.campaign.specification import Specification
from pred_aware.comparison.cells import measure_cell
from pred_aware.measures import MEASURES
from pred_aware.report.table import Cell, Table
from pred_aware.report.within import agreement, change_cells, how_to_read_years
from pred_aware.statistics import OtherYears, other_years


@dataclass(frozen=True, slots=True)
class Resampled:
    """A policy beside the baseline, on the resamples of a log, in a measure.

    Parameters
    ----------
    log, policy, measure
        Their names.
    base, value
        The medians over the resamples.
    change
        By how much the policy differs in them.
    """

    log: str
    policy: str
    measure: str
    base: float | None
    value: float | None
    change: OtherYears

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        found = self.change
        return {
            "log": self.log, "policy": self.policy, "measure": self.measure,
            "base": self.base, "value": self.value, "median_change": found.value,
            "low": found.low, "high": found.high, "level": found.level,
            "resamples": found.shakes, "less": found.less, "more": found.more,
        }  # fmt: skip


def resampled(agenda: Agenda) -> list[Resampled]:
    """Compare each policy with the baseline on each log that is resampled, in all measures."""
    campaign = agenda.campaign
    found = []
    for measure in campaign.of_a_run:
        for log, policy in agenda.pairs:
            if not campaign.logs[log].resamples:
                continue
            old, new = agenda.in_resamples(log, policy, measure)
            names = campaign.logs[log].name, campaign.policies[policy].name, measure
            found.append(Resampled(*names, _median(old), _median(new), other_years(old, new)))
    return found


def resampled_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield a table for each measure: all policies against the baseline, in other years."""
    rows, base = resampled(agenda), agenda.campaign.baseline
    columns = ("log: policy", base, "policy", "change", "from", "to", "in resamples")
    for measure in agenda.campaign.of_a_run if rows else ():
        yield Table(
            f"{MEASURES[measure].label} against {base}, in resamples (another year)",
            columns,
            tuple(_row(row) for row in rows if row.measure == measure),
            note=how_to_read_years([row.change for row in rows]),
        )


def asked_for(campaign: Specification) -> bool:
    """Say whether any log is resampled."""
    return any(log.resamples for log in campaign.logs)


def _row(row: Resampled) -> tuple[str, ...]:
    return (
        f"{row.log}: {row.policy}",
        measure_cell(row.measure, row.base),
        measure_cell(row.measure, row.value),
        *change_cells(row.change),
        Cell(agreement(row.change), row.change.shakes),
    )


def _median(values: Values) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known and len(known) == len(values) else None
