"""Effects on groups of jobs over perturbed copies: gains and losses."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from pred_aware.effects.effect import Effect, EffectLabels
from pred_aware.effects.kinds import over_shakes
from pred_aware.effects.tables import effects_table
from pred_aware.metrics.groups import names_in_order
from pred_aware.report.interval_format import common_digits
from pred_aware.report.table import Table

GAIN = "mean_waiting_time"
"""The measure of gains and losses."""

GAINS_BY = ("size", "length", "queue", "user")
"""The groupings for gains and losses."""

MOST = 5
"""A table of many groups shows this number of largest gains, and this number of largest losses."""

Values = Mapping[str, Mapping[int, float | None]]
"""A measure of each group in each perturbed copy, by group name and seed."""


def on_groups(
    baseline: Values, other: Values, sizes: Mapping[str, int], **of: Unpack[EffectLabels]
) -> list[Effect]:
    """Return the effects on groups of jobs.

    Parameters
    ----------
    baseline, other
        A measure of each group in each perturbed copy, under the baseline and under the other
        policy. Copies that lack a value of one of the two policies are ignored.
    sizes
        Number of jobs in each group.
    of
        Log, policy and measure of the effects.

    Returns
    -------
    list of Effect
        The effects in the order of `sizes`. Groups without common perturbed copies are left out.
    """
    found = []
    for group, number in sizes.items():
        old, new = baseline.get(group, {}), other.get(group, {})
        seeds = sorted(old.keys() & new.keys())
        if seeds:
            values = [old[seed] for seed in seeds], [new[seed] for seed in seeds]
            found.append(replace(over_shakes(*values, **of), group=group, jobs=number))
    return found


def gains_table(
    title: str, effects: Sequence[Effect], *, by: str, baseline: str, policy: str, more: str = ""
) -> Table:
    """Return a table of groups; for many users or queues, only the largest gains and losses.

    Parameters
    ----------
    title
        Title of the table.
    effects
        The effects, in the groups' order or with the largest gains first.
    by
        The grouping, such as ``user``.
    baseline, policy
        The baseline, and the compared policy.
    more
        Where the omitted groups can be found.
    """
    whole = len(effects) <= 2 * MOST or bool(names_in_order(by))
    shown = effects if whole else [*effects[:MOST], *effects[-MOST:]]
    left_out = len(effects) - len(shown)
    note = f"The {left_out:,} groups in between are not shown{more}." if left_out else ""
    digits = common_digits(one.change for one in shown)
    return effects_table(
        title, shown, by=by, baseline=baseline, policy=policy, note=note, digits=digits
    )
