"""A team of Dask workers. Dask distributes the runs, and repeats those of lost workers."""

import asyncio
import logging
import math
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pickle import dumps
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Self

from pred_aware.campaign.cluster.dask_worker import end_processes, make_run, write_order
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.workers import PATIENCE
from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.store import written
from pred_aware.errors import PredAwareError
from predictors.errors import in_words
from workload_tools.errors import installs

if TYPE_CHECKING:
    from distributed import Client, Future

ANSWER = 15.0
"""Longest time for an answer of the scheduler, in seconds."""

LOOK = 2.0
"""Interval between counts of the workers, in seconds."""

ALONE = 60.0
"""Seconds without a worker before a warning."""

AHEAD = 2
"""Number of unfinished runs that the Dask scheduler gets for each thread of its workers."""

DASK_MISSING = f"this needs Dask, which is not installed; install it with: {installs('cluster')}"


class DaskTeam:
    """The workers of a Dask scheduler, as a context; workers that join later make runs too.

    Parameters
    ----------
    client
        The connection to the scheduler.
    inventory
        The campaign.
    memory
        Memory limit of each run in bytes, if the campaign has no limit. ``None`` for the worker's
        limit divided by its number of threads.

    Attributes
    ----------
    last : Task or None
        The run that was submitted last.
    logs : set of int
        Empty: each worker knows which logs it has read.

    Raises
    ------
    PredAwareError
        The store cannot be written. During the runs: a worker has another version or cannot read
        the store, or the scheduler is gone.
    """

    def __init__(
        self, client: "Client", inventory: Inventory, *, memory: float | None = None
    ) -> None:
        self.last: Task | None = None
        self.logs: set[int] = set()
        self._client = client
        self._inventory = inventory
        self._memory = memory
        self._order = inventory.store.temporary("dask").absolute()
        self._tasks: dict[Future, Task] = {}
        self._ended: SimpleQueue[Future] = SimpleQueue()
        self._threads = 0
        self._looked = -math.inf
        self._alone_since = monotonic()

    @property
    def idle(self) -> list[Self]:
        """A list that has the team once for each further run that it can accept."""
        return [self] * max(0, AHEAD * max(1, self._threads) - len(self._tasks))

    @property
    def busy(self) -> list[Self]:
        """A list that has the team once for each current run."""
        return [self] * len(self._tasks)

    def __enter__(self) -> Self:
        """Write the order file for the workers."""
        store = self._inventory.store
        with written(store.folder):
            write_order(self._order, self._inventory.specification, memory=self._memory)
        self._look()
        return self

    def __exit__(self, *_error: object) -> None:
        """Cancel current runs; the workers notice this within a second."""
        self._order.unlink(missing_ok=True)
        # the Dask scheduler may have ended already
        with suppress(Exception):
            if self._client.status == "running":
                self._client.cancel([*self._tasks], force=True)
                self._client.run(end_processes, str(self._order), on_error="ignore")

    def give(self, task: Task) -> None:
        """Submit a run to the scheduler."""
        self.last = task
        future = self._client.submit(
            make_run, str(self._order), dumps(task), key=f"{self._order.name}-{task.digest}"
        )
        self._tasks[future] = task
        future.add_done_callback(self._ended.put)

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Wait for some time, and yield the runs that ended, with their results.

        Raises
        ------
        PredAwareError
            A worker cannot make runs of this campaign, or the scheduler is gone.
        """
        with suppress(Empty):
            future = self._ended.get(timeout=PATIENCE)
            while True:
                answer = self._answer(future)
                yield self._tasks.pop(future), answer
                future = self._ended.get_nowait()
        self._look()

    def _answer(self, future: "Future") -> WorkerAnswer:
        """Return the result of a run."""
        from distributed import KilledWorker

        try:
            answer: WorkerAnswer = future.result()
        except PredAwareError:
            raise
        except KilledWorker as error:
            times = error.allowed_failures + 1
            lost = f"its Dask workers were lost {times} times"
            return WorkerAnswer(failed=lost, why="died")
        except (CancelledError, asyncio.CancelledError, OSError) as error:
            raise self._gone() from error
        except Exception as error:
            raise PredAwareError(
                f"a Dask worker cannot run: {in_words(error)}; start it with the Python of an "
                "environment with this version of pred-aware"
            ) from error
        return answer

    def _look(self) -> None:
        """Count the workers' threads.

        Raises
        ------
        PredAwareError
            The scheduler is gone.
        """
        if self._client.status != "running":
            raise self._gone()
        now = monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        try:
            self._threads = sum(self._client.nthreads().values())
        except (CancelledError, asyncio.CancelledError, OSError, ValueError) as error:
            raise self._gone() from error
        if self._threads:
            self._alone_since = now
        elif now - self._alone_since > ALONE:
            self._alone_since = math.inf
            logs = self._inventory.store.jobs
            where = f"; the logs of the jobs are in {logs}" if logs.exists() else ""
            warnings.warn(f"waiting: the Dask scheduler has no worker{where}", stacklevel=2)

    def _gone(self) -> PredAwareError:
        return PredAwareError(
            f"the Dask scheduler is gone; finished runs are in {self._inventory.store.folder}, and "
            "`pred-aware campaign run` continues with the others"
        )


@contextmanager
def connected(address: str) -> "Iterator[Client]":
    """Connect to a Dask scheduler.

    Raises
    ------
    PredAwareError
        No scheduler answers, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise PredAwareError(DASK_MISSING) from error
    silence()
    try:
        client = Client(address, timeout=ANSWER, set_as_default=False, name="pred-aware")
    except (OSError, TimeoutError, ValueError) as error:
        raise PredAwareError(
            f"no Dask scheduler answers at {address}: {in_words(error)}; `dask scheduler` prints "
            "its "
            "address when it starts"
        ) from error
    # no messages about Dask's own tasks that wait for the results of lost workers
    client.loop.asyncio_loop.set_exception_handler(lambda _loop, _context: None)
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=PATIENCE)


def silence() -> None:
    """Switch off Dask's log; important errors become messages of pred-aware."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
