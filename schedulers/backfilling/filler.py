"""Whatever fits starts."""

from schedulers.job import Job
from schedulers.plan import Plan


class Filler:
    """Goes through the queue in order and starts whatever fits; nothing is reserved."""

    plans = False

    def choose(self, queue: list[Job], free: int, plan: Plan, now: float) -> list[Job]:  # noqa: ARG002 - needs no plan
        """Choose the jobs to start; see `Backfilling`."""
        chosen = []
        places = []
        for place, job in enumerate(queue):
            if job.processors <= free:
                free -= job.processors
                chosen.append(job)
                places.append(place)
                if not free:
                    break
        for place in reversed(places):
            del queue[place]
        return chosen
