"""A campaign in tables: what differs by how much, and how far it is."""

from collections.abc import Iterator
from dataclasses import dataclass

from pred_aware.campaign.agenda import Agenda, Place
from pred_aware.report.counted import counted
from pred_aware.report.table import NOTHING, Cell, Table, figure, percent
from pred_aware.statistics import Difference, holm, mean_interval

APART = {True: "yes", False: "no", None: NOTHING}
NOT_APART = "can't be told apart"


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
        The means over the shakes of both.
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
    base: float | None
    value: float | None
    difference: Difference
    holm: float | None
    precision: float | None
    reached: bool | None


def compared(agenda: Agenda) -> list[Compared]:
    """Compare each policy with the baseline on each log, in all measures of the campaign."""
    campaign = agenda.campaign
    keys = [(measure, log, policy) for measure in campaign.measures for log, policy in agenda.pairs]
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
    seeds = {seed for seed, _ in agenda.values(log, policy, measure)}
    old = [value for seed, value in agenda.values(log, agenda.base, measure) if seed in seeds]
    new = [value for _, value in agenda.values(log, policy, measure)][: len(old)]
    return Compared(
        campaign.logs[log].name,
        campaign.policies[policy].name,
        measure,
        agenda.figures.get(Place(log, policy, None), {}).get(measure),
        mean_interval(old).value,
        mean_interval(new).value,
        difference,
        together,
        precision,
        None if precision is None else difference.known_to(precision),
    )


def result_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield a table for each measure: all policies against the baseline, on all logs."""
    rows = compared(agenda)
    base = agenda.campaign.baseline
    for measure in agenda.campaign.measures:
        mine = [row for row in rows if row.measure == measure]
        yield Table(
            f"{measure.replace('_', ' ')} against {base}",
            ("log: policy", base, "policy", "difference", "95 % interval", "Holm's p", "shakes",
             "told apart"),
            tuple(_result_row(row) for row in mine),
            note=_note(mine),
        )  # fmt: skip


def _result_row(row: Compared) -> tuple[str, ...]:
    found = row.difference
    return (
        f"{row.log}: {row.policy}",
        figure(row.base),
        figure(row.value),
        percent(found.value),
        NOTHING if found.low is None else f"{percent(found.low)} to {percent(found.high)}",
        NOTHING if row.holm is None else Cell(f"{row.holm:.2g}", row.holm),
        Cell(str(found.shakes), found.shakes),
        APART[found.told_apart],
    )


def _note(rows: list[Compared]) -> str:
    """Say what the table rests on, and what was not reached."""
    unsure = [row for row in rows if row.reached is False]
    told = (
        "Means over the same shakes of both: what is called chance is the chaos of one log. "
        "Each interval alone is one of 95 %; Holm's p is for all of the campaign together."
    )
    if not unsure:
        return told
    each = "; ".join(
        f"{row.log}, {row.policy} to {percent(row.difference.half_width)}" for row in unsure
    )
    return f"{told} Not known to {percent(unsure[0].precision)}, as was asked for: {each}."


def status_table(agenda: Agenda) -> Table:
    """Say for each log and policy how many runs are there, and what is wanted of them."""
    campaign = agenda.campaign
    rows = []
    for log, one in enumerate(campaign.logs):
        for policy, other in enumerate(campaign.policies):
            pair = agenda.pairs.get((log, policy))
            wanted = agenda.asked(log, policy)
            there = sum(Place(log, policy, seed) in agenda.figures for seed in range(1, wanted + 1))
            failed = sum(place[:2] == (log, policy) for place in agenda.failed)
            rows.append(
                (
                    f"{one.name}: {other.name}",
                    "yes" if Place(log, policy, None) in agenda.figures else "no",
                    Cell(str(there), there),
                    Cell(str(wanted), wanted),
                    Cell(str(failed), failed),
                    "the baseline" if pair is None else _known(agenda, log, policy),
                )
            )
    return Table(
        f"{campaign.name}: {counted(len(agenda.figures), 'run')} there, {agenda.to_do:,} to do",
        ("log: policy", "as it is", "shakes", "wanted", "failed", "known to"),
        tuple(rows),
    )


def _known(agenda: Agenda, log: int, policy: int) -> str:
    pair = agenda.pairs[log, policy]
    measure = next(iter(agenda.campaign.precision))
    found = agenda.difference(log, policy, measure)
    if found.half_width is None:
        return NOTHING
    enough = "" if pair.over else ", more to come"
    return f"{percent(found.half_width)}{enough}"
