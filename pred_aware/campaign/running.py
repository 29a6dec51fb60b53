"""Making the runs of a campaign that are not there, by several processes."""

import os
import random
import socket
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

from pred_aware.campaign.against import Pairs
from pred_aware.campaign.agenda import Place
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.measuring import where_and_when
from pred_aware.campaign.messages import Answer, Task
from pred_aware.campaign.store import Failure, StoreError
from pred_aware.campaign.workers import Worker, Workers
from pred_aware.execution.cores import cores


@dataclass
class Progress:
    """How far a campaign is.

    Attributes
    ----------
    made
        How many runs were made since it was begun or taken up again.
    there
        How many were there already.
    to_do
        How many are to be made, as far as is known; with each look at a precision more may be.
    failed
        What was not made, with the reason, the last first.
    cpu_seconds
        What the runs took that were made.
    seconds
        By the clock on the wall.
    """

    made: int = 0
    there: int = 0
    to_do: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        failed = [{"run": name, "reason": reason} for name, reason in self.failed]
        return {**asdict(self), "failed": failed}


def make_runs(
    inventory: Inventory,
    *,
    workers: int | None = None,
    told: Callable[[Progress], None] | None = None,
) -> Progress:
    """Make all runs that a campaign wants and that are not in its store.

    Parameters
    ----------
    inventory
        The campaign.
    workers
        How many processes make runs at once; by default as many as there are cores.
    told
        Called when something has changed.

    Raises
    ------
    PredAwareError
        A policy can't be made, no log can be read, or the store can't be written.
    """
    inventory.check()
    inventory.store.begin()
    return _Runner(inventory, workers or cores(), told or (lambda _: None)).run()


class _Runner:
    """Gives runs to workers, and takes in what becomes of them."""

    def __init__(
        self, inventory: Inventory, workers: int, told: Callable[[Progress], None]
    ) -> None:
        self._inventory = inventory
        self._number = workers
        self._told = told
        self._began = monotonic()
        self._agenda = inventory.agenda()
        self._progress = Progress(
            there=len(self._agenda.figures), failed=list(inventory.unreadable.items())
        )
        # several machines that share a store begin at other ends, and seldom make the same run
        self._chance = random.Random(f"{socket.gethostname()} {os.getpid()}")  # noqa: S311
        self._turns: dict[tuple[int, int | None], float] = {}

    def run(self) -> Progress:
        """Make all that is wanted."""
        with Workers(self._inventory.specification, self._number) as workers:
            while True:
                for worker in workers.idle:
                    self._occupy(worker, workers)
                self._tell(len(workers.busy))
                if not workers.busy:
                    break
                for task, answer in workers.wait():
                    self._take_in(task, answer)
        Pairs(self._inventory).make(self._agenda)
        return self._progress

    def _tell(self, busy: int) -> None:
        self._progress.to_do = self._agenda.to_do + busy
        self._progress.seconds = monotonic() - self._began
        self._told(self._progress)

    def _occupy(self, worker: Worker, workers: Workers) -> None:
        """Give a worker the next run that nobody else has made meanwhile."""
        while (place := self._next(worker, workers)) is not None:
            self._agenda.take(place)
            digest = self._inventory.digest(place)
            assert digest is not None
            if self._inventory.is_there(digest):
                self._agenda.note(place, self._inventory.store.read(digest)["figures"])
                self._progress.there += 1
                continue
            over = frozenset(log for log in worker.logs if self._agenda.over(log)) - {place.log}
            worker.give(Task(*place, digest, over))
            return

    def _next(self, worker: Worker, workers: Workers) -> Place | None:
        """Choose the run that costs a worker least: of a log that it has, shaken as the last one.

        Where it has none of these, it begins the log on which the fewest are.
        """
        busy = [one.last.log for one in workers.busy if one.last is not None]
        last = worker.last

        def cost(key: tuple[int, int | None]) -> tuple[bool, bool, bool, int, int, float]:
            log, seed = key
            same = last is not None and last.log == log
            return (
                not (same and last is not None and last.seed == seed),
                not same,
                log not in worker.logs,
                busy.count(log),
                log,
                self._turn(key),
            )

        key = min(self._agenda.open, key=cost, default=None)
        return None if key is None else self._agenda.open[key][0]

    def _turn(self, key: tuple[int, int | None]) -> float:
        if key not in self._turns:
            self._turns[key] = self._chance.random()
        return self._turns[key]

    def _take_in(self, task: Task, answer: Answer) -> None:
        place = Place(task.log, task.policy, task.seed)
        if answer.failed is None:
            self._progress.made += 1
            self._progress.cpu_seconds += answer.measured["cpu_seconds"]
            self._agenda.note(place, answer.figures)
            return
        if answer.why == "store":
            raise StoreError(answer.failed)
        if answer.why == "log":
            log = self._inventory.specification.logs[task.log].name
            self._agenda.drop(task.log)
            if log not in self._inventory.unreadable:
                self._inventory.unreadable[log] = answer.failed
                self._progress.failed.append((log, answer.failed))
            return
        self._agenda.fail(place)
        self._progress.failed.append((self._inventory.told(place), answer.failed))
        self._inventory.store.fail(
            task.digest, Failure(answer.why, answer.failed, where_and_when())
        )
