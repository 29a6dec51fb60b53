"""Trust in the order of estimates, as `schedulers.backfilling.trusted` defines it."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import (
    CHANGED,
    PAIRS,
    RIGHT,
    RIGHT_OF_WALLTIMES,
    SEEN,
    TRUSTS,
)
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State, Trust
from schedulers.backfilling.trusted import (
    APART,
    ENOUGH,
    HYSTERESIS,
    NEIGHBOURS,
    REMEMBERED,
    SHORT,
    UNKNOWN,
    WORSE,
)


@compiled
def keep_estimates(jobs: Jobs, state: State, trust: Trust, items: Integers, count: int) -> None:
    """Let jobs be planned by their walltimes, unless estimates are trusted."""
    if state.counts[TRUSTS]:
        return
    for place in range(count):
        job = items[place]
        if np.isnan(trust.kept[job]):
            trust.kept[job] = jobs.backfilling[job]
            jobs.backfilling[job] = jobs.walltime[job]


@compiled_apart
def compare(
    jobs: Jobs, rules: Rules, state: State, schedule: Schedule, trust: Trust, job: int, now: float
) -> None:
    """Compare the estimate of a job that has ended with those of the last ones."""
    if rules.concordance == 0.0:
        return
    counts, log = trust.counts, trust.log
    estimate = jobs.backfilling[job] if np.isnan(trust.kept[job]) else trust.kept[job]
    trust.kept[job] = np.nan
    _count_pairs(trust, estimate, now - schedule.start[job], jobs.walltime[job])
    concordance = of_walltimes = UNKNOWN
    if counts[PAIRS] >= ENOUGH:
        concordance = counts[RIGHT] / (2 * counts[PAIRS])
        of_walltimes = counts[RIGHT_OF_WALLTIMES] / (2 * counts[PAIRS])
    least = max(rules.concordance, of_walltimes - WORSE) - state.counts[TRUSTS] * HYSTERESIS
    trusted = concordance >= least
    if trusted == (state.counts[TRUSTS] != 0):
        return
    state.counts[TRUSTS] = 1 if trusted else 0
    change = log[counts[CHANGED]]
    change[0], change[1], change[2] = now, concordance, of_walltimes
    counts[CHANGED] += 1
    if trusted:
        # those that wait get their estimates back
        for waiting in range(len(trust.kept)):
            if schedule.start[waiting] < 0.0 and not np.isnan(trust.kept[waiting]):
                jobs.backfilling[waiting] = trust.kept[waiting]
                trust.kept[waiting] = np.nan


@compiled
def _count_pairs(trust: Trust, estimate: float, run_time: float, walltime: float) -> None:
    """Count the pairs of a job and those that ended before it, and forget old ones."""
    counts, seen = trust.counts, trust.counts[SEEN]
    run_time = max(run_time, SHORT)
    pairs = right = of_walltimes = 0
    for place in range(min(seen, NEIGHBOURS)):
        last = trust.last[place]
        sign = 0.0
        if run_time >= APART * last[2]:
            sign = 1.0
        elif last[2] >= APART * run_time:
            sign = -1.0
        if sign:
            pairs += 1
            # a tie counts as half a pair in the right order, so right ones count as two
            right += _in_order(sign, estimate, last[0])
            of_walltimes += _in_order(sign, walltime, last[1])
    last = trust.last[seen % NEIGHBOURS]
    last[0], last[1], last[2] = estimate, walltime, run_time
    counted = trust.counted[seen % REMEMBERED]
    counts[PAIRS] += pairs - counted[0]
    counts[RIGHT] += right - counted[1]
    counts[RIGHT_OF_WALLTIMES] += of_walltimes - counted[2]
    counted[0], counted[1], counted[2] = pairs, right, of_walltimes
    counts[SEEN] += 1


@compiled
def _in_order(sign: float, one: float, other: float) -> int:
    """Return 2 where one is larger, by a sign, 1 where they are equal, and else 0."""
    if one == other:
        return 1
    return 2 if (one > other) == (sign > 0.0) else 0
