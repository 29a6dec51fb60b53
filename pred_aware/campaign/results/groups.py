"""Gains and losses of groups of jobs under policies against the baseline, over perturbed copies."""

from collections.abc import Iterator
from itertools import groupby

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.frames import groups_frame
from pred_aware.effects.effect import Effect, together
from pred_aware.effects.groups import GAIN, Values, gains_table, on_groups
from pred_aware.metrics import MEASURES
from pred_aware.metrics.groups import names_in_order
from pred_aware.report.table import Table


def gains(inventory: Inventory, by: str) -> list[Effect]:
    """Compare groups of jobs under each policy with the same groups under the baseline.

    Parameters
    ----------
    inventory
        The campaign.
    by
        As for `pred_aware.campaign.results.frames.groups_frame`.

    Returns
    -------
    list of Effect
        Ordered by log and policy as in the campaign's file. Sizes, lengths and weekdays are in
        their natural order; users and queues begin with the largest gain.

    Raises
    ------
    PredAwareError
        No finished run has such groups.
    """
    spec = inventory.specification
    frame = groups_frame(inventory, by)
    shaken = frame[frame["shake"].notna()].astype({"shake": "int64"})
    values: dict[tuple[str, str], dict[str, dict[int, float | None]]] = {}
    jobs: dict[str, dict[str, int]] = {}
    names = ("log", "policy", "shake", "group", "jobs", GAIN)
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
        on_groups(
            values.get((log, spec.baseline), nothing), values[log, policy], jobs[log],
            log=log, policy=policy, measure=GAIN,
        )
        for log, policy in keys
    )  # fmt: skip
    edges = None if spec.classes is None else spec.classes.edges.get(by)
    ranks = {name: rank for rank, name in enumerate(names_in_order(by, edges))}
    return [
        one
        for some in found
        for one in sorted(some, key=lambda one: ranks.get(one.group, one.total))
    ]


def gains_tables(inventory: Inventory, by: str) -> Iterator[Table]:
    """Yield a table of gains and losses for each log and policy.

    Raises
    ------
    PredAwareError
        No finished run has such groups.
    """
    baseline = inventory.specification.baseline
    for (log, policy), several in groupby(gains(inventory, by), lambda one: (one.log, one.policy)):
        title = title_of(log, policy, by=by, baseline=baseline)
        more = f"; `pred-aware campaign export --by {by}` has them"
        yield gains_table(title, [*several], by=by, baseline=baseline, policy=policy, more=more)


def title_of(log: str, policy: str, *, by: str, baseline: str) -> str:
    """Return the title of a table of gains and losses."""
    return f"{log}: {MEASURES[GAIN].label} by {by}, {policy} against {baseline}"
