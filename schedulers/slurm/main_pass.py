"""The main scheduler's pass through the waiting jobs."""

from collections import Counter
from collections.abc import Callable, Iterable

from schedulers.core.job import Job
from schedulers.machine.node_room import Placement
from schedulers.site.batch_system import Slurm
from schedulers.slurm.cluster import Cluster
from schedulers.slurm.queue import Entry


def main_pass(
    entries: Iterable[Entry],
    cluster: Cluster,
    take: Callable[[Job, Placement], bool],
    *,
    is_limited: Callable[[Job, Placement | None], bool],
    told: Slurm,
    now: float,
    full: bool,
) -> tuple[list[Job], dict[str, Job]]:
    """Start jobs in their order; in each partition it stops at the first that can't start.

    Nodes of such a partition are for nobody behind it either.

    Parameters
    ----------
    entries
        The waiting jobs in their order.
    cluster
        The machine, now.
    take
        Takes room for a job; says whether there is any, and no limit in the way.
    is_limited
        Says whether a limit stops a job of the queue, in any place or in one: others go past it.
    told
        How many jobs are looked at.
    now
        In seconds.
    full
        Whether it is one of the passes through all jobs.

    Returns
    -------
    list of Job
        Those that start.
    dict of str to Job
        By partition, where it has stopped.
    """
    started: dict[int, Job] = {}
    stopped: dict[str, Job] = {}
    kept = 0
    looked: set[int] = set()
    in_partition: Counter[str] = Counter()
    for job, choice in entries:
        if kept == cluster.nodes:
            break
        name = choice.partition
        if job.number in started or name in stopped:
            continue
        looked.add(job.number)
        if not full and len(looked) > told.default_queue_depth:
            break
        in_partition[name] += 1
        if 0 < told.partition_job_depth < in_partition[name]:
            continue
        if is_limited(job, None):
            continue
        usable = choice.nodes & ~kept & ~cluster.closed(job, now)
        placement = cluster.place(job, choice, cluster.room, usable=usable)
        if placement is not None and is_limited(job, placement):
            continue
        if placement is not None and take(job, placement):
            started[job.number] = job
        else:
            stopped[name] = job
            kept |= choice.nodes
    return list(started.values()), stopped
