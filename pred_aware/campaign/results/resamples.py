"""What resamples of the logs say: whether another year would agree."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.specification import Specification
from pred_aware.comparison.interval_tables import YEAR_COLUMNS, year_cells
from pred_aware.comparison.resamples import InYears, in_years
from pred_aware.metrics import MEASURES
from pred_aware.report.interval_format import how_to_read_years
from pred_aware.report.table import Table


@dataclass(frozen=True, slots=True)
class Resampled:
    """A policy beside the baseline, on the resamples of a log, in a measure.

    Parameters
    ----------
    log, policy, measure
        Their names.
    found
        What the resamples say.
    """

    log: str
    policy: str
    measure: str
    found: InYears

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        names = {"log": self.log, "policy": self.policy, "measure": self.measure}
        return {**names, **self.found.to_dict()}


def resampled(agenda: Agenda) -> list[Resampled]:
    """Compare each policy with the baseline on each log that is resampled, in all measures."""
    campaign = agenda.campaign
    found = []
    for measure in campaign.of_a_run:
        for log, policy in agenda.pairs:
            if not campaign.logs[log].resamples:
                continue
            names = campaign.logs[log].name, campaign.policies[policy].name, measure
            found.append(Resampled(*names, in_years(*agenda.in_resamples(log, policy, measure))))
    return found


def resampled_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield a table for each measure: all policies against the baseline, in other years."""
    rows, base = resampled(agenda), agenda.campaign.baseline
    columns = ("log: policy", base, "policy", *YEAR_COLUMNS)
    last = agenda.campaign.of_a_run[-1:]
    for measure in agenda.campaign.of_a_run if rows else ():
        yield Table(
            f"{MEASURES[measure].label} against {base}, in resamples (another year)",
            columns,
            tuple(_row(row) for row in rows if row.measure == measure),
            note=how_to_read_years([row.found.change for row in rows]) if measure in last else "",
        )


def asked_for(campaign: Specification) -> bool:
    """Say whether any log is resampled."""
    return any(log.resamples for log in campaign.logs)


def _row(row: Resampled) -> tuple[str, ...]:
    return (f"{row.log}: {row.policy}", *year_cells(row.measure, row.found))
