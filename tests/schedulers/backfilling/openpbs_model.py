"""OpenPBS's scheduler, slow and by its rules: a universe is simulated to its next event.

Nothing of `schedulers` is used. A cycle begins when a job was submitted or has ended, and
`scheduler_iteration` after the one before while jobs wait. Each job in its order is run if its
processors are free now and stay so for its duration, whatever is in the calendar. Else, if it is to
be a top job, the calendar is gone through event by event, a window of `opt_backfill_fuzzy` at a
time, up to where it could run; its start and its end become events. Ends come before starts of the
same date.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

WINDOWS = {"off": 1, "low": 60, "medium": 600, "high": 3600}
END, RUN = 0, 1
DEFAULTS = {
    "strict_ordering": False, "backfill_depth": 1, "opt_backfill_fuzzy": "low", "by_queue": True,
    "round_robin": False, "scheduler_iteration": 600, "help_starving_jobs": False,
    "max_starve": 86400,
}  # fmt: skip


class Event(NamedTuple):
    """What happens in the calendar: processors are given back, or a top job takes them."""

    date: int
    kind: int
    processors: int


@dataclass
class Waiting:
    """A job, as its user and the accounting have it."""

    name: int
    submit: int
    size: int
    run: int
    walltime: int
    soft: int
    queue: str
    start: int | None = None

    @property
    def end(self) -> int:
        assert self.start is not None
        return self.start + min(self.run, self.walltime)

    def planned_end(self, now: int) -> int:
        """Return when it is planned to end: each whole time that it is over, the same again."""
        assert self.start is not None
        over = (now - self.start) // self.soft
        return self.start + min(self.walltime, self.soft * (1 + over))


@dataclass
class Universe:
    """The machine from a date on: what is in use, and all that is known to happen."""

    processors: int
    now: int
    used: int = 0
    events: list[Event] = field(default_factory=list)

    def runs(self, size: int, duration: int) -> bool:
        """Say whether a job could run from now on: at no event is there too little left."""
        used = self.used
        if used + size > self.processors:
            return False
        for event in sorted(self.events):
            if event.date >= self.now + duration:
                break
            used += event.processors if event.kind == RUN else -event.processors
            if used + size > self.processors:
                return False
        return True

    def top_job(self, size: int, duration: int, window: int, second_0: int) -> int:
        """Return when a job that cannot run now could."""
        later = Universe(self.processors, self.now, self.used, sorted(self.events))
        while not later.runs(size, duration):
            first = later.events[0].date + second_0
            until = (first + window) // window * window - second_0
            while later.events and later.events[0].date <= until:
                event = later.events.pop(0)
                later.now = event.date
                later.used += event.processors if event.kind == RUN else -event.processors
        return later.now


class OpenPbsModel:
    """Jobs on a counted machine, scheduled cycle by cycle.

    Parameters
    ----------
    jobs
        In the order of their submissions.
    processors
        Of the machine.
    told
        Keys of ``[openpbs]``; `formula` and `keys` beside it are what is sorted by within a queue,
        functions of a job and its wait, the smallest first.
    queues
        Priorities of the queues.
    second_0
        The Unix date of second 0.
    """

    def __init__(
        self, jobs: list[Waiting], processors: int, told: dict[str, Any], *, formula: Any,  # noqa: ANN401 - a function
        queues: dict[str, int], second_0: int,
    ) -> None:  # fmt: skip
        self.jobs, self.processors, self.queues = jobs, processors, queues
        self.told = {**DEFAULTS, **told}
        self.formula = formula
        self.second_0 = second_0
        self.top_jobs = self.backfilled = self.outlived = 0

    def starts(self) -> dict[int, int]:
        coming, waiting, running = [*self.jobs], list[Waiting](), list[Waiting]()
        cycle = math.inf
        while coming or waiting:
            dates = [job.end for job in running] + [job.submit for job in coming[:1]]
            now = int(min([*dates, cycle]))
            running = [job for job in running if job.end > now]
            while coming and coming[0].submit == now:
                waiting.append(coming.pop(0))
            self.cycle(waiting, running, now)
            running += [job for job in waiting if job.start is not None]
            waiting = [job for job in waiting if job.start is None]
            cycle = now + self.told["scheduler_iteration"] if waiting else math.inf
        return {job.name: job.start for job in self.jobs if job.start is not None}

    def cycle(self, waiting: list[Waiting], running: list[Waiting], now: int) -> None:
        told = self.told
        window, depth = WINDOWS[told["opt_backfill_fuzzy"]], told["backfill_depth"]
        universe = Universe(self.processors, now)
        for job in running:
            universe.used += job.size
            universe.events.append(Event(job.planned_end(now), END, job.size))
            assert job.start is not None
            self.outlived += now - job.start >= job.soft
        top_jobs = 0
        for job in self.ordered(waiting, now):
            if universe.runs(job.size, job.soft):
                job.start = now
                universe.used += job.size
                universe.events.append(Event(now + job.soft, END, job.size))
                self.backfilled += top_jobs > 0
                continue
            starving = told["help_starving_jobs"] and now - job.submit > told["max_starve"]
            if not (told["strict_ordering"] or starving):
                continue
            if depth == 0:
                return
            if top_jobs < depth:
                top_jobs += 1
                self.top_jobs += 1
                start = universe.top_job(job.size, job.soft, window, self.second_0)
                universe.events.append(Event(start, RUN, job.size))
                universe.events.append(Event(start + job.soft, END, job.size))

    def ordered(self, waiting: list[Waiting], now: int) -> list[Waiting]:
        told = self.told
        starving = [
            job
            for job in waiting
            if told["help_starving_jobs"] and now - job.submit > told["max_starve"]
        ]
        others = [job for job in waiting if job not in starving]
        others.sort(key=lambda job: self.formula(job, now - job.submit))
        queues = {
            name: [job for job in others if job.queue == name]
            for name in sorted(self.queues, key=lambda name: -self.queues[name])
        }
        if told["round_robin"]:
            others = []
            for level in sorted({*self.queues.values()}, reverse=True):
                mates = [queues[name] for name in queues if self.queues[name] == level]
                turns = max(len(mate) for mate in mates)
                others += [
                    mate[turn] for turn in range(turns) for mate in mates if turn < len(mate)
                ]
        elif told["by_queue"]:
            others = [job for queue in queues.values() for job in queue]
        return sorted(starving, key=lambda job: job.submit) + others
