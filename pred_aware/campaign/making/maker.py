"""Making runs of tasks, and a team of this process alone that does."""

from collections.abc import Callable, Iterator
from typing import Protocol, Self

from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.store import StoreError
from pred_aware.errors import USER_ERRORS
from predictors.failures import in_words, place

Ended = Callable[[int, int], None]
"""Told now and then how many jobs of a simulation have ended, and of how many."""


class Makes(Protocol):
    """Makes what tasks ask for; a worker that is a process gets a copy of its own.

    `pred_aware.campaign.making.run_maker.Maker` makes a campaign's runs.
    """

    def inputs(self, log: int) -> object:
        """Read a log, if it was not."""

    def forget(self, log: int) -> None:
        """Let a log go that is not needed any more."""

    def answer(self, task: Task, *, progress: Ended | None = None) -> WorkerAnswer:
        """Make it."""


def answer(
    maker: Makes,
    task: Task,
    *,
    began: Callable[[], None] = lambda: None,
    progress: Ended | None = None,
) -> WorkerAnswer:
    """Do a task; what goes wrong with it becomes an answer, and a defect of ours is raised.

    Parameters
    ----------
    maker, task
        Who does it, and what.
    began
        Called when the log was read.
    progress
        As for `pred_aware.simulate`; what it raises ends the task.
    """
    for log in task.over:
        maker.forget(log)
    unread = _read(maker, task.run.log)
    if unread is not None:
        return unread
    began()
    try:
        return maker.answer(task, progress=progress)
    except StoreError as error:
        return WorkerAnswer(failed=str(error), why="store")
    except USER_ERRORS as error:
        return WorkerAnswer(failed=_with_place(error))
    except MemoryError:
        return WorkerAnswer(failed="there was no more memory", why="memory")
    except Exception as error:
        # a defect of ours shows its traceback and ends this process; one in somebody's own part is
        # the run's
        if not place(error):
            raise
        return WorkerAnswer(failed=in_words(error))


def _read(maker: Makes, log: int) -> WorkerAnswer | None:
    """Read a log; answer if that fails."""
    try:
        maker.inputs(log)
    except USER_ERRORS as error:
        return WorkerAnswer(failed=str(error), why="log")
    except MemoryError:
        return WorkerAnswer(failed="there was no more memory to read it", why="log")
    return None


def _with_place(error: Exception) -> str:
    where = "" if error.__cause__ is None else place(error.__cause__)
    said = str(error)
    return said if where in said else f"{said}{where}"


class InProcess:
    """A team of this process alone, a context: a task is done when it is waited for.

    Parameters
    ----------
    maker
        What it makes runs with.
    progress
        As for `pred_aware.simulate`; what it raises ends what is being made.
    """

    def __init__(self, maker: Makes, *, progress: Ended | None = None) -> None:
        self.last: Task | None = None
        self.logs: set[int] = set()
        self._maker = maker
        self._progress = progress
        self._task: Task | None = None

    @property
    def idle(self) -> list[Self]:
        """Itself, where it has nothing to do."""
        return [self] if self._task is None else []

    @property
    def busy(self) -> list[Self]:
        """Itself, where it has something to do."""
        return [] if self._task is None else [self]

    def give(self, task: Task) -> None:
        """Let it make a run."""
        self._task = self.last = task
        self.logs = (self.logs - task.over) | {task.run.log}

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Do what there is to do, and yield what became of it."""
        task, self._task = self._task, None
        if task is not None:
            yield task, answer(self._maker, task, progress=self._progress)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Forget what was not done."""
        self._task = None
