"""When Slurm's schedulers go through the queue, as `schedulers.slurm.backfilling` defines it.

Where a policy has another backfilling there is none, and what asks for it is not even compiled.
"""

import numpy as np

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import NEVER, RUNNING, WAITING
from pred_aware.engine.kernel.nodes_values import Nodes
from pred_aware.engine.kernel.slurm_masks import copy, keep_first, leave_out, put_in
from pred_aware.engine.kernel.slurm_values import (
    CALLED_AT,
    CALLS,
    DUE,
    ENDED,
    FORGETS,
    FREE,
    FREE_KNOWN,
    LAST_BACKFILL,
    LAST_FULL,
    LAST_MAIN,
    MAIN_DUE,
    OVER,
    PASS_AT,
    STILL_SINCE,
    UNPLANNED,
    UNSEEN,
    UNUSED,
    WAITED,
    Slurm,
)


@compiled
def whole(slurm: Slurm, date: float) -> float:
    """Return a date as Slurm's clock shows it, without parts of a second."""
    return np.floor(date + slurm.epoch) - slurm.epoch


@compiled
def _whole_after(slurm: Slurm, date: float) -> float:
    return np.ceil(date + slurm.epoch) - slurm.epoch


@compiled
def next_of_slurm(slurm: Slurm | None) -> float:
    """Return the first date that was asked for."""
    if slurm is None:
        return NEVER
    calls = slurm.counts[CALLS]
    return slurm.calls[calls - 1] if calls else NEVER


@compiled
def is_called_for_slurm(slurm: Slurm | None, now: float) -> bool:
    """Take the call of a date; say whether a pass is due that was asked for, and still wanted."""
    if slurm is None:
        return False
    if slurm.counts[CALLS] and slurm.calls[slurm.counts[CALLS] - 1] == now:
        slurm.counts[CALLS] -= 1
    if slurm.at[CALLED_AT] > now:
        return False
    slurm.at[CALLED_AT] = NEVER
    return slurm.at[PASS_AT] <= now


@compiled
def ask_for_slurm(slurm: Slurm | None, counts: Integers, changes: bool, now: float) -> None:  # noqa: FBT001 - compiled
    """Ask for a pass where jobs wait."""
    if slurm is None:
        return
    slurm.at[PASS_AT] = at = _next_pass(slurm, counts[WAITING], counts[RUNNING], changes, now)
    if now < at < slurm.at[CALLED_AT]:
        slurm.at[CALLED_AT] = at
        _call(slurm, at)


@compiled
def _next_pass(
    slurm: Slurm,
    waiting: int,
    running: int,
    changes: bool,  # noqa: FBT001 - compiled
    now: float,
) -> float:
    """Return when the jobs that wait are to be gone through again."""
    if running or waiting != slurm.counts[WAITED]:
        slurm.at[STILL_SINCE], slurm.counts[WAITED] = now, waiting
    if not waiting or now > slurm.at[STILL_SINCE] + slurm.gives_up:
        return NEVER
    at = min(slurm.at[DUE], slurm.at[MAIN_DUE])
    if changes and slurm.backfill:
        at = min(at, (np.floor(now / slurm.bf_interval) + 1.0) * slurm.bf_interval)
    if slurm.counts[UNSEEN] or changes or slurm.defer:
        full = max(now, slurm.at[LAST_FULL] + slurm.sched_interval)
        at = min(at, _whole_after(slurm, full))
    return at


@compiled
def _call(slurm: Slurm, at: float) -> None:
    """Put a date among those of the calls; once is enough."""
    calls, place = slurm.calls, slurm.counts[CALLS]
    while place > 0 and calls[place - 1] < at:
        place -= 1
    if place > 0 and calls[place - 1] == at:
        return
    if slurm.counts[CALLS] == len(calls):
        slurm.counts[OVER] = 1
        return
    for other in range(slurm.counts[CALLS], place, -1):
        calls[other] = calls[other - 1]
    calls[place] = at
    slurm.counts[CALLS] += 1


@compiled
def come_again(slurm: Slurm | None, now: float) -> None:
    """Let backfill come at the next multiple of its interval."""
    if slurm is not None:
        at = np.ceil(now / slurm.bf_interval) * slurm.bf_interval
        slurm.at[DUE] = min(slurm.at[DUE], at)


@compiled
def note_withdrawn(slurm: Slurm | None, now: float) -> None:
    """Let backfill make another plan without a job, but not twice at a date."""
    if slurm is not None:
        come_again(slurm, now + slurm.bf_interval if now == slurm.at[LAST_BACKFILL] else now)


@compiled
def note_changed(slurm: Slurm | None, now: float) -> None:
    """Let both look again, at another machine."""
    if slurm is not None:
        slurm.counts[ENDED] = slurm.counts[FORGETS] = 1
        slurm.counts[WAITED] = -1
        come_again(slurm, now)


@compiled
def main_is_due(slurm: Slurm, now: float) -> bool:
    """Say whether the main scheduler looks at the jobs now."""
    at = slurm.at
    if now == at[LAST_MAIN]:
        return True
    due = _whole_after(slurm, max(now, at[LAST_FULL] + slurm.sched_interval))
    if slurm.counts[ENDED]:
        due = _whole_after(slurm, now)
    elif not slurm.defer:
        due = min(due, at[LAST_MAIN] + slurm.batch_sched_delay)
    slurm.counts[ENDED] = 0
    at[MAIN_DUE] = min(at[MAIN_DUE], due)
    return now >= at[MAIN_DUE]


@compiled
def note_started(slurm: Slurm | None, nodes: Nodes | None, job: int) -> None:
    """Give a job that starts the lowest processors, wherever it was planned; not on nodes."""
    if slurm is not None:
        _give_processors(slurm, nodes, job)


@compiled
def _give_processors(slurm: Slurm, nodes: Nodes | None, job: int) -> None:
    if nodes is None:
        masks, really = slurm.masks, slurm.held[job] + 1
        copy(masks, FREE, really)
        keep_first(masks, really, slurm.sizes[job])
        leave_out(masks, FREE, really)


@compiled
def note_ended(slurm: Slurm | None, nodes: Nodes | None, job: int) -> None:
    """Take a job's processors back."""
    if slurm is not None:
        _take_back(slurm, nodes, job)


@compiled
def _take_back(slurm: Slurm, nodes: Nodes | None, job: int) -> None:
    masks, counts, held = slurm.masks, slurm.counts, slurm.held[job]
    if nodes is None:
        put_in(masks, FREE, held + 1)
        put_in(masks, UNPLANNED, held)
        counts[FREE_KNOWN] += slurm.sizes[job]
    slurm.unused[counts[UNUSED]] = held
    counts[UNUSED] += 1
    counts[ENDED] = 1


@compiled
def has_no_room_left(slurm: Slurm | None) -> bool:
    """Say whether there is too little room for what is planned."""
    if slurm is None:
        return False
    return slurm.counts[OVER] != 0
