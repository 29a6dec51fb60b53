"""The dates from which on waiting jobs can never start."""

from heapq import heappop, heappush

from schedulers.core.job import Job
from schedulers.core.machine import NEVER


class LastDates:
    """The dates from which on jobs can never start: a reservation ends, or a limit begins."""

    def __init__(self) -> None:
        self._dates: list[tuple[float, int, Job]] = []
        self._why: dict[int, str] = {}

    @property
    def first(self) -> float:
        """The first of the dates, in seconds, or `NEVER`."""
        return self._dates[0][0] if self._dates else NEVER

    def add(self, job: Job, date: float, why: str) -> None:
        """Add the date from which on a job can never start, in seconds, and the reason."""
        heappush(self._dates, (date, job.number, job))
        self._why[job.number] = why

    def forget(self, job: Job) -> None:
        """Forget a job that has ended or was rejected."""
        self._why.pop(job.number, None)

    def reached(self, now: float) -> list[tuple[Job, str]]:
        """Return and forget the waiting jobs that can never start from now on, with the reason."""
        found = []
        while self._dates and self._dates[0][0] <= now:
            _, number, job = heappop(self._dates)
            why = self._why.pop(number, None)
            if why is not None and job.started < 0.0:
                found.append((job, why))
        return found
