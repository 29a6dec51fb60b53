"""The contract of objects that make runs, and a team that has only this process."""

from collections.abc import Callable, Iterator
from typing import Protocol, Self

from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.store import StoreError
from pred_aware.errors import USER_ERRORS
from predictors.errors import in_words, place

Ended = Callable[[int, int], None]
"""Called at intervals with the numbers of ended jobs and of all jobs of a simulation."""


class Makes(Protocol):
    """Makes the runs of tasks. Each worker process gets its own copy of this object.

    `pred_aware.campaign.making.run_maker.Maker` makes a campaign's runs.
    """

    def inputs(self, log: int) -> object:
        """Read a log, unless it was read before."""

    def forget(self, log: int) -> None:
        """Drop a log that is no longer needed."""

    def answer(self, task: Task, *, progress: Ended | None = None) -> WorkerAnswer:
        """Make a task's run."""


def answer(
    maker: Makes,
    task: Task,
    *,
    began: Callable[[], None] = lambda: None,
    progress: Ended | None = None,
) -> WorkerAnswer:
    """Do a task. Return an error of the run as an answer, but raise a defect of pred-aware.

    Parameters
    ----------
    maker, task
        The maker and the task.
    began
        Called when the log has been read.
    progress
        As in `pred_aware.simulate`; an exception from it ends the task.
    """
    for log in task.over:
        maker.forget(log)
    try:
        maker.inputs(task.run.log)
    except (*USER_ERRORS, MemoryError) as error:
        memory = isinstance(error, MemoryError)
        reason = "out of memory while reading it" if memory else str(error)
        return WorkerAnswer(failed=reason, why="log")
    began()
    try:
        return maker.answer(task, progress=progress)
    except StoreError as error:
        return WorkerAnswer(failed=str(error), why="store")
    except USER_ERRORS as error:
        said, where = str(error), "" if error.__cause__ is None else place(error.__cause__)
        return WorkerAnswer(failed=said if where in said else f"{said}{where}")
    except MemoryError:
        return WorkerAnswer(failed="out of memory", why="memory")
    except Exception as error:
        # a defect of pred-aware ends this process with a traceback; an error in a user's own part
        # belongs to the run
        if not place(error):
            raise
        return WorkerAnswer(failed=in_words(error))


class InProcess:
    """A team without other processes, as a context manager. `wait` performs the task itself.

    Parameters
    ----------
    maker
        Makes the runs.
    progress
        As in `pred_aware.simulate`; an exception from it ends the current run.
    """

    def __init__(self, maker: Makes, *, progress: Ended | None = None) -> None:
        self.last: Task | None = None
        self.logs: set[int] = set()
        self._maker = maker
        self._progress = progress
        self._task: Task | None = None

    @property
    def idle(self) -> list[Self]:
        """The team itself if it has no task."""
        return [self] if self._task is None else []

    @property
    def busy(self) -> list[Self]:
        """The team itself if it has a task."""
        return [] if self._task is None else [self]

    def give(self, task: Task) -> None:
        """Take a task."""
        self._task = self.last = task
        self.logs = (self.logs - task.over) | {task.run.log}

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Do the task, if any, and yield its result."""
        task, self._task = self._task, None
        if task is not None:
            yield task, answer(self._maker, task, progress=self._progress)

    def __enter__(self) -> Self:
        """Return the team."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Drop an unfinished task."""
        self._task = None
