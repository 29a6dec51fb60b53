"""A team of Dask workers: each thread of theirs is given chunks of runs, one at a time.

A chunk is for a worker that is named, so that logs that were read are of use, and one that is lost
is noticed here and its runs are given to others. What the scheduler holds grows with the workers
alone, not with the runs.
"""

import asyncio
import concurrent.futures
import math
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Self

import msgspec

from pred_aware.campaign.cluster.crew import ANSWER, Made, connected, end_crew, make_chunk
from pred_aware.campaign.cluster.orders import WorkOrder
from pred_aware.campaign.making.dispatch import LOSSES
from pred_aware.campaign.making.workers import PATIENCE
from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.store import Store, written
from pred_aware.errors import PredAwareError
from predictors.failures import in_words

if TYPE_CHECKING:
    from distributed import Future

CHUNK = 10.0
"""A chunk is of at least so many seconds of runs, as soon as it is known what they take."""

AT_ONCE = 20.0
"""Of many workers so many ask for a chunk each second; then chunks are longer."""

LOOK = 2.0
"""How often it is looked which workers there are, in seconds."""

ALONE = 20.0
"""After so many seconds without a worker a warning says so."""


_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
"""What is raised for a result that will not come: the two have nothing in common, Dask has both."""


class Slot:
    """A thread of a Dask worker, which makes a chunk of runs at a time.

    Attributes
    ----------
    last : Task or None
        What it was given last.
    logs : set of int
        The logs that it has read.
    tasks : list of Task
        What it is making.
    future : Future or None
        What will have the answers.
    """

    def __init__(self, address: str, send: "Callable[[Slot, Sequence[Task]], Future]") -> None:
        self.address = address
        self.last: Task | None = None
        self.logs: set[int] = set()
        self.tasks: list[Task] = []
        self.future: Future | None = None
        self._send = send

    def give(self, tasks: Sequence[Task]) -> None:
        """Let it make a chunk of runs."""
        self.tasks = list(tasks)
        self.last = tasks[-1]
        self.logs = (self.logs - self.last.over) | {self.last.run.log}
        self.future = self._send(self, tasks)

    def free(self) -> list[Task]:
        """Let it be idle again, and return what it was making."""
        tasks, self.tasks, self.future = self.tasks, [], None
        return tasks


class DaskTeam:
    """All workers of a Dask scheduler, a context: takes up those that come, lets go those lost.

    Parameters
    ----------
    address
        The scheduler's.
    order
        What the workers are told of the campaign.
    tend
        Called now and then with the addresses of the workers: who has started them may see to it
        that those that were lost come again.

    Raises
    ------
    PredAwareError
        No scheduler answers, the store can't be written; later, a worker is of another version or
        does not see the store, or the scheduler is gone.
    """

    def __init__(
        self, address: str, order: WorkOrder, *, tend: Callable[[set[str]], None] | None = None
    ) -> None:
        self._address = address
        self._order = order
        self._tend = tend or (lambda _: None)
        self._slots: list[Slot] = []
        self._done: SimpleQueue[tuple[Slot, Future]] = SimpleQueue()
        self._looked = self._alone_since = monotonic()
        self._folder = Store(order.campaign.store).temporary("dask")
        self._number = 0

    @property
    def chunk(self) -> float:
        """How many seconds of runs each is given at once."""
        return max(CHUNK, len(self._slots) / AT_ONCE)

    @property
    def idle(self) -> list[Slot]:
        """The workers without work."""
        return [slot for slot in self._slots if slot.future is None]

    @property
    def busy(self) -> list[Slot]:
        """Those that make something."""
        return [slot for slot in self._slots if slot.future is not None]

    @property
    def making(self) -> int:
        """How many runs they are making."""
        return sum(len(slot.tasks) for slot in self._slots)

    def __enter__(self) -> Self:
        """Connect, and write what the workers are told."""
        self._client = connected(self._address)
        try:
            with written(self._order.campaign.store):
                self._folder.mkdir()
                self._order.write(self._folder)
            self._look()
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        """End what was begun; a run that is being made is lost."""
        self._leave()

    def _leave(self) -> None:
        # workers that can't be reached see by it that nobody wants runs any more
        shutil.rmtree(self._folder, ignore_errors=True)
        # whatever becomes of the connection, it is not needed any more
        with suppress(Exception):
            if self._client.status == "running":
                self._client.cancel([slot.future for slot in self.busy], force=True)
                self._client.run(end_crew, str(self._folder), on_error="ignore")
        with suppress(Exception):
            self._client.close(timeout=PATIENCE)

    def wait(self) -> list[tuple[Task, WorkerAnswer]]:
        """Wait a while, and return what became of tasks meanwhile.

        Raises
        ------
        PredAwareError
            A worker can't make runs of this campaign, or the scheduler is gone.
        """
        done = []
        with suppress(Empty):
            done.append(self._done.get(timeout=PATIENCE))
            while True:
                done.append(self._done.get_nowait())
        # others were let go
        ended = [slot for slot, future in done if slot.future is future]
        with self._reachable():
            answers = [answer for slot in ended for answer in self._answers(slot)]
            if monotonic() - self._looked > LOOK:
                answers += self._look()
        return answers

    def _answers(self, slot: Slot) -> Made:
        """Return what became of a chunk."""
        future = slot.future
        assert future is not None
        if future.status == "finished":
            # the result of one that is lost meanwhile would never come
            with suppress(TimeoutError, *_CANCELLED):
                made: Made = future.result(timeout=ANSWER)
                slot.free()
                return made
        elif future.status == "error":
            error = future.exception()
            if isinstance(error, PredAwareError):
                raise error
            if type(error).__module__.startswith("distributed"):
                return self._lost(slot)
            raise PredAwareError(
                f"the Dask worker at {slot.address} can't make runs: {in_words(error)}; start it "
                "with the Python of an environment that has this pred-aware"
            ) from error
        return self._lost(slot)

    def _lost(self, slot: Slot) -> Made:
        """Say of all that a slot was making that it was lost."""
        self._client.cancel([slot.future], force=True)
        lost = WorkerAnswer(
            failed=f"the Dask workers that made it were lost {LOSSES} times", why="lost"
        )
        return [(task, lost) for task in slot.free()]

    def _look(self) -> Made:
        """Take up workers that have come; return what those were making that are lost."""
        self._looked = monotonic()
        threads = self._workers()
        self._tend(set(threads))
        answers = []
        for slot in [slot for slot in self._slots if slot.address not in threads]:
            self._slots.remove(slot)
            answers += self._lost(slot)
        known = {slot.address for slot in self._slots}
        for address, number in threads.items():
            if address not in known:
                self._slots += [Slot(address, self._send) for _ in range(number)]
        if threads:
            self._alone_since = monotonic()
        elif monotonic() - self._alone_since > ALONE:
            self._alone_since = math.inf
            warnings.warn(f"there is no worker at {self._address} yet; it waits", stacklevel=2)
        return answers

    def _workers(self) -> dict[str, int]:
        """Return how many threads each worker has.

        Raises
        ------
        PredAwareError
            The scheduler is gone.
        """
        if self._client.status == "running":
            with suppress(OSError, TimeoutError, *_CANCELLED):
                return dict(self._client.nthreads())
        raise self._gone()

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        """Say that the scheduler is gone where what is asked of it shows that."""
        from distributed.client import ClosedClientError

        try:
            yield
        except (OSError, ClosedClientError, *_CANCELLED) as error:
            raise self._gone() from error

    def _gone(self) -> PredAwareError:
        """Make the error that says that the scheduler is gone."""
        return PredAwareError(
            f"the Dask scheduler at {self._address} is gone; what was made is in "
            f"{self._order.campaign.store}, and `pred-aware campaign run` goes on from there"
        )

    def _send(self, slot: Slot, tasks: Sequence[Task]) -> "Future":
        self._number += 1
        with self._reachable():
            future = self._client.submit(
                make_chunk,
                str(self._folder),
                msgspec.json.encode(tasks),
                key=f"{self._folder.name}-{self._number}",
                workers=[slot.address],
                pure=False,
            )
        future.add_done_callback(lambda done: self._done.put((slot, done)))
        return future
