"""A team of Dask workers: Dask gives them the runs, and tries those of lost workers again."""

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
from predictors.failures import in_words
from workload_tools.errors import installs

if TYPE_CHECKING:
    from distributed import Client, Future

ANSWER = 15.0
"""How long a scheduler may take to answer, in seconds."""

LOOK = 2.0
"""How often the number of workers is looked up, in seconds."""

ALONE = 60.0
"""After so many seconds without a worker a warning says so."""

AHEAD = 2
"""The scheduler has so many runs for each thread of its workers."""

DASK_MISSING = f"this needs Dask, which is not installed; add it with: {installs('cluster')}"


class DaskTeam:
    """The workers of a Dask scheduler, a context: those that come later make runs, too.

    Parameters
    ----------
    client
        The connection to the scheduler.
    inventory
        The campaign.
    memory
        Bytes that each run may take, if the campaign does not say; ``None`` for a worker's limit,
        shared by its threads.

    Attributes
    ----------
    last : Task or None
        The run that was given last.
    logs : set of int
        Empty: each worker knows itself which logs it has read.

    Raises
    ------
    PredAwareError
        The store can't be written; later, a worker is of another version or does not see the
        store, or the scheduler is gone.
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
        """Itself, as often as it takes another run."""
        return [self] * max(0, AHEAD * max(1, self._threads) - len(self._tasks))

    @property
    def busy(self) -> list[Self]:
        """Itself, as often as it has a run."""
        return [self] * len(self._tasks)

    def __enter__(self) -> Self:
        """Write what the workers have to know."""
        store = self._inventory.store
        with written(store.folder):
            write_order(self._order, self._inventory.specification, memory=self._memory)
        self._look()
        return self

    def __exit__(self, *_error: object) -> None:
        """End what was begun; the workers see within a second that nobody wants it."""
        self._order.unlink(missing_ok=True)
        # the scheduler may be gone
        with suppress(Exception):
            if self._client.status == "running":
                self._client.cancel([*self._tasks], force=True)
                self._client.run(end_processes, str(self._order), on_error="ignore")

    def give(self, task: Task) -> None:
        """Let the scheduler have a run made."""
        self.last = task
        future = self._client.submit(
            make_run, str(self._order), dumps(task), key=f"{self._order.name}-{task.digest}"
        )
        self._tasks[future] = task
        future.add_done_callback(self._ended.put)

    def wait(self) -> Iterator[tuple[Task, WorkerAnswer]]:
        """Wait a while, and yield what became of runs meanwhile.

        Raises
        ------
        PredAwareError
            A worker can't make runs of this campaign, or the scheduler is gone.
        """
        with suppress(Empty):
            future = self._ended.get(timeout=PATIENCE)
            while True:
                answer = self._answer(future)
                yield self._tasks.pop(future), answer
                future = self._ended.get_nowait()
        self._look()

    def _answer(self, future: "Future") -> WorkerAnswer:
        """Return what became of a run."""
        from distributed import KilledWorker

        try:
            answer: WorkerAnswer = future.result()
        except PredAwareError:
            raise
        except KilledWorker as error:
            times = error.allowed_failures + 1
            lost = f"the Dask workers that made it were lost {times} times"
            return WorkerAnswer(failed=lost, why="died")
        except (CancelledError, asyncio.CancelledError, OSError) as error:
            raise self._gone() from error
        except Exception as error:
            raise PredAwareError(
                f"a Dask worker can't make runs: {in_words(error)}; start it with the Python of an "
                "environment that has this pred-aware"
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
            where = f"; the jobs log to {logs}" if logs.exists() else ""
            warnings.warn(f"the Dask scheduler has no worker; it waits{where}", stacklevel=2)

    def _gone(self) -> PredAwareError:
        """Make the error that says that the scheduler is gone."""
        return PredAwareError(
            f"the Dask scheduler is gone; what was made is in {self._inventory.store.folder}, and "
            "`pred-aware campaign run` goes on from there"
        )


@contextmanager
def connected(address: str) -> "Iterator[Client]":
    """Connect to a Dask scheduler.

    Raises
    ------
    PredAwareError
        None answers, or Dask is not installed.
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
            f"no Dask scheduler answers at {address}: {in_words(error)}; `dask scheduler` says its "
            "address when it begins"
        ) from error
    # tasks of Dask's own go on waiting for the results of lost workers
    client.loop.asyncio_loop.set_exception_handler(lambda _loop, _context: None)
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=PATIENCE)


def silence() -> None:
    """Let Dask log nothing: what matters of it becomes one line of ours."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
