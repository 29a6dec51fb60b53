"""Slurm's scheduling as arrays."""

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import slurm_values as values
from pred_aware.engine.kernel.slurm_values import BITS, Slurm
from pred_aware.engine.node_arrays import NodeArrays, words_of
from pred_aware.engine.slurm_tries import ON_PROCESSORS, Tries
from schedulers.site.batch_system import Slurm as SlurmSettings
from schedulers.slurm.backfilling import SlurmBackfilling

_OF_USERS = ("user_id",)
_OF_ASSOCIATIONS = ("user_id", "project")
_MOST_CALLS = 10_000
_MOST_WORDS = 2**23
"""Of all masks; a larger machine is left to Python."""
_MOST_REMEMBERED = 2**21
"""Words of what is remembered of a pass."""
_MOST_SLOTS = 20_000
"""So many jobs of a pass are remembered."""
_MOST_ROOMS = 64
_PERIODS = 4000
"""The table has so many at most; where it needs more, Python simulates."""


def slurm_of(
    backfilling: SlurmBackfilling | None,
    asked: AskedOfSite | None,
    *,
    sizes: Integers,
    processors: int,
    nodes: NodeArrays | None = None,
    tries: Tries = ON_PROCESSORS,
) -> Slurm | None:
    """Return what Slurm's schedulers know of jobs of some sizes at first; `None` without them.

    Where there are nodes, they get rooms.
    """
    if backfilling is None:
        return None
    told, parameters, jobs = backfilling.told, backfilling.parameters, len(sizes)
    running = min(processors, jobs)
    shares = _shares(told, asked, jobs)
    many = processors if nodes is None else len(nodes.nodes.bit)
    words = max(1, -(-many // BITS))
    full = parameters.node_space_size or parameters.max_job_test
    periods = min(2 * (full + 2 * running) + 4, _PERIODS)
    remembered = _MOST_REMEMBERED // words
    slots = min(jobs, _MOST_SLOTS)
    rows = values.HEAD_ROWS + 3 * running + 1 + periods + 1 + remembered
    masks = np.zeros((rows + len(tries.sets)) * words, np.int64)
    for row in (values.ALL, values.FREE, values.UNPLANNED):
        masks[row * words : (row + 1) * words] = words_of((1 << many) - 1, words)
    tried = tries.table.copy()
    if tries.sets:
        masks[rows * words :] = [word for one in tries.sets for word in words_of(one, words)]
        tried[:, values.ABLE : values.IN_CHOICE + 1] += rows
        tried[:, values.ABLE : values.IN_CHOICE + 1] *= words
    entries = jobs if nodes is None else nodes.tries
    at = np.full(values.DATES, np.inf)
    lasts = [values.LAST_MAIN, values.LAST_FULL, values.LAST_BACKFILL, values.STILL_SINCE]
    at[lasts] = -np.inf
    counts = np.zeros(values.COUNTS, np.int64)
    counts[values.UNUSED], counts[values.FREE_KNOWN] = running, processors
    return Slurm(
        masks=masks,
        held=np.zeros(jobs, np.int64),
        sizes=sizes,
        unused=(values.HEAD_ROWS + 2 * np.arange(running)) * words,
        ends=np.zeros(2 * running),
        ending=np.zeros(2 * running, np.int64),
        times=np.zeros(periods + 1 + remembered),
        free=np.zeros(running + 1, np.int64),
        rooms=np.zeros(0 if nodes is None else nodes.add_rooms(_MOST_ROOMS), np.int64),
        tries=tried,
        partitions=np.zeros((tries.partitions, 2), np.int64),
        entries=np.zeros((entries, 2), np.int64),
        marks=np.zeros(jobs, np.int64),
        runs=np.zeros((0 if nodes else processors // 2 + 1, 2), np.int64),
        started=np.zeros(jobs, np.int64),
        planned=np.full(jobs, -1.0),
        shares=shares,
        looked_at=np.zeros(int(shares[:, 1:].max(initial=0)) + 1, np.int64),
        slots=np.zeros((slots, values.SLOT_WIDTH), np.int64),
        slot_dates=np.zeros((slots, values.SLOT_DATES)),
        calls=np.zeros(_MOST_CALLS),
        at=at,
        counts=counts,
        words=words,
        most_periods=periods,
        backfill=told.backfill,
        bf_interval=float(told.bf_interval),
        resolution=parameters.resolution,
        window=parameters.window,
        max_job_test=parameters.max_job_test,
        max_job_start=told.bf_max_job_start or -1,
        max_job_part=told.bf_max_job_part,
        tiers=tries.tiers,
        min_age_reserve=float(told.bf_min_age_reserve),
        node_space_size=full,
        running_job_reserve=told.bf_running_job_reserve,
        default_queue_depth=told.default_queue_depth,
        partition_job_depth=told.partition_job_depth,
        sched_interval=float(told.sched_interval),
        batch_sched_delay=float(told.batch_sched_delay),
        defer=told.defer,
        kill_wait=parameters.kill_wait,
        gives_up=told.priority_max_age,
        old=parameters.old,
        epoch=parameters.epoch,
    )


def fields_of(backfilling: SlurmBackfilling | None) -> tuple[str, ...]:
    """Return the fields by which it counts the jobs of a pass."""
    if backfilling is None:
        return ()
    told = backfilling.told
    if told.bf_max_job_assoc:
        return _OF_ASSOCIATIONS
    return _OF_USERS if told.bf_max_job_user else ()


def _shares(told: SlurmSettings, asked: AskedOfSite | None, jobs: int) -> Integers:
    """Return how many jobs of each kind a pass looks at, and of which each job is."""
    rows, behind = [], 0
    for most, fields in (
        (told.bf_max_job_user, _OF_USERS),
        (told.bf_max_job_assoc, _OF_ASSOCIATIONS),
    ):
        if most:
            numbers = np.zeros(jobs, np.int64) if asked is None else asked.by(fields)
            rows.append(np.append(most, behind + numbers))
            behind += int(numbers.max(initial=-1)) + 1
    return np.array(rows, np.int64).reshape(len(rows), 1 + jobs)


def has_room_for(processors: int, jobs: int, *, nodes: int) -> bool:
    """Say whether the masks of a machine are not too large; one that counts has as many nodes."""
    rows = values.HEAD_ROWS + 3 * min(processors, jobs) + 1 + _PERIODS
    return rows * -(-nodes // BITS) <= _MOST_WORDS
