"""Something that a study makes in a process beside its own, while it does something else.

One process makes one thing after the other, and runs of shakes in the end: what takes seconds to
load is loaded once.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pred_aware.campaign.making.workers import Worker
from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.run_key import RunKey
from pred_aware.errors import PredAwareError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Makes:
    """What the process has to do; `pred_aware.campaign.making.maker.Makes` is one."""

    make: Callable[[], Any]

    def inputs(self, log: int) -> None:
        """Read nothing before."""

    def forget(self, log: int) -> None:
        """Keep nothing."""

    def answer(self, task: Task, *, progress: object = None) -> WorkerAnswer:
        """Make it."""
        return WorkerAnswer(value=self.make())


class BackgroundTask(Generic[T]):
    """What is being made.

    Parameters
    ----------
    make
        Makes it; sent to the process.
    worker
        The process, which makes nothing else now.
    what
        What that is, for who reads that it failed.
    """

    def __init__(self, make: Callable[[], T], worker: Worker, *, what: str) -> None:
        self._what = what
        self._answer: WorkerAnswer | None = None
        self._worker = worker
        self._worker.make_with(pickle.dumps(_Makes(make)))
        self._worker.give(Task(RunKey(0, 0), "", runs=1))

    def is_over(self, seconds: float | None = 0.0) -> bool:
        """Say whether it is made, or can't be; wait so long for that, ``None``: as it takes."""
        while self._answer is None and self._worker.connection.poll(seconds):
            heard = self._worker.hear()
            if heard is not None:
                _, self._answer = heard
        return self._answer is not None

    def get(self) -> T:
        """Wait for it, and return it.

        Raises
        ------
        PredAwareError
            It can't be made.
        """
        self.is_over(None)
        assert self._answer is not None
        if self._answer.failed is not None:
            raise PredAwareError(f"{self._what}: {self._answer.failed}")
        made: T = self._answer.value
        return made

    def end(self) -> None:
        """End the process if it still makes it."""
        if not self.is_over():
            self._worker.end()


@contextmanager
def in_worker(
    make: Callable[[], T], worker: Worker | None, *, what: str
) -> Iterator[BackgroundTask[T] | None]:
    """Make something beside this process for as long as the block lasts, if there is another."""
    if worker is None:
        yield None
        return
    being_made = BackgroundTask(make, worker, what=what)
    try:
        yield being_made
    finally:
        being_made.end()
