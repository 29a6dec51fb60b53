"""Who gains and who loses: groups of jobs under the policies and the baseline, over the shakes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.frames import groups_frame
from pred_aware.comparison.group_changes import (
    MOST,
    GroupChange,
    Values,
    columns,
    group_changes,
    note,
    together,
)
from pred_aware.metrics import MEASURES
from pred_aware.metrics.groups import names_in_order
from pred_aware.report.table import Table

MEASURE = "mean_waiting_time"


@dataclass(frozen=True, slots=True)
class Gain:
    """What a policy changes for a group of jobs on a log.

    Parameters
    ----------
    log, policy
        Their names.
    change
        The group's mean waiting times over the shakes, in seconds, and their difference.
    """

    log: str
    policy: str
    change: GroupChange

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        return {"log": self.log, "policy": self.policy, **self.change.to_dict()}


def gains(inventory: Inventory, by: str) -> list[Gain]:
    """Compare groups of jobs under each policy with the same under the baseline.

    Parameters
    ----------
    inventory
        The campaign.
    by
        As for `pred_aware.campaign.results.frames.groups_frame`.

    Returns
    -------
    list of Gain
        By log and policy as in the file; sizes, lengths and weekdays in their own order, of users
        and queues those first that gain most.

    Raises
    ------
    PredAwareError
        There are no such groups.
    """
    spec = inventory.specification
    frame = groups_frame(inventory, by)
    shaken = frame[frame["shake"].notna()].astype({"shake": "int64"})
    values: dict[tuple[str, str], dict[str, dict[int, float | None]]] = {}
    jobs: dict[str, dict[str, int]] = {}
    names = ("log", "policy", "shake", "group", "jobs", MEASURE)
    for log, policy, shake, group, count, value in zip(
        *(shaken[name].tolist() for name in names), strict=True
    ):
        values.setdefault((log, policy), {}).setdefault(group, {})[shake] = value
        jobs.setdefault(log, {})[group] = count
    nothing: Values = {}
    keys = [
        (log.name, policy.name)
        for log in spec.logs
        for policy in spec.policies
        if policy.name != spec.baseline and (log.name, policy.name) in values
    ]
    found = together(
        group_changes(values.get((log, spec.baseline), nothing), values[log, policy], jobs[log])
        for log, policy in keys
    )
    edges = None if spec.classes is None else spec.classes.edges.get(by)
    ranks = {name: rank for rank, name in enumerate(names_in_order(by, edges))}
    return [
        Gain(*key, one)
        for key, some in zip(keys, found, strict=True)
        for one in sorted(some, key=lambda one: ranks.get(one.group, one.total))
    ]


def gains_tables(inventory: Inventory, by: str) -> Iterator[Table]:
    """Yield a table for each log and policy; see `gains_table`.

    Raises
    ------
    PredAwareError
        There are no such groups.
    """
    base = inventory.specification.baseline
    for (log, policy), several in groupby(gains(inventory, by), lambda one: (one.log, one.policy)):
        title = f"{log}: {MEASURES[MEASURE].label} by {by}, {policy} against {base}"
        more = f"; `pred-aware campaign export --groups {by}` has them"
        every = [one.change for one in several]
        yield gains_table(title, every, by=by, base=base, policy=policy, more=more)


def gains_table(
    title: str, every: Sequence[GroupChange], *, by: str, base: str, policy: str, more: str = ""
) -> Table:
    """Return a table of groups; of many users and queues those that gain or lose most.

    Parameters
    ----------
    title
        What stands above.
    every
        The groups, in the order of `gains`.
    by
        What kind of groups they are.
    base, policy
        The baseline, and what is beside it.
    more
        Where those are to be found that are not shown.
    """
    whole = len(every) <= 2 * MOST or bool(names_in_order(by))
    shown = every if whole else [*every[:MOST], *every[-MOST:]]
    left_out = len(every) - len(shown)
    return Table(
        title,
        columns(by, base, policy),
        tuple(one.row(MEASURE) for one in shown),
        note=note(shown, f"{left_out:,} between them are not shown{more}." if left_out else ""),
    )
