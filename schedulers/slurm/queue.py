"""The waiting jobs as Slurm goes through them: once for each partition that a job asks for."""

from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from schedulers.core.job import Job
from schedulers.machine.node_layout import Choice
from schedulers.slurm.cluster import Cluster


class Entry(NamedTuple):
    """A waiting job in one of its partitions."""

    job: Job
    choice: Choice


def entries_of(
    queue: list[Job],
    cluster: Cluster,
    tiers: Mapping[str, int],
    *,
    key_in: Callable[[Job, str], float] | None = None,
) -> Iterator[Entry]:
    """Yield jobs by their partitions' tiers, the highest first, and by their places in the queue.

    Parameters
    ----------
    queue
        In its order.
    cluster
        Knows the jobs' partitions.
    tiers
        By the names of partitions.
    key_in
        A job's key in a partition, where the order has another one in each.
    """
    entries = (Entry(job, choice) for job in queue for choice in cluster.choices(job))
    if key_in is not None:
        keyed = [(key_in(job, choice.partition), Entry(job, choice)) for job, choice in entries]
        entries = (entry for _, entry in sorted(keyed, key=itemgetter(0)))
    if len(set(tiers.values())) > 1:
        return iter(sorted(entries, key=lambda entry: -tiers.get(entry.choice.partition, 1)))
    return entries
