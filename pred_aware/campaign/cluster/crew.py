"""Making runs in a Dask worker: by processes of ours beside it, which it starts and ends.

What simulates is no thread of the Dask worker: that would keep it from saying that it is alive, and
nothing could end a run that takes too much.
"""

import logging
from typing import TYPE_CHECKING

import msgspec

from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.errors import PredAwareError
from predictors.failures import in_words

if TYPE_CHECKING:
    from distributed import Client


import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pred_aware.campaign.cluster.orders import add_to_path, read_order
from pred_aware.campaign.cluster.shares import check_tasks
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.specification import Limits
from pred_aware.errors import USER_ERRORS

Made = list[tuple[Task, WorkerAnswer]]

_LOCK = threading.Lock()
_CREWS: dict[str, "Crew"] = {}


class Crew:
    """The processes of a Dask worker that make runs of a campaign: one for each of its threads.

    Parameters
    ----------
    folder
        Where the order is.
    memory
        Bytes that each run may take if the order does not say; ``None`` for the machine's.

    Raises
    ------
    PredAwareError
        The order can't be read here, or is of another version.
    """

    def __init__(self, folder: Path, memory: float | None) -> None:
        order = read_order(folder)
        add_to_path(order)
        limits = order.campaign.limits
        told = Limits(limits.memory or memory, limits.seconds)
        self._inventory = Inventory(replace(order.campaign, limits=told))
        self._folder = folder
        self._idle: list[Workers] = []
        self._end = threading.Event()

    def make(self, tasks: list[Task]) -> Made:
        """Make runs, unless it is ended meanwhile or nobody wants them any more.

        Raises
        ------
        PredAwareError
            They would not be the ones that are wanted.
        """
        with _LOCK:
            check_tasks(self._inventory, tasks)
            team = self._idle.pop() if self._idle else Workers.of(self._inventory.specification, 1)
        made: Made = []
        with ExitStack() as ended:
            ended.enter_context(team)
            for task in tasks:
                # who wants them takes the folder away
                if not self._folder.exists():
                    return made
                team.idle[0].give([task])
                while team.making:
                    made += team.wait()
                    if self._end.is_set():
                        return made
            with _LOCK:
                if not self._end.is_set():
                    self._idle.append(team)
                    ended.pop_all()
        return made

    def end(self) -> None:
        """End all processes, those that make something soon."""
        with _LOCK:
            self._end.set()
            for team in self._idle:
                team.end()
            self._idle.clear()


def make_chunk(folder: str, tasks: bytes) -> Made:
    """Make runs in the Dask worker that is asked.

    Parameters
    ----------
    folder
        Where the order is.
    tasks
        Which runs, as JSON.

    Raises
    ------
    PredAwareError
        This Dask worker can't make them: it is of another version, or does not see the store.
    """
    try:
        with _LOCK:
            if folder not in _CREWS:
                _CREWS[folder] = Crew(Path(folder), _memory_of_a_run())
            crew = _CREWS[folder]
        return crew.make(msgspec.json.decode(tasks, type=list[Task]))
    except USER_ERRORS as error:
        # some errors can't be sent as they are
        raise PredAwareError(str(error)) from error


def end_crew(folder: str) -> None:
    """End what a campaign has begun in the Dask worker that is asked."""
    crew = _CREWS.pop(folder, None)
    if crew is not None:
        crew.end()


def _memory_of_a_run() -> float | None:
    """Return what a run may take of the memory that the Dask worker was given."""
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    return None if limit is None else float(limit) / worker.state.nthreads


def connected(address: str) -> "Client":
    """Connect to a Dask scheduler.

    Raises
    ------
    PredAwareError
        None answers, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise needed() from error
    # what it says of lost connections is said by us, in one line
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=ANSWER, set_as_default=False, name="pred-aware")
    except (OSError, TimeoutError, ValueError) as error:
        raise PredAwareError(
            f"no Dask scheduler answers at {address}: {in_words(error)}; `dask scheduler` says its "
            "address when it begins"
        ) from error
    # so are the results of lost workers, for which its own tasks go on waiting
    client.loop.asyncio_loop.set_exception_handler(lambda _loop, _context: None)
    return client


def needed() -> PredAwareError:
    """Make the error that says what to install."""
    return PredAwareError(
        "this needs Dask, which is not installed; add it with: pip install 'pred-aware[cluster]'"
    )


ANSWER = 15.0
"""How long a scheduler may take to answer, in seconds."""
