"""The waiting jobs as Slurm goes through them: once for each partition that a job requests."""

from collections.abc import Callable

from schedulers.core.job import Job
from schedulers.machine.node_layout import Choice
from schedulers.slurm.cluster import Cluster

KeyIn = Callable[[Job, str, float], float]
"""Returns a job's sort key in a partition at a date, if the order depends on the partition."""


class Line:
    """Goes through the waiting jobs, with one entry for each partition of a job.

    Entries in partitions of higher tiers come first. Then the job's sort key in the partition
    counts, if the order has one. Then the place in the queue counts.

    Do not change the queue meanwhile. `tiers` is empty if all partitions have the same tier. The
    present entry is `job` and `choice`. `once` is True if the job has only one entry.
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
        """Go to the next entry. Return False if there is none."""
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
    """Return the entries sorted by tier, by the job's sort key, and by the place in the queue."""
    entries = [(job, choice) for job in queue for choice in cluster.choices(job)]
    if key_in is not None:
        entries.sort(key=lambda one: key_in(one[0], one[1].partition, now))
    if tiers:
        entries.sort(key=lambda one: -tiers.get(one[1].partition, 1))
    return entries
