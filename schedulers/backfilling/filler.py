"""Filling: whatever fits starts."""

from dataclasses import dataclass

from schedulers.backfilling.backfilling import Stateless, take_out
from schedulers.backfilling.candidates import Candidates
from schedulers.backfilling.plan import Plan
from schedulers.job import QUEUE, Job


@dataclass(eq=False)
class Filler(Stateless):
    """Goes through the queue and starts whatever fits; nothing is reserved."""

    plans = False
    only_fitting = True

    candidates: str = "queue"
    """The order in which the queue is gone through; see `Candidates`."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._candidates = Candidates(self.candidates)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        machine = self.machine
        free = machine.free
        if not free:
            return []
        waiting = queue
        if self._candidates.differ:
            # what is free only shrinks: who has no room now needs no sorting
            waiting = self._candidates.sorted([job for job in queue if job.processors <= free])
        chosen = []
        head = 0
        for job in waiting:
            if job.processors <= free and machine.take(job):
                free = machine.free
                if job is queue[head]:
                    head += 1
                else:
                    job.started_as = QUEUE
                chosen.append(job)
                if not free or head == len(queue):
                    break
        take_out(queue, chosen)
        return chosen
