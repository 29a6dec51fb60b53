"""A team without processes of its own: for short logs, and for what can't be sent to others."""

from collections.abc import Iterator, Sequence
from typing import Self

from pred_aware.campaign.making.maker import Ended, Makes, answer
from pred_aware.campaign.messages import Task, WorkerAnswer


class InProcess:
    """A team of this process alone, a context: a task is done when it is waited for.

    Parameters
    ----------
    maker
        What it makes runs with.
    progress
        As for `pred_aware.simulate`; what it raises ends what is being made.
    """

    chunk = 0.0

    def __init__(self, maker: Makes, *, progress: Ended | None = None) -> None:
        self.last: Task | None = None
        self.logs: set[int] = set()
        self._maker = maker
        self._progress = progress
        self._tasks: list[Task] = []

    @property
    def idle(self) -> list[Self]:
        """Itself, where it has nothing to do."""
        return [] if self._tasks else [self]

    @property
    def busy(self) -> list[Self]:
        """Itself, where it has something to do."""
        return [self] if self._tasks else []

    @property
    def making(self) -> int:
        """How many runs it has to make."""
        return len(self._tasks)

    def give(self, tasks: Sequence[Task]) -> None:
        """Let it make a run."""
        self._tasks = [*tasks]
        self.last = self._tasks[-1]
        self.logs = (self.logs - self.last.over) | {self.last.run.log}

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Do what there is to do, and yield what became of it."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            yield task, answer(self._maker, task, progress=self._progress)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Forget what was not done."""
        self._tasks = []
