"""Effects on groups of jobs over shakes: who gains and who loses."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from pred_aware.effects.effect import Effect, Of
from pred_aware.effects.kinds import over_shakes
from pred_aware.effects.tables import effects_table
from pred_aware.metrics.groups import names_in_order
from pred_aware.report.interval_format import common_digits
from pred_aware.report.table import Table

GAIN = "mean_waiting_time"
"""What is gained and lost."""

GAINS_BY = ("size", "length", "queue", "user")
"""By what it is told who gains and who loses."""

MOST = 5
"""Of many groups so many are shown that gain most, and so many that lose most."""

Values = Mapping[str, Mapping[int, float | None]]
"""A measure of each group in each shake, by its name and the shake's seed."""


def on_groups(
    baseline: Values, other: Values, sizes: Mapping[str, int], **of: Unpack[Of]
) -> list[Effect]:
    """Return what changes for groups of jobs.

    Parameters
    ----------
    baseline, other
        A measure of each group in each shake under both; shakes that only one has don't count.
    sizes
        How many jobs each group has.
    of
        What they are effects of.

    Returns
    -------
    list of Effect
        In the order of `sizes`; groups that have no shake in both are left out.
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
    """Return a table of groups; of many users and queues those that gain or lose most.

    Parameters
    ----------
    title
        What stands above.
    effects
        On the groups, in their own order or those first that gain most.
    by
        What kind of groups they are.
    baseline, policy
        The baseline, and what is beside it.
    more
        Where those are to be found that are not shown.
    """
    whole = len(effects) <= 2 * MOST or bool(names_in_order(by))
    shown = effects if whole else [*effects[:MOST], *effects[-MOST:]]
    left_out = len(effects) - len(shown)
    note = f"The {left_out:,} in between are not shown{more}." if left_out else ""
    digits = common_digits(one.change for one in shown)
    return effects_table(
        title, shown, by=by, baseline=baseline, policy=policy, note=note, digits=digits
    )
