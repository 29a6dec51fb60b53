"""The workers of this machine: processes that get runs to make."""

import pickle
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Protocol, Self

from pred_aware.campaign.making.forking import Forked, environment
from pred_aware.campaign.making.maker import Makes
from pred_aware.campaign.making.resource_usage import memory_of, memory_of_machine
from pred_aware.campaign.making.run_maker import Maker
from pred_aware.campaign.messages import Began, Task, WorkerAnswer
from pred_aware.campaign.specification import Limits, Specification
from pred_aware.report.durations import timespan

PATIENCE = 0.2
"""Interval between checks of memory and time, in seconds."""

SHARE = 0.9
"""Share of the machine's memory that all workers together may use by default."""

_MEGABYTE = 1e6


class Member(Protocol):
    """A member of a team that makes runs."""

    last: Task | None
    """The member's current or last task."""
    logs: set[int]
    """Indices of the logs that the member has read."""

    def give(self, task: Task) -> None:
        """Let the member make a run."""


class Team(Protocol):
    """A team that makes runs, on this machine or elsewhere."""

    @property
    def idle(self) -> Sequence[Member]:
        """The members without a task."""

    @property
    def busy(self) -> Sequence[Member]:
        """The members with a task."""

    def wait(self) -> Iterable[tuple[Task, WorkerAnswer]]:
        """Wait for some time, and return the tasks that ended, with their results."""


class Worker:
    """A process that makes one run after another.

    Parameters
    ----------
    maker
        The pickled maker of runs.

    Attributes
    ----------
    task : Task or None
        Its current task.
    last : Task or None
        Its current task; after its end, the last one.
    logs : set of int
        Indices of the logs that it has read.
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
        """Let the worker make a run."""
        if self._connection is None:
            self._connection, worker_end = Pipe()
            self._process = Forked(worker_end)
            self._connection.send((sys.path, sys.argv, environment()))
            # the maker is already pickled, so its bytes are sent; the worker receives the object
            self._connection.send_bytes(self._maker)
        self.task = self.last = task
        self.logs = (self.logs - task.over) | {task.run.log}
        # reading a log has no time limit
        self._since = None
        # `hear` reports a worker that has died
        with suppress(OSError):
            self._connection.send(task)

    @property
    def connection(self) -> Connection:
        """The connection to the process."""
        assert self._connection is not None
        return self._connection

    def hear(self) -> tuple[Task, WorkerAnswer] | None:
        """Receive the worker's message; return its task and the result if the task ended."""
        assert self.task is not None
        task = self.task
        try:
            said = self.connection.recv()
        except (EOFError, OSError):
            self.task = None
            return task, WorkerAnswer(failed=f"its process {self._died()}", why="died")
        if isinstance(said, Began):
            self._since = time.monotonic()
            return None
        self.task = None
        return task, said

    def beyond(self, *, memory: float, seconds: float | None) -> tuple[Task, WorkerAnswer] | None:
        """End the worker if its run exceeds a limit, and return the answer."""
        assert self._process is not None
        if self.task is None:
            return None
        began = self._since
        if seconds is not None and began is not None and time.monotonic() - began > seconds:
            reason = f"took longer than its limit, {timespan(seconds)}"
            answer = WorkerAnswer(failed=reason, why="time")
        elif (taken := memory_of(self._process.id)) > memory:
            used, limit = f"{taken / _MEGABYTE:,.0f} MB", f"{memory / _MEGABYTE:,.0f} MB"
            answer = WorkerAnswer(
                failed=f"used {used} of memory; its limit is {limit}", why="memory"
            )
        else:
            return None
        task = self.task
        self.end()
        return task, answer

    def _died(self) -> str:
        """Return how the process ended."""
        assert self._process is not None
        code = self._process.exit_code()
        self._process = None
        self.end()
        if code is None:
            return "was ended"
        why = ": the system may have been out of memory" if code == -signal.SIGKILL else ""
        return f"ended by signal {-code}{why}" if code < 0 else f"ended with exit code {code}"

    def end(self) -> None:
        """Kill the worker's process."""
        if self._process is not None:
            self._process.kill()
        if self._connection is not None:
            self._connection.close()
        self.task = self._process = self._connection = None
        self.logs.clear()


class Workers:
    """A number of workers, as a context that ends them all.

    Parameters
    ----------
    maker
        Makes the runs; each worker gets a copy.
    number
        Number of workers.
    limits
        Limits of each run.
    """

    def __init__(self, maker: Makes, number: int, *, limits: Limits) -> None:
        pickled = pickle.dumps(maker)
        self._all = [Worker(pickled) for _ in range(number)]
        self._memory = limits.memory or SHARE * memory_of_machine() / number
        self._seconds = limits.seconds

    @classmethod
    def of(cls, campaign: Specification, number: int) -> Self:
        """Return workers that make the runs of a campaign."""
        return cls(Maker(campaign), number, limits=campaign.limits)

    @property
    def idle(self) -> list[Worker]:
        """The workers without a task."""
        return [worker for worker in self._all if worker.task is None]

    @property
    def busy(self) -> list[Worker]:
        """The workers with a task."""
        return [worker for worker in self._all if worker.task is not None]

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Wait for some time, and yield the tasks that ended, with their results."""
        heard = wait([worker.connection for worker in self.busy], timeout=PATIENCE)
        for worker in self.busy:
            if worker.connection in heard:
                ended = worker.hear()
            else:
                ended = worker.beyond(memory=self._memory, seconds=self._seconds)
            if ended is not None:
                yield ended

    def __enter__(self) -> Self:
        """Return the workers; processes start on demand."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Kill all workers."""
        self.end()

    def end(self) -> None:
        """Kill all workers."""
        for worker in self._all:
            worker.end()
