"""What plays jobs on a machine whose every start is chosen by a plain definition."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest

from schedulers.contract.playing import Spec

Where = TypeVar("Where")
Rule = Callable[[Any, float], None]
"""Starts jobs of a definition at a date."""


class Definition(Generic[Where]):
    """Simulates jobs: the rule chooses the jobs to start, a subclass (the machine) their places."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.starts: dict[str, float] = {}
        self.where: dict[str, Where] = {}
        self.places: dict[str, tuple[float, Where]] = {}
        self.queue: list[Spec] = []
        self.running: list[Spec] = []
        self.new: list[Spec] = []
        self.just_ended: list[Spec] = []

    def play(self, specs: list[Spec]) -> dict[str, float]:
        coming = list(specs)
        while coming or self.running:
            ends = {spec.id: self.starts[spec.id] + spec.duration for spec in self.running}
            now = min([*ends.values(), *(spec.submit for spec in coming)])
            self.just_ended = [spec for spec in self.running if ends[spec.id] == now]
            self.running = [spec for spec in self.running if ends[spec.id] > now]
            self.new = [spec for spec in coming if spec.submit == now]
            coming = coming[len(self.new) :]
            self.queue += self.new
            self.rule(self, now)
        assert self.queue == []
        return self.starts

    def idle(self, spec: Spec, now: float) -> list[Where]:
        """Return the idle places for a job, regardless of later reservations."""
        raise NotImplementedError

    def free(self, spec: Spec, date: float) -> list[Where]:
        """Return where a job has room from a date on, for all of its walltime."""
        raise NotImplementedError

    def best(self, where: list[Where], date: float) -> Where:
        return where[0]

    def start(self, spec: Spec, where: Where, now: float) -> None:
        self.queue.remove(spec)
        self.running.append(spec)
        self.starts[spec.id], self.where[spec.id] = now, where

    def start_in(self, where: list[Where], spec: Spec, now: float) -> None:
        if where:
            self.start(spec, self.best(where, now), now)

    def start_heads(self, now: float) -> None:
        while self.queue and (idle := self.idle(self.queue[0], now)):
            self.start_in(idle, self.queue[0], now)

    def start_placed(self, now: float) -> None:
        for spec in list(self.queue):
            if spec.id in self.places and self.places[spec.id][0] == now:
                self.start(spec, self.places[spec.id][1], now)

    def taken(self) -> list[tuple[float, float, int, Where]]:
        """Return what runs or has a place: from when, to when, how many, where."""
        found = [(self.starts[spec.id], spec, self.where[spec.id]) for spec in self.running]
        placed = [spec for spec in self.queue if spec.id in self.places]
        found += [(start, spec, at) for spec in placed for start, at in [self.places[spec.id]]]
        return [(start, start + length(spec), spec.size, where) for start, spec, where in found]

    def place(self, spec: Spec, now: float) -> None:
        """Try every date at which something ends; what is as early stays where it was."""
        before = self.places.pop(spec.id, None)
        for date in sorted({now, *(end for _, end, _, _ in self.taken() if end > now)}):
            if free := self.free(spec, date):
                found = date, self.best(free, date)
                self.places[spec.id] = before if before and before[0] == date else found
                return


class OnParts(Definition[int]):
    """Plays jobs on parts of so many processors each; of a machine that is counted there is one."""

    def __init__(self, rule: Rule, *, parts: int, processors: int) -> None:
        super().__init__(rule)
        self.parts, self.processors = range(parts), processors

    def end(self, spec: Spec) -> float:
        return self.starts[spec.id] + length(spec)

    def free_in(self, part: int, date: float) -> int:
        """Count the free processors of a part after all planned ends up to a date."""
        there = [spec for spec in self.running if self.where[spec.id] == part]
        return self.processors - sum(spec.size for spec in there if self.end(spec) > date)

    def idle(self, spec: Spec, now: float) -> list[int]:
        return [part for part in self.parts if spec.size <= self.free_in(part, now)]

    def free(self, spec: Spec, date: float) -> list[int]:
        return [part for part in self.parts if self._fits(spec, date, part)]

    def _fits(self, spec: Spec, start: float, part: int) -> bool:
        """Check the room at the start and at each later start of another job."""
        taken = [(first, last, size) for first, last, size, there in self.taken() if there == part]
        dates = [start, *(first for first, _, _ in taken if start < first < start + length(spec))]
        used = [sum(size for first, last, size in taken if first <= at < last) for at in dates]
        return spec.size + max(used) <= self.processors


def filler(on: Definition[Any], now: float) -> None:
    for spec in list(on.queue):
        on.start_in(on.idle(spec, now), spec, now)


def easy(on: Any, now: float) -> None:  # noqa: ANN401 - a machine that says how its heads reserve
    on.start_heads(now)
    if on.queue:
        on.backfill(now)


def three_reservations(on: Definition[Any], now: float) -> None:
    on.places = {}
    on.start_heads(now)
    first, others = on.queue[:3], on.queue[3:]
    for spec in first:
        on.place(spec, now)
    on.start_placed(now)
    for spec in others:
        on.start_in(on.free(spec, now), spec, now)


def conservative(on: Definition[Any], now: float) -> None:
    for spec in on.queue:
        if spec in on.new or (on.just_ended and on.places[spec.id][0] > now):
            on.place(spec, now)
    on.start_placed(now)


EACH = pytest.mark.parametrize(
    ("backfilling", "rule"),
    [
        ("filler", filler),
        ("easy", easy),
        ({"name": "easy", "reservations": 3}, three_reservations),
        ("conservative", conservative),
    ],
    ids=["filler", "easy", "reservations", "conservative"],
)
"""Each backfilling that has a definition."""


def length(spec: Spec) -> float:
    assert spec.walltime is not None
    return spec.walltime
