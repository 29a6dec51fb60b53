"""Dispatch of the missing runs of a campaign to several processes."""

import os
import random
import socket
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from math import ceil
from time import monotonic
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.resource_usage import where_and_when
from pred_aware.campaign.making.workers import Member, Team, Workers
from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.campaign.results.against import Pairs
from pred_aware.campaign.store import Failure, StoreError
from pred_aware.execution.cores import cores
from pred_aware.log.workload import Copy


@dataclass
class Progress:
    """The progress of a campaign."""

    made: int = 0
    """Number of runs made since the call began."""
    there: int = 0
    """Number of runs that the store already had."""
    to_do: int = 0
    """Number of runs still to do, as known so far; a check of the precision may add more."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Failed runs with reasons, in the order of the failures."""
    cpu_seconds: float = 0.0
    """CPU time of the runs made."""
    seconds: float = 0.0
    """Wall-clock time."""

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        failed = [{"run": name, "reason": reason} for name, reason in self.failed]
        return {**asdict(self), "failed": failed}


def make_runs(
    inventory: Inventory,
    team: Callable[[int], AbstractContextManager[Team]] | None = None,
    *,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    in_order: bool = False,
) -> Progress:
    """Make all runs that a campaign needs and that are not in its store.

    Parameters
    ----------
    inventory
        The campaign.
    team
        Called with the number of runs, after the check of the campaign; creates the team. By
        default, the team is processes of this machine.
    workers
        Number of processes; by default one per core.
    on_progress
        Called after each change.
    in_order
        True to make runs in the order of the copies' seeds, so that finished seeds have no gaps.
        False for random order, so that machines that share a store start with different runs.

    Raises
    ------
    PredAwareError
        A policy is invalid, no log can be read, the store cannot be written, or the team cannot be
        created.
    """
    inventory.check()
    inventory.store.begin()
    agenda = inventory.agenda()
    done = Progress(there=len(agenda.figures), failed=list(inventory.unreadable.items()))
    if agenda.open:
        runner = _Runner(inventory, agenda, done, on_progress, in_order=in_order)
        if team is None:
            runner.run(Workers.of(inventory.specification, workers or cores()))
        else:
            runner.run(team(agenda.to_do))
    Pairs(inventory).make(agenda)
    # write the index, so that the next reader of a large store needs one file
    inventory.store.figures(())
    return done


def each(team: Team, tasks: Sequence[Task]) -> Iterator[tuple[Task, WorkerAnswer]]:
    """Give tasks to a team, and yield each task with its result once it is known."""
    waiting = deque(tasks)
    while waiting or team.busy:
        for member in team.idle:
            if waiting:
                runs = _share(team, len(waiting))
                member.give(replace(waiting.popleft(), runs=runs))
        yield from team.wait()


def _share(team: Team, runs: int) -> int:
    """Return the number of runs per member of the team."""
    return ceil(runs / (len(team.idle) + len(team.busy)))


class _Runner:
    """Gives the runs of an agenda to a team, and processes the results."""

    def __init__(
        self,
        inventory: Inventory,
        wanted: Agenda,
        progress: Progress,
        on_progress: Callable[[Progress], None] | None,
        *,
        in_order: bool,
    ) -> None:
        self._inventory = inventory
        self._in_order = in_order
        self._wanted = wanted
        self._progress = progress
        self._on_progress = on_progress or (lambda _: None)
        self._began = monotonic()
        # a random order for each process, so that machines with a common store rarely make the
        # same run
        chance = random.Random(f"{socket.gethostname()} {os.getpid()}")  # noqa: S311
        self._turns: dict[tuple[int, Copy | None], float] = defaultdict(chance.random)

    def run(self, team: AbstractContextManager[Team]) -> None:
        """Make all needed runs."""
        with team as members:
            while True:
                for member in members.idle:
                    self._occupy(member, members)
                self._progress.to_do = self._wanted.to_do + len(members.busy)
                self._progress.seconds = monotonic() - self._began
                self._on_progress(self._progress)
                if not members.busy and not self._wanted.open:
                    return
                for task, answer in members.wait():
                    self._take_in(task, answer)

    def _occupy(self, member: Member, team: Team) -> None:
        """Give the next run to a member, skipping runs that other machines have finished."""
        runs = _share(team, self._wanted.to_do)
        while self._wanted.open:
            place = self._wanted.take(*self._next(member, team.busy))
            digest = self._inventory.digest(place)
            assert digest is not None
            if not self._inventory.is_there(digest):
                needed = {place.log, *(log for log, _ in self._wanted.open)}
                member.give(Task(place, digest, frozenset(member.logs - needed), runs))
                return
            self._wanted.note(place, self._inventory.figures(digest))
            self._progress.there += 1

    def _next(self, member: Member, busy: Sequence[Member]) -> tuple[int, Copy | None]:
        """Choose log and copy of the cheapest run for a member.

        If possible, the member continues with the copy of its last run, or with a log that it has
        read. Otherwise it gets the log with the fewest current runs.
        """
        logs = [one.last.run.log for one in busy if one.last is not None]
        last = None if member.last is None else member.last.run

        def cost(key: tuple[int, Copy | None]) -> tuple[float, ...]:
            log, copy = key
            same = last is not None and last.log == log
            shaken_alike = same and last is not None and last.copy == copy
            if self._in_order:
                return not shaken_alike, 0 if copy is None else copy.seed, log
            unread = log not in member.logs
            return not shaken_alike, not same, unread, logs.count(log), log, self._turns[key]

        return min(self._wanted.open, key=cost)

    def _take_in(self, task: Task, answer: WorkerAnswer) -> None:
        place = task.run
        if answer.failed is None:
            if answer.measured:
                self._progress.made += 1
                self._progress.cpu_seconds += answer.measured["cpu_seconds"]
            else:
                self._progress.there += 1
            self._wanted.note(place, answer.figures)
            return
        if answer.why == "store":
            raise StoreError(answer.failed)
        if answer.why == "log":
            log = self._inventory.specification.logs[place.log].name
            self._wanted.drop(place.log)
            if log not in self._inventory.unreadable:
                self._inventory.unreadable[log] = answer.failed
                self._progress.failed.append((log, answer.failed))
            return
        self._wanted.fail(place)
        self._progress.failed.append((self._inventory.run_name(place), answer.failed))
        failure = Failure(answer.why, answer.failed, where_and_when())
        self._inventory.store.fail(task.digest, failure)
