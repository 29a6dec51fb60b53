"""What a campaign has found: policies against the baseline, with intervals."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.results.resamples import resampled_tables
from pred_aware.campaign.run_key import RunKey
from pred_aware.comparison.cells import mean_cell
from pred_aware.metrics import MEASURES
from pred_aware.report.interval_format import (
    HOW_SURE,
    apart_alone_only,
    change_cells,
    doubtful_note,
    verdict,
)
from pred_aware.report.plural import counted
from pred_aware.report.table import Cell, Table, percent
from pred_aware.statistics import Difference, Interval, apart_alone, holm, mean_interval


@dataclass(frozen=True, slots=True)
class Compared:
    """A policy beside the baseline, on a log, in a measure.

    Parameters
    ----------
    log, policy, measure
        Their names.
    as_it_is
        The measure of the log as it is; ``None`` where it was not simulated.
    base, value
        The means over the shakes of both, with their intervals.
    difference
        With its interval.
    holm
        The p value as it is when all differences of the campaign are looked at together.
    precision
        What was asked for, if anything was.
    reached
        Whether the difference is known to that; ``None`` where nothing was asked for.
    """

    log: str
    policy: str
    measure: str
    as_it_is: float | None
    base: Interval
    value: Interval
    difference: Difference
    holm: float | None
    precision: float | None
    reached: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        found = self.difference
        return {
            "log": self.log,
            "policy": self.policy,
            "measure": self.measure,
            "as_it_is": self.as_it_is,
            "base": self.base.value,
            "value": self.value.value,
            "difference": found.value,
            "low": found.low,
            "high": found.high,
            "level": found.level,
            "absolute": found.absolute,
            "shakes": found.shakes,
            "told_apart": found.told_apart,
            "p_value": found.p_value,
            "holm": self.holm,
            "precision": self.precision,
            "reached": self.reached,
        }


def compared(agenda: Agenda) -> list[Compared]:
    """Compare each policy with the baseline on each log, in all measures of the campaign."""
    campaign = agenda.campaign
    keys = [(measure, log, policy) for measure in campaign.of_a_run for log, policy in agenda.pairs]
    found = [agenda.difference(log, policy, measure) for measure, log, policy in keys]
    together = holm([one.p_value for one in found])
    return [
        _compared(agenda, key, difference, one)
        for key, difference, one in zip(keys, found, together, strict=True)
    ]


def _compared(
    agenda: Agenda, key: tuple[str, int, int], difference: Difference, together: float | None
) -> Compared:
    (measure, log, policy), campaign = key, agenda.campaign
    precision = campaign.precision.get(measure)
    old, new = agenda.both(log, policy, measure)
    return Compared(
        campaign.logs[log].name,
        campaign.policies[policy].name,
        measure,
        agenda.figures.get(RunKey(log, policy), {}).get(measure),
        mean_interval(old),
        mean_interval(new),
        difference,
        together,
        precision,
        None if precision is None else difference.known_to(precision),
    )


def result_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield tables for each measure: all policies against the baseline, on all logs.

    Shakes have one, and resamples another: what they tell is not the same.
    """
    rows = compared(agenda)
    base = agenda.campaign.baseline
    columns = ("log: policy", base, "policy", "change", "from", "to", "shakes", "told apart")
    for measure in agenda.campaign.of_a_run:
        mine = tuple(_row(row) for row in rows if row.measure == measure)
        note = doubtful_note(row[-1] for row in mine)
        yield Table(f"{MEASURES[measure].label} against {base}", columns, mine, note)
    yield from resampled_tables(agenda)


def _row(row: Compared) -> tuple[str, ...]:
    found = row.difference
    return (
        f"{row.log}: {row.policy}",
        mean_cell(row.measure, row.base),
        mean_cell(row.measure, row.value),
        *change_cells(found),
        Cell(str(found.shakes), found.shakes),
        verdict(found, row.holm),
    )


def result_sentences(agenda: Agenda) -> Iterator[str]:
    """Say what the tables rest on, what was not reached, and what may be chance after all."""
    rows = compared(agenda)
    if agenda.to_do:
        yield (
            f"{counted(agenda.to_do, 'run')} and more are not made yet: "
            "`pred-aware campaign run` makes them."
        )
    yield (
        "Means over the same shakes of both (sessions of users moved by some minutes), each change "
        "with the 95 % interval of what more shakes would give: it tells a difference from the "
        f"chance of one log, not from what another year or machine would bring. {HOW_SURE}"
    )
    unsure = [row for row in rows if row.reached is False and row.difference.low is not None]
    for measure, precision in agenda.campaign.precision.items():
        told = "; ".join(
            f"{row.log}: {row.policy} to {percent(row.difference.half_width)}"
            for row in unsure
            if row.measure == measure
        )
        if told:
            label = MEASURES[measure].label
            yield f"Not known to {percent(precision)} of the base's {label}, as was asked: {told}."
    chance = [
        f"{MEASURES[row.measure].label} of {row.policy} on {row.log}"
        for row in rows
        if apart_alone(row.difference, row.holm)
    ]
    if chance:
        yield apart_alone_only(chance, of=len(rows))
