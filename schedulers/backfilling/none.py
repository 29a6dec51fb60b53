"""No backfilling."""

from schedulers.backfilling.backfilling import Stateless, take_heads
from schedulers.backfilling.plan import Plan
from schedulers.job import Job


class NoBackfilling(Stateless):
    """Nobody overtakes: the jobs at the head of the queue start while they fit."""

    plans = False
    only_fitting = True

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        return take_heads(queue, self.machine)
