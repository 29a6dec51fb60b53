"""The waiting jobs as Slurm goes through them: once for each partition that a job asks for."""

from collections.abc import Callable

from schedulers.core.job import Job
from schedulers.machine.node_layout import Choice
from schedulers.slurm.cluster import Cluster

KeyIn = Callable[[Job, str, float], float]
"""A job's key in a partition at a date, where the order has another one in each."""


class Line:
    """Goes through the waiting jobs, each in one of its partitions after the other.

    Partitions of higher tiers come first; then a job's key in each partition counts, where the
    order has one, and then its place in the queue.

    The queue is not to be changed meanwhile; the tiers of partitions are empty if all are the same.
    The present entry is `job` and `choice`, and `once` says whether the job is met only once.
    """

    job: Job
    choice: Choice

    def __init__(
        self,
        queue: list[Job],
        cluster: Cluster,
        tiers: dict[str, int],
        key_in: KeyIn | None,
        now: float,
    ) -> None:
        self.queue = queue
        self.cluster = cluster
        self.place = self.of_job = -1
        self.choices: list[Choice] = []
        self.once = False
        self.entries: list[tuple[Job, Choice]] | None = None
        if tiers or (key_in is not None and any([len(cluster.choices(job)) > 1 for job in queue])):
            self.entries = sorted_entries(queue, cluster, tiers, key_in, now)

    def advance(self) -> bool:
        """Go to the next entry; say whether there is one."""
        if self.entries is not None:
            self.place += 1
            if self.place == len(self.entries):
                return False
            entry = self.entries[self.place]
            self.job, self.choice = entry
            return True
        self.of_job += 1
        while self.of_job >= len(self.choices):
            self.place += 1
            if self.place == len(self.queue):
                return False
            self.job = self.queue[self.place]
            self.choices = self.cluster.choices(self.job)
            self.once = len(self.choices) == 1
            self.of_job = 0
        self.choice = self.choices[self.of_job]
        return True


def sorted_entries(
    queue: list[Job], cluster: Cluster, tiers: dict[str, int], key_in: KeyIn | None, now: float
) -> list[tuple[Job, Choice]]:
    """Return the jobs with their partitions by tier, by key, and by their places in the queue."""
    entries = [(job, choice) for job in queue for choice in cluster.choices(job)]
    if key_in is not None:
        entries.sort(key=lambda one: key_in(one[0], one[1].partition, now))
    if tiers:
        entries.sort(key=lambda one: -tiers.get(one[1].partition, 1))
    return entries
