"""Making a campaign's runs by job arrays: nothing of ours runs but in the jobs.

Runs that are wanted are cut into shares, of which each element of an array makes one. What was not
done when the jobs ended is wanted still, so that it is found and submitted again.
"""

import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from pred_aware.campaign.cluster.batch import BATCHES, BatchError, first_line, script_for
from pred_aware.campaign.cluster.jobs import Jobs
from pred_aware.campaign.cluster.orders import NAME as ORDER
from pred_aware.campaign.cluster.orders import order_for
from pred_aware.campaign.cluster.shares import (
    LEAST,
    costs_of,
    cut,
    digests_in,
    tasks_of,
    write_shares,
)
from pred_aware.campaign.cluster.shares import NAME as SHARES
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress
from pred_aware.campaign.messages import Task
from pred_aware.campaign.results.against import Pairs
from pred_aware.campaign.store import JOBS_TOLD, written
from pred_aware.errors import PredAwareError

USUAL = 100
"""So many elements where nothing is said."""

FUTILE = 3
"""After so many arrays in a row that made nothing and said nothing, one that waits gives up."""

SOON, SELDOM, SLOWER = 0.5, 30.0, 1.3
"""How long one that waits waits at first until it looks, at most, and how much longer each time."""

UNHEARD = 600.0
"""How long the batch system may give no answer until one that waits gives up, in seconds."""

_SCRIPT = "script.sh"


@dataclass(frozen=True, slots=True)
class Array:
    """A job array that was submitted."""

    batch: str
    """``slurm`` or ``pbs``."""
    job: str
    """What the batch system knows it by."""
    elements: int
    runs: int
    """How many it has."""
    folder: str
    """Its own, in the store."""


@dataclass
class SubmittedArray:
    """What was submitted, and what is under way."""

    submitted: list[Array] = field(default_factory=list)
    """The arrays that were submitted now."""
    under_way: list[Array] = field(default_factory=list)
    """Those that wait or run since earlier."""
    there: int = 0
    to_do: int = 0
    """How many runs are done, and how many are wanted as far as is known, those of the arrays with
    them."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """What was not made, with the reason."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        failed = [{"run": name, "reason": reason} for name, reason in self.failed]
        return {**asdict(self), "failed": failed}


class Arrays:
    """The job arrays of a campaign.

    Parameters
    ----------
    inventory
        The campaign; its store must stand on a folder that all machines share.
    kind
        ``slurm`` or ``pbs``.
    jobs
        What each element is asked for.
    """

    def __init__(self, inventory: Inventory, kind: str, jobs: Jobs) -> None:
        self._inventory = inventory
        self._kind = kind
        self._batch = BATCHES[kind]
        self._jobs = jobs
        self._futile = 0
        self._folder = inventory.store.jobs.absolute()

    def submit(self) -> SubmittedArray:
        """Submit what is wanted and what no array has that waits or runs.

        Raises
        ------
        PredAwareError
            A policy can't be made, no log can be read, the store can't be written, or the batch
            system refuses or does not answer.
        """
        return self._submit_wanted(waited=False)

    def wait(self, on_progress: Callable[[Progress], None] | None = None) -> Progress:
        """Submit until all that is wanted is there; whenever it is stopped, the jobs go on.

        Parameters
        ----------
        on_progress
            Called when something may have changed.

        Raises
        ------
        PredAwareError
            As for `submit`; or jobs have ended and made nothing.
        """
        began = monotonic()
        now = self._submit_wanted(waited=False)
        first = now.there
        while now.submitted or now.under_way:
            seen = Progress(now.there - first, first, now.to_do, now.failed)
            self._wait_for([*now.submitted, *now.under_way], seen, began, on_progress)
            now = self._submit_wanted(waited=True)
        return Progress(
            now.there - first, first, now.to_do, now.failed, 0.0, monotonic() - began
        )  # fmt: skip

    def _submit_wanted(self, *, waited: bool) -> SubmittedArray:
        """Submit what is wanted; if nothing has come of those waited for, say why instead."""
        inventory = self._inventory
        inventory.check()
        arrays = list(_arrays(self._folder))
        # whether there is a batch system is known before anything is written
        unfinished = _unfinished({self._kind, *(array.batch for array in arrays)})
        inventory.store.begin()
        agenda = inventory.agenda()
        failed = list(inventory.failures(agenda))
        now = SubmittedArray([], [], len(agenda.figures), agenda.to_do, failed)
        known = inventory.store.digests() | inventory.store.failures()
        taken: set[str] = set()
        futile = []
        for array in arrays:
            digests = digests_in(Path(array.folder))
            if (array.batch, array.job) in unfinished:
                now.under_way.append(array)
                taken |= digests
                continue
            if not digests & known:
                futile.append(array)
            _clear(Path(array.folder))
        tasks = [one for one in tasks_of(inventory, [*agenda.open]) if one.digest not in taken]
        self._futile = self._futile + 1 if waited and futile else 0
        if tasks and futile and self._futile:
            said = next(filter(None, (first_line(Path(one.folder)) for one in futile)), "")
            # without a word they were killed, perhaps, and others may not be
            if said or self._futile >= FUTILE:
                raise _nothing_came(futile[0], said)
        if tasks:
            costs = costs_of(inventory, tasks, [*agenda.figures])
            most = min(self._jobs.number or USUAL, max(1, int(sum(costs) / LEAST)))
            now.submitted.append(self._submit(cut(tasks, costs, number=most)))
        elif not now.under_way:
            Pairs(inventory).make(agenda)
        return now

    def _submit(self, shares: list[list[Task]]) -> Array:
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        folder = self._folder / name
        order = order_for(
            self._inventory.specification,
            cores=self._jobs.cores,
            memory=self._jobs.memory_of_a_run,
        )
        script = script_for(
            self._batch,
            self._jobs,
            name=f"pred-aware-{name}",
            elements=len(shares),
            folder=folder,
        )
        try:
            with written(self._inventory.store.folder):
                folder.mkdir(parents=True)
                replace(order, shares=write_shares(shares, folder)).write(folder)
                (folder / _SCRIPT).write_text(script)
            job = self._batch.submit(folder / _SCRIPT)
        except PredAwareError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        array = Array(self._kind, job, len(shares), sum(map(len, shares)), str(folder))
        with written(self._inventory.store.folder):
            (folder / JOBS_TOLD).write_bytes(msgspec.json.encode(array) + b"\n")
        return array

    def _wait_for(
        self,
        arrays: list[Array],
        seen: Progress,
        began: float,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        """Wait until none of some arrays waits or runs any more.

        Raises
        ------
        BatchError
            The batch system has not answered for long.
        """
        jobs = {(array.batch, array.job) for array in arrays}
        store = self._inventory.store
        before, pause, heard = len(store.digests()), SOON, monotonic()
        while True:
            time.sleep(pause)
            pause = min(SELDOM, pause * SLOWER)
            try:
                if not jobs & _unfinished({array.batch for array in arrays}):
                    return
                heard = monotonic()
            except BatchError as error:
                # it may be restarted; the jobs do without it meanwhile
                if monotonic() - heard > UNHEARD:
                    raise BatchError(
                        f"{error}; the jobs go on, and the same command waits for them again"
                    ) from error
            if on_progress is not None:
                came = len(store.digests()) - before
                made, left = seen.made + came, max(0, seen.to_do - came)
                on_progress(replace(seen, made=made, to_do=left, seconds=monotonic() - began))


def _unfinished(kinds: Iterable[str]) -> set[tuple[str, str]]:
    """Return the jobs of some batch systems that wait or run."""
    return {(kind, job) for kind in kinds for job in BATCHES[kind].unfinished()}


def _arrays(folder: Path) -> Iterator[Array]:
    """Yield the arrays that were submitted and not cleared yet."""
    for told in sorted(folder.glob(f"*/{JOBS_TOLD}")):
        with suppress(OSError, msgspec.DecodeError):
            yield msgspec.json.decode(told.read_bytes(), type=Array)


def _clear(folder: Path) -> None:
    """Remove what an array that has ended does not need any more: all but what elements said."""
    # of one that was killed the log is empty
    silent = [log for log in folder.glob("*.log") if not log.stat().st_size]
    for path in (*(folder / name for name in (JOBS_TOLD, ORDER, SHARES, _SCRIPT)), *silent):
        path.unlink(missing_ok=True)
    # it stays if there are logs
    with suppress(OSError):
        folder.rmdir()


def _nothing_came(array: Array, said: str) -> PredAwareError:
    """Make the error that says why nothing came of an array, as far as its elements have said."""
    ended = f"job {array.job} has ended and made nothing"
    if said:
        return PredAwareError(f"{ended}; its logs in {array.folder} begin: {said}")
    return PredAwareError(
        f"{ended}, and its elements have said nothing: see what the batch system says of it, and "
        "whether all machines have the store's folder"
    )
