"""Who gains and who loses: groups of jobs under the policies and the baseline, over the shakes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pred_aware.campaign.frames import groups_frame
from pred_aware.campaign.inventory import Inventory
from pred_aware.comparison.cells import mean_cell
from pred_aware.measures import MEASURES
from pred_aware.report.table import Cell, Table
from pred_aware.report.within import change_cells, verdict
from pred_aware.statistics import Difference, Interval, mean_interval, paired_difference

MEASURE = "mean_waiting_time"
MOST = 5
"""Of many groups so many are shown that gain most, and so many that lose most."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a policy changes for a group of jobs.

    Parameters
    ----------
    log, policy, group
        Their names.
    jobs
        How many jobs the group has.
    base, value
        The group's mean waiting times over the shakes of both, in seconds.
    difference
        With its interval.
    """

    log: str
    policy: str
    group: str
    jobs: int
    base: Interval
    value: Interval
    difference: Difference

    @property
    def seconds(self) -> float:
        """By how much all of its jobs together wait longer, negative if they gain."""
        return self.jobs * (self.difference.absolute or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        found = self.difference
        return {
            "log": self.log, "policy": self.policy, "group": self.group, "jobs": self.jobs,
            "base": self.base.value, "value": self.value.value, "difference": found.value,
            "low": found.low, "high": found.high, "absolute": found.absolute,
            "shakes": found.shakes, "told_apart": found.told_apart,
        }  # fmt: skip


def gains(inventory: Inventory, by: str) -> list[Gain]:
    """Compare groups of jobs under each policy with the same under the baseline.

    Parameters
    ----------
    inventory
        The campaign.
    by
        As for `pred_aware.campaign.frames.groups_frame`.

    Returns
    -------
    list of Gain
        By log and policy as in the file, those first that gain most.

    Raises
    ------
    PredAwareError
        There are no such groups.
    """
    spec = inventory.specification
    frame = groups_frame(inventory, by)
    shaken = frame[frame["shake"].notna()].astype({"shake": "int64"})
    values: dict[tuple[str, str, str], dict[int, float]] = {}
    jobs: dict[tuple[str, str], int] = {}
    columns = ("log", "policy", "shake", "group", "jobs", MEASURE)
    for log, policy, shake, group, count, value in zip(
        *(shaken[column].tolist() for column in columns), strict=True
    ):
        values.setdefault((log, policy, group), {})[shake] = value
        jobs[log, group] = count
    found = []
    for (log, policy, group), new in values.items():
        old = values.get((log, spec.baseline, group), {})
        seeds = sorted(old.keys() & new.keys())
        if policy == spec.baseline or not seeds:
            continue
        before, after = [old[seed] for seed in seeds], [new[seed] for seed in seeds]
        found.append(
            Gain(
                log, policy, group, jobs[log, group], mean_interval(before), mean_interval(after),
                paired_difference(before, after),
            )
        )  # fmt: skip
    logs, policies = [one.name for one in spec.logs], [one.name for one in spec.policies]
    return sorted(
        found, key=lambda one: (logs.index(one.log), policies.index(one.policy), one.seconds)
    )


def gains_tables(inventory: Inventory, by: str) -> Iterator[Table]:
    """Yield a table for each log and policy: the groups that gain most, and that lose most.

    Raises
    ------
    PredAwareError
        There are no such groups.
    """
    base = inventory.specification.baseline
    for (log, policy), several in groupby(gains(inventory, by), lambda one: (one.log, one.policy)):
        rows = list(several)
        shown = rows if len(rows) <= 2 * MOST else [*rows[:MOST], *rows[-MOST:]]
        left_out = len(rows) - len(shown)
        more = f"`pred-aware campaign export --groups {by}` has them"
        yield Table(
            f"{log}: {MEASURES[MEASURE].label} by {by}, {policy} against {base}",
            (by, "jobs", base, policy, "change", "from", "to", "told apart"),
            tuple(_row(one) for one in shown),
            note=f"{left_out:,} between them are not shown; {more}." if left_out else "",
        )


def _row(one: Gain) -> tuple[str, ...]:
    return (
        one.group,
        Cell(f"{one.jobs:,}", one.jobs),
        mean_cell(MEASURE, one.base),
        mean_cell(MEASURE, one.value),
        *change_cells(one.difference),
        verdict(one.difference),
    )
