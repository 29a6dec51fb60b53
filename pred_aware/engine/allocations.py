"""The processors of all jobs of a simulation in arrays, by the rule ``lowest``."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel.allocating import Free, allocate_all
from pred_aware.engine.kernel.values import Placed
from workload_tools.batsim.intervals import Intervals

if TYPE_CHECKING:
    from pred_aware.engine.outcome import Outcome

_INTERVALS_OF_A_JOB = 4
"""So many are taken room for at first, on the average."""


def placed_in(outcome: "Outcome") -> Placed:
    """Return the processors of each job, on a machine that counts."""
    if outcome.placed is not None:
        return outcome.placed
    sizes, processors = outcome.kept.processors, outcome.machine.processors
    jobs = len(sizes)
    room = _INTERVALS_OF_A_JOB * jobs + 1
    # between two free intervals is a job's
    free = min(processors, room) + 1
    while True:
        placed = Placed(_integers(room), _integers(room), _integers(jobs), _integers(jobs))
        idle = Free(_integers(free), _integers(free))
        idle.last[0] = processors - 1
        if allocate_all(outcome.schedule.changes, sizes, idle, 1, placed):
            return placed
        room *= 2
        free = min(processors, room) + 1


def intervals_of(placed: Placed) -> list[Intervals]:
    """Return the processors of each job as the simulator has them; none where it did not run."""
    used = slice(int(placed.end.max(initial=0)))
    of_all = list(zip(placed.first[used].tolist(), placed.last[used].tolist(), strict=True))
    borders = zip(placed.begin.tolist(), placed.end.tolist(), strict=True)
    return [tuple(of_all[begin:end]) for begin, end in borders]


def _integers(number: int) -> Integers:
    return np.zeros(number, np.int64)
