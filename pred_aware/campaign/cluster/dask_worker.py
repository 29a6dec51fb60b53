"""Making a run in a Dask worker: by a process beside it, which can be ended.

A simulation in a thread of the Dask worker would keep the worker from answering its scheduler, and
nothing could end a run that takes too much.
"""

import pickle
import socket
import sys
import threading
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.reading import located
from pred_aware.campaign.specification import Limits, Specification
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.version import __version__

_LOCK = threading.Lock()
_IDLE: dict[str, list[Workers]] = {}
"""Processes that have read logs and wait for the next run, by the file of the order."""


def write_order(file: Path, campaign: Specification, *, memory: float | None) -> None:
    """Write what Dask workers have to know of a campaign into a file of its store.

    Parameters
    ----------
    file
        A worker that can read it sees the store.
    campaign
        The campaign.
    memory
        Bytes that each run may take, if the campaign does not say; ``None`` for the worker's.

    Raises
    ------
    OSError
        It can't be written.
    """
    here = Path.cwd()
    given = [one for one in (campaign.limits.memory, memory) if one is not None]
    everywhere = replace(
        campaign,
        store=campaign.store.absolute(),
        logs=tuple(
            replace(log, file=log.file.absolute(), platform=log.platform and here / log.platform)
            for log in campaign.logs
        ),
        policies=tuple(
            replace(one, options=located(one.options, here)) for one in campaign.policies
        ),
        limits=Limits(min(given, default=None), campaign.limits.seconds),
    )
    path = [str(here / entry) for entry in sys.path]
    # the version comes first: another one can't read the rest
    file.write_bytes(pickle.dumps(_versions()) + pickle.dumps(path) + pickle.dumps(everywhere))


def make_run(order: str, task: bytes) -> WorkerAnswer | None:
    """Make a run in this Dask worker; nothing if the run is not wanted any more.

    Parameters
    ----------
    order
        The file that `write_order` has written.
    task
        The run, pickled.

    Raises
    ------
    PredAwareError
        This worker can't make it: it is of another version, does not see the store, or its log,
        policy or libraries are others.
    """
    try:
        with _LOCK:
            inventory = _inventory(order)
            wanted: Task = pickle.loads(task)  # noqa: S301 - of our own client
            _check(inventory, wanted)
        if inventory.is_there(wanted.digest):
            # a worker that was lost has made it
            return WorkerAnswer(inventory.figures(wanted.digest))
        return _made(order, inventory.specification, wanted)
    except USER_ERRORS as error:
        # some errors can't be sent as they are
        raise PredAwareError(str(error)) from error


def end_processes(order: str) -> None:
    """End the processes of a campaign that wait in this Dask worker."""
    with _LOCK:
        for team in _IDLE.pop(order, []):
            team.end()


def _made(order: str, campaign: Specification, task: Task) -> WorkerAnswer | None:
    """Make a run by a process beside this one, for as long as Dask wants it."""
    from distributed import get_worker

    dask = get_worker()
    key = dask.get_current_task()
    with _LOCK:
        idle = _IDLE.setdefault(order, [])
        team = idle.pop() if idle else Workers.of(_limited(campaign), 1)
    with ExitStack() as ended:
        ended.enter_context(team)
        (process,) = team.idle
        process.give(replace(task, over=frozenset(process.logs) - {task.run.log}))
        # what nobody wants any more is cancelled
        while (state := dask.state.tasks.get(key)) and state.state == "executing":
            for _, answer in team.wait():
                with _LOCK:
                    if order in _IDLE:
                        _IDLE[order].append(team)
                        ended.pop_all()
                return answer
    return None


def _limited(campaign: Specification) -> Specification:
    """Return a campaign with the memory of a run as this Dask worker has it, if none is set."""
    from distributed import get_worker

    worker = get_worker()
    limits, memory = campaign.limits, worker.memory_manager.memory_limit
    if limits.memory is None and memory is not None:
        limits = Limits(memory / worker.state.nthreads, limits.seconds)
    return replace(campaign, limits=limits)


@lru_cache(maxsize=1)
def _inventory(order: str) -> Inventory:
    """Read what this worker has to know of a campaign.

    Raises
    ------
    PredAwareError
        It is not there, or of another version of pred-aware or of Python.
    """
    here = socket.gethostname()
    for other in [*_IDLE]:
        # of a campaign that was killed, or that waits while this one begins
        for team in _IDLE.pop(other):
            team.end()
    try:
        with Path(order).open("rb") as file:
            theirs, ours = pickle.load(file), _versions()  # noqa: S301 - of our own client
            if theirs != ours:
                raise PredAwareError(
                    f"{here} has {ours} ({sys.executable}), and the campaign was begun with "
                    f"{theirs}; name one environment for all"
                )
            path, campaign = pickle.load(file), pickle.load(file)  # noqa: S301
    except OSError as error:
        raise PredAwareError(
            f"{order}: can't be read on {here}: {error.strerror}; the store must stand on a folder "
            "that all machines share under one name"
        ) from error
    # modules of the user's own are found; those of this environment come first
    sys.path += [one for one in path if one not in sys.path]
    return Inventory(campaign)


def _versions() -> str:
    return f"pred-aware {__version__} under Python {sys.version_info[0]}.{sys.version_info[1]}"


def _check(inventory: Inventory, task: Task) -> None:
    """See that a run would be the one that is wanted.

    Raises
    ------
    PredAwareError
        Its log or policy is another one here, or computes with other libraries.
    """
    if inventory.digest(task.run) != task.digest:
        reason = inventory.unreadable.get(inventory.specification.logs[task.run.log].name)
        raise PredAwareError(
            reason
            or f"{inventory.told(task.run)}: on {socket.gethostname()} the log, the policy or the "
            "libraries are not those of the campaign; give all machines the same files and the "
            "same environment, and run the campaign again"
        )
