"""A run in a Dask worker, made by a separate process that can be ended.

A simulation in a thread would keep the worker from answering its scheduler, and could not be ended
when it exceeds its limits.
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
"""Idle worker processes that have read logs, by order file."""


def write_order(file: Path, campaign: Specification, *, memory: float | None) -> None:
    """Write an order file, from which Dask workers read the campaign, into the store.

    Parameters
    ----------
    file
        The order file. A worker that can read it has access to the store.
    campaign
        The campaign.
    memory
        Memory limit of each run in bytes, if the campaign has no limit; ``None`` for the worker's
        limit.

    Raises
    ------
    OSError
        The file cannot be written.
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
    # the version comes first, because other versions cannot read the rest
    file.write_bytes(pickle.dumps(_versions()) + pickle.dumps(path) + pickle.dumps(everywhere))


def make_run(order: str, task: bytes) -> WorkerAnswer | None:
    """Make a run in this Dask worker; return None if the run was cancelled.

    Parameters
    ----------
    order
        The order file of `write_order`.
    task
        The run, pickled.

    Raises
    ------
    PredAwareError
        This worker cannot make the run: it has another version, does not see the store, or its log,
        policy or libraries differ.
    """
    try:
        with _LOCK:
            inventory = _inventory(order)
            wanted: Task = pickle.loads(task)  # noqa: S301 - from our own client
            _check(inventory, wanted)
        if inventory.is_there(wanted.digest):
            # a lost worker had already finished this run
            return WorkerAnswer(inventory.figures(wanted.digest))
        return _make_in_process(order, inventory.specification, wanted)
    except USER_ERRORS as error:
        # some errors cannot be pickled
        raise PredAwareError(str(error)) from error


def end_processes(order: str) -> None:
    """End the idle processes of a campaign in this Dask worker."""
    with _LOCK:
        for team in _IDLE.pop(order, []):
            team.end()


def _make_in_process(order: str, campaign: Specification, task: Task) -> WorkerAnswer | None:
    """Make a run in a separate process, until it ends or Dask cancels it."""
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
        # Dask cancels a task that is no longer needed
        while (state := dask.state.tasks.get(key)) and state.state == "executing":
            for _, answer in team.wait():
                with _LOCK:
                    if order in _IDLE:
                        _IDLE[order].append(team)
                        ended.pop_all()
                return answer
    return None


def _limited(campaign: Specification) -> Specification:
    """Return the campaign with this Dask worker's memory limit, if it has none."""
    from distributed import get_worker

    worker = get_worker()
    limits, memory = campaign.limits, worker.memory_manager.memory_limit
    if limits.memory is None and memory is not None:
        limits = Limits(memory / worker.state.nthreads, limits.seconds)
    return replace(campaign, limits=limits)


@lru_cache(maxsize=1)
def _inventory(order: str) -> Inventory:
    """Read the order file of a campaign.

    Raises
    ------
    PredAwareError
        The file is missing, or from another version of pred-aware or Python.
    """
    here = socket.gethostname()
    for other in [*_IDLE]:
        # the other campaigns do not run now: they were killed, or wait until this one has begun
        for team in _IDLE.pop(other):
            team.end()
    try:
        with Path(order).open("rb") as file:
            client_versions, worker_versions = pickle.load(file), _versions()  # noqa: S301 - from our own client
            if client_versions != worker_versions:
                raise PredAwareError(
                    f"{here} has {worker_versions} ({sys.executable}), but the campaign started "
                    f"with {client_versions}; use one environment on all machines"
                )
            path, campaign = pickle.load(file), pickle.load(file)  # noqa: S301
    except OSError as error:
        raise PredAwareError(
            f"{order}: cannot be read on {here}: {error.strerror}; the store must be in a folder "
            "that has the same path on all machines"
        ) from error
    # append, so that modules of this environment come before the user's own
    sys.path += [one for one in path if one not in sys.path]
    return Inventory(campaign)


def _versions() -> str:
    return f"pred-aware {__version__} under Python {sys.version_info[0]}.{sys.version_info[1]}"


def _check(inventory: Inventory, task: Task) -> None:
    """Check that the run is the one that the campaign needs.

    Raises
    ------
    PredAwareError
        Its log, policy or libraries differ on this machine.
    """
    if inventory.digest(task.run) != task.digest:
        reason = inventory.unreadable.get(inventory.specification.logs[task.run.log].name)
        raise PredAwareError(
            reason
            or f"{inventory.run_name(task.run)}: on {socket.gethostname()} the log, the policy or "
            "the libraries differ from those of the campaign; use the same files and the same "
            "environment on all machines, and run the campaign again"
        )
