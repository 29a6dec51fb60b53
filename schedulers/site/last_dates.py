"""Dates from which waiting jobs never can start any more."""

from heapq import heappop, heappush

from schedulers.core.job import Job
from schedulers.core.machine import NEVER


class LastDates:
    """From when on jobs never can start, since a reservation is over or a limit begins."""

    def __init__(self) -> None:
        self._dates: list[tuple[float, int, Job]] = []
        self._why: dict[int, str] = {}

    @property
    def first(self) -> float:
        """The first of the dates, in seconds; `NEVER` without any."""
        return self._dates[0][0] if self._dates else NEVER

    def add(self, job: Job, date: float, why: str) -> None:
        """Let a job never start from a date on, in seconds; says why, in words."""
        heappush(self._dates, (date, job.number, job))
        self._why[job.number] = why

    def forget(self, job: Job) -> None:
        """Forget a job that is over, or was refused."""
        self._why.pop(job.number, None)

    def reached(self, now: float) -> list[tuple[Job, str]]:
        """Return the jobs that have not started and never will, with the reason; forget them."""
        found = []
        while self._dates and self._dates[0][0] <= now:
            _, number, job = heappop(self._dates)
            why = self._why.pop(number, None)
            if why is not None and job.started < 0.0:
                found.append((job, why))
        return found
