"""Limits on the jobs of a user, association or partition that backfill considers in a pass."""

from collections import Counter

from schedulers.core.job import Job
from schedulers.site.batch_system import Slurm


class Share:
    """Counts the jobs that backfill has considered in a pass, against these limits."""

    def __init__(self, told: Slurm) -> None:
        self._user = told.bf_max_job_user
        self._association = told.bf_max_job_assoc
        self._partition = told.bf_max_job_part
        self.counts = bool(self._user or self._association or self._partition)
        """Whether there is any such number."""
        self.begin()

    def begin(self) -> None:
        """Reset the counts for the next pass."""
        self._counts: Counter[tuple[object, ...]] = Counter()
        self._counted: set[tuple[object, ...]] = set()

    def has(self, job: Job, partition: str) -> bool:
        """Count a job in a partition; return False if a limit is reached."""
        fields = job.fields or {}
        user, account = fields.get("user_id"), fields.get("project")
        keys = (
            (self._user, ("user", user)),
            (self._association, ("association", user, account)),
            (self._partition, ("partition", partition)),
        )
        # a job of several partitions counts once for its user
        new = [
            (most, key) for most, key in keys if most and (job.number, *key) not in self._counted
        ]
        if any(self._counts[key] >= most for most, key in new):
            return False
        for _, key in new:
            self._counts[key] += 1
            self._counted.add((job.number, *key))
        return True
