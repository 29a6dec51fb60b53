"""The workers of this machine: processes that are started, given runs to make, and ended."""

import pickle
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Protocol, Self

from pred_aware.campaign.making.forking import Forked, environment, fork
from pred_aware.campaign.making.maker import Makes
from pred_aware.campaign.making.resource_usage import memory_of, memory_of_machine
from pred_aware.campaign.making.run_maker import Maker
from pred_aware.campaign.messages import Began, Task, WorkerAnswer
from pred_aware.campaign.specification import Limits, Specification
from pred_aware.report.durations import spoken

PATIENCE = 0.2
"""How often memory and time are looked at, in seconds."""

SHARE = 0.9
"""Which share of the machine's memory all workers together may take, where nothing else is said."""

_MEGABYTE = 1e6


class Member(Protocol):
    """One of those who make runs."""

    last: Task | None
    """What it made last, or is making."""
    logs: set[int]
    """The places of the logs that it has read."""

    def give(self, task: Task) -> None:
        """Let it make a run."""


class Team(Protocol):
    """Those who make runs, here or elsewhere."""

    @property
    def idle(self) -> Sequence[Member]:
        """The workers without work."""

    @property
    def busy(self) -> Sequence[Member]:
        """Those that make something."""

    def wait(self) -> Iterable[tuple[Task, WorkerAnswer]]:
        """Wait a while, and give what became of tasks meanwhile."""


class Worker:
    """A process that makes one run after the other.

    Parameters
    ----------
    maker
        What it makes them with, pickled.

    Attributes
    ----------
    task : Task or None
        What it is making.
    last : Task or None
        What it made last, or is making.
    logs : set of int
        The places of the logs that it has read.
    """

    def __init__(self, maker: bytes) -> None:
        self.task: Task | None = None
        self.last: Task | None = None
        self.logs: set[int] = set()
        self._maker = maker
        self._since: float | None = None
        self._connection: Connection | None = None
        self._process: Forked | None = None

    def give(self, task: Task) -> None:
        """Let it make a run."""
        if self._connection is None:
            self._start()
        assert self._connection is not None
        self.task = self.last = task
        self.logs = (self.logs - task.over) | {task.run.log}
        # to read a log takes the time that it takes
        self._since = None
        # one that has died meanwhile is noticed when it is listened to
        with suppress(OSError):
            self._connection.send(task)

    def _start(self) -> None:
        self._connection, theirs = Pipe()
        self._process = fork(theirs)
        self._connection.send((sys.path, sys.argv, environment()))
        # as it was sent to others, and is received as what it was before
        self._connection.send_bytes(self._maker)

    @property
    def connection(self) -> Connection:
        """Where it is heard."""
        assert self._connection is not None
        return self._connection

    def hear(self) -> tuple[Task, WorkerAnswer] | None:
        """Take what it says, which is there; return what became of what it was making."""
        assert self.task is not None
        task = self.task
        try:
            said = self.connection.recv()
        except (EOFError, OSError):
            self.task = None
            return task, WorkerAnswer(failed=f"its process {self._end(PATIENCE)}", why="died")

        if isinstance(said, Began):
            self._since = time.monotonic()
            return None
        self.task = None
        return task, said

    def beyond(self, *, memory: float, seconds: float | None) -> tuple[Task, WorkerAnswer] | None:
        """End it if it takes too much for its run, and say so."""
        assert self._process is not None
        if self.task is None:
            return None
        began = self._since
        if seconds is not None and began is not None and time.monotonic() - began > seconds:
            answer = WorkerAnswer(failed=f"took more than {spoken(seconds)}", why="time")
        elif (taken := memory_of(self._process.id)) > memory:
            megabytes = f"{taken / _MEGABYTE:,.0f} MB of memory, of {memory / _MEGABYTE:,.0f} MB"
            answer = WorkerAnswer(failed=f"took {megabytes}", why="memory")
        else:
            return None
        task, self.task = self.task, None
        self._end()
        return task, answer

    def _end(self, patience: float = 0.0) -> str:
        """End the process at once, or after so many seconds, and say how it ended."""
        if self._process is None:
            return "was not there"
        code = self._process.end(patience)
        self.connection.close()
        self._process = self._connection = None
        self.logs.clear()
        if code is None:
            return "was ended"
        why = ": the system may have been out of memory" if code == -signal.SIGKILL else ""
        return f"ended by signal {-code}{why}" if code < 0 else f"ended with exit code {code}"

    def end(self) -> None:
        """End it at once."""
        self.task = None
        self._end()


class Workers:
    """So many workers, a context: none of them is left when it ends.

    Parameters
    ----------
    maker
        What each makes runs with; it is sent to them.
    number
        How many.
    limits
        What a single run may take.
    """

    def __init__(self, maker: Makes, number: int, *, limits: Limits) -> None:
        self._maker = pickle.dumps(maker)
        self._all = [Worker(self._maker) for _ in range(number)]
        self._memory = limits.memory or SHARE * memory_of_machine() / number
        self._seconds = limits.seconds

    @classmethod
    def of(cls, campaign: Specification, number: int) -> Self:
        """Return so many that make the runs of a campaign."""
        return cls(Maker(campaign), number, limits=campaign.limits)

    @property
    def idle(self) -> list[Worker]:
        """The workers without work."""
        return [worker for worker in self._all if worker.task is None]

    @property
    def busy(self) -> list[Worker]:
        """Those that make something."""
        return [worker for worker in self._all if worker.task is not None]

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Wait a while, and yield what became of tasks meanwhile."""
        heard = wait([worker.connection for worker in self.busy], timeout=PATIENCE)
        for worker in self.busy:
            if worker.connection in heard:
                ended = worker.hear()
            else:
                ended = worker.beyond(memory=self._memory, seconds=self._seconds)
            if ended is not None:
                yield ended

    def __enter__(self) -> Self:
        """Begin; a process is started when there is something for it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End them all at once."""
        self.end()

    def end(self) -> None:
        """End them all at once."""
        for worker in self._all:
            worker.end()
