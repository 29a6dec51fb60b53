"""EASY backfilling by an event list, and shortest first, written from the papers alone.

It shares nothing with the package: jobs are tuples, the machine is a number of processors.
`independent_claims.py` uses it to see whether the package's simulator says the same.
"""

import heapq
from collections import defaultdict, deque
from collections.abc import Callable
from typing import NamedTuple

END, SUBMISSION, EXPIRY = range(3)


class Job(NamedTuple):
    """What is known of a job; times in seconds."""

    submitted: float
    run_time: float
    walltime: float
    processors: int
    user: str


class UsersLast:
    """Paper 003's algorithm 2: the largest usage of the user's last 15 jobs, and 15 min."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.usages: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=15))

    def estimate(self, job: Job) -> float:
        """Return the soft walltime of a job that is submitted now."""
        usages = self.usages[job.user]
        soft = max(usages) * job.walltime + 900.0 if usages else job.walltime
        return max(1.0, min(soft, job.walltime))

    def ended(self, job: Job) -> None:
        """Learn from a job."""
        self.usages[job.user].append(min(job.run_time, job.walltime) / job.walltime)


class Walltimes(UsersLast):
    """What users asked for."""

    def estimate(self, job: Job) -> float:
        """Return the walltime."""
        return job.walltime


class TenMinutes(UsersLast):
    """Paper 000's correction alone: ten minutes for everybody."""

    def estimate(self, job: Job) -> float:
        """Return ten minutes, or the walltime if that is less."""
        return min(600.0, job.walltime)


def doubled(estimate: float) -> float:
    """Return what paper 003 makes of an estimate that runs out."""
    return 2.0 * estimate


def an_hour_more(estimate: float) -> float:
    """Return what paper 000's algorithm 2 makes of an estimate that is about to run out."""
    return estimate + 3600.0


def easy(
    jobs: list[Job],
    processors: int,
    estimates: UsersLast,
    correct: Callable[[float], float] = doubled,
    lead: float = 0.0,
) -> list[float]:
    """Return the date at which each job starts: first come first served, with EASY backfilling.

    An estimate that a job outlives but for `lead` seconds is corrected, up to its walltime, at
    which the job is killed. A correction by itself calls nobody: the next pass plans with it.
    """
    starts = [0.0] * len(jobs)
    soft = [0.0] * len(jobs)
    planned: dict[int, float] = {}
    queue: list[int] = []
    events = [(job.submitted, SUBMISSION, place) for place, job in enumerate(jobs)]
    heapq.heapify(events)
    free = processors

    def start(place: int, now: float) -> None:
        nonlocal free
        job = jobs[place]
        free -= job.processors
        starts[place] = now
        planned[place] = now + soft[place]
        heapq.heappush(events, (now + min(job.run_time, job.walltime), END, place))
        heapq.heappush(events, (planned[place] - lead, EXPIRY, place))

    while events:
        now, called = events[0][0], False
        while events and events[0][0] == now:
            _, kind, place = heapq.heappop(events)
            job, called = jobs[place], called or kind != EXPIRY
            if kind == END:
                free += job.processors
                del planned[place]
                estimates.ended(job)
            elif kind == SUBMISSION:
                soft[place] = estimates.estimate(job)
                queue.append(place)
            elif place in planned and soft[place] < job.walltime:
                soft[place] = min(correct(soft[place]), job.walltime)
                planned[place] = starts[place] + soft[place]
                heapq.heappush(events, (planned[place] - lead, EXPIRY, place))
        while called and queue and jobs[queue[0]].processors <= free:
            start(queue.pop(0), now)
        if not called or not queue or not free:
            continue
        ends = sorted((end, jobs[place].processors) for place, end in planned.items())
        begin, extra = reservation(jobs[queue[0]].processors, free, ends, now)
        for place in queue[1:]:
            size = jobs[place].processors
            late = now + soft[place] > begin
            if size <= free and (size <= extra or not late):
                extra -= size if late else 0
                start(place, now)
                queue.remove(place)
    return starts


def reservation(
    wanted: int, free: int, ends: list[tuple[float, int]], now: float
) -> tuple[float, int]:
    """Return when so many processors are free by the planned ends, and how many more are then."""
    begin = now
    for end, processors in ends:
        if free >= wanted and end > begin:
            break
        free, begin = free + processors, end
    return begin, free - wanted


def shortest_first(
    jobs: list[Job], processors: int, key: Callable[[Job], float] = lambda job: job.run_time
) -> list[float]:
    """Return the date at which each job starts: whoever fits does, the shortest first."""
    starts = [0.0] * len(jobs)
    events = [(job.submitted, SUBMISSION, place) for place, job in enumerate(jobs)]
    heapq.heapify(events)
    queue: list[tuple[float, float, int]] = []
    free = processors
    while events:
        now = events[0][0]
        while events and events[0][0] == now:
            _, kind, place = heapq.heappop(events)
            if kind == END:
                free += jobs[place].processors
            else:
                queue.append((key(jobs[place]), jobs[place].submitted, place))
        queue.sort()
        waiting = []
        for entry in queue:
            job = jobs[entry[2]]
            if job.processors > free:
                waiting.append(entry)
                continue
            free -= job.processors
            starts[entry[2]] = now
            heapq.heappush(events, (now + min(job.run_time, job.walltime), END, entry[2]))
        queue = waiting
    return starts
