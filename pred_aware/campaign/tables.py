"""A campaign in tables: what differs by how much, and how far it is."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda, Place
from pred_aware.campaign.planning import Plan
from pred_aware.report.counted import counted
from pred_aware.report.table import NOTHING, Cell, Table, duration, figure, percent
from pred_aware.statistics import Difference, holm, mean_interval

APART = {True: "yes", False: "no", None: NOTHING}
MANY = 100
"""More policies on logs are told together in `status_table`."""


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

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        found = self.difference
        return {
            "log": self.log,
            "policy": self.policy,
            "measure": self.measure,
            "as_it_is": self.as_it_is,
            "base": self.base,
            "value": self.value,
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


@dataclass(frozen=True, slots=True)
class Status:
    """How far a policy is on a log.

    Parameters
    ----------
    log, policy
        Their names.
    as_it_is
        Whether the log as it is was simulated.
    shakes, wanted
        How many shakes are there, and how many are wanted as far as is known.
    failed
        How many runs could not be made.
    known_to
        By measure, to which share of the baseline's mean the difference is known; ``None`` where it
        is not known at all.
    over
        Whether no more shakes will be wanted; ``None`` of the baseline.
    """

    log: str
    policy: str
    as_it_is: bool
    shakes: int
    wanted: int
    failed: int
    known_to: dict[str, float | None]
    over: bool | None


def statuses(agenda: Agenda) -> list[Status]:
    """Say of each policy on each log how far it is."""
    campaign = agenda.campaign
    failed = Counter((place.log, place.policy) for place in agenda.failed)
    found = []
    for log, one in enumerate(campaign.logs):
        for policy, other in enumerate(campaign.policies):
            pair = agenda.pairs.get((log, policy))
            wanted = agenda.asked(log, policy)
            seeds = range(1, wanted + 1)
            known = {} if pair is None else pair.differences
            found.append(
                Status(
                    one.name,
                    other.name,
                    Place(log, policy, None) in agenda.figures,
                    sum(Place(log, policy, seed) in agenda.figures for seed in seeds),
                    wanted,
                    failed[log, policy],
                    {measure: difference.half_width for measure, difference in known.items()},
                    None if pair is None else pair.over,
                )
            )
    return found


def status_table(agenda: Agenda) -> Table:
    """Say for each log and policy how many runs are there, and what is wanted of them.

    Of many policies those of a table of the file, which are swept, are told together.
    """
    campaign = agenda.campaign
    measure = next(iter(campaign.precision))
    found = statuses(agenda)
    if len(found) > MANY:
        tables = {one.name: one.table for one in campaign.policies}
        together: dict[tuple[str, str], list[Status]] = defaultdict(list)
        for one in found:
            together[one.log, tables[one.policy]].append(one)
        rows = [_row_of_many(*key, several) for key, several in together.items()]
    else:
        rows = [_status_row(one, measure) for one in found]
    return Table(
        f"{campaign.name}: {counted(len(agenda.figures), 'run')} there, {agenda.to_do:,} to do",
        ("log: policy", "as it is", "shakes", "wanted", "failed", "known to"),
        tuple(rows),
        note=f"Known to: half of the interval of the difference in {measure}, as a share of "
        f"{campaign.baseline}'s mean.",
    )


def _row_of_many(log: str, table: str, several: list[Status]) -> tuple[str, ...]:
    """Tell policies that are swept together: sums, and of how many no more shakes are wanted."""
    over = sum(one.over is not False for one in several)
    sums = (
        sum(one.as_it_is for one in several),
        sum(one.shakes for one in several),
        sum(one.wanted for one in several),
        sum(one.failed for one in several),
    )
    many = "" if len(several) == 1 else f", {counted(len(several), 'policy', 'policies')}"
    return (
        f"{log}: {table}{many}",
        *(Cell(f"{number:,}", number) for number in sums),
        f"{over} of {len(several)} done",
    )


def _status_row(one: Status, measure: str) -> tuple[str, ...]:
    known = one.known_to.get(measure)
    return (
        f"{one.log}: {one.policy}",
        "yes" if one.as_it_is else "no",
        *(Cell(f"{number:,}", number) for number in (one.shakes, one.wanted, one.failed)),
        "the baseline" if one.over is None else NOTHING if known is None else percent(known),
    )


def plan_tables(plan: Plan) -> Iterator[Table]:
    """Yield what a campaign will take: of each policy on each log, and altogether."""
    yield Table(
        "Runs, and what each takes",
        ("log: policy", "there", "at least", "at most", "CPU a run", "memory", "disk a run"),
        tuple(
            (
                f"{one.log}: {one.policy}",
                *(Cell(f"{number:,}", number) for number in (one.there, one.least, one.most)),
                duration(one.cpu_seconds),
                size(one.memory_bytes),
                size(one.disk_bytes),
            )
            for one in plan.costs
        ),
    )
    told = {"with the fewest shakes": "least", "with the most": "most"}
    yield Table(
        f"What is to be done, by {counted(plan.workers, 'worker')}",
        ("", "runs", "CPU", "by the clock", "disk", "memory of all"),
        tuple(_total_row(plan, label, which) for label, which in told.items()),
        note="By the clock: on cores that have nothing else to do. How many shakes there will be "
        "depends on how much they differ.",
    )


def _total_row(plan: Plan, label: str, which: str) -> tuple[str, ...]:
    runs = sum(one.left(getattr(one, which)) for one in plan.costs)
    cpu = plan.cpu_seconds(which)
    return (
        label,
        Cell(f"{runs:,}", runs),
        duration(cpu),
        duration(None if cpu is None else cpu / plan.workers),
        size(plan.disk_bytes(which)),
        size(plan.memory_bytes),
    )


def size(number: float | None) -> Cell:
    """Write bytes in the unit that fits; `NOTHING` for none.

    Examples
    --------
    >>> size(2711.0), size(745e6), size(None)
    ('2.7 kB', '745 MB', '-')
    """
    if number is None:
        return Cell(NOTHING, None)
    unit, factor = next(((u, f) for u, f in _UNITS if number >= f), ("B", 1.0))
    digits = 1 if number / factor < 10 and factor > 1.0 else 0  # noqa: PLR2004 - as `figure`
    return Cell(f"{number / factor:,.{digits}f} {unit}", number)


_UNITS = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
