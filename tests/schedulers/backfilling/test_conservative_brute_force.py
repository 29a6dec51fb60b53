"""Conservative backfilling against a model that is slow, and plainly what the definition says.

At its submission a job is given the earliest place in the plan where it fits for its whole
walltime. At every end what is left of the ended job's walltime is freed, and then each waiting job
in order of submission is taken out of the plan and given the earliest place again. A job starts
when its place begins.
"""

import random
from collections.abc import Iterator

import pytest

from schedulers import make_policy
from tests.schedulers.model import Spec, play
from tests.schedulers.random_workloads import PROCESSORS, workloads


class BruteForce:
    """Plays jobs to the end; a place is a start, an end and a size, and every date is tried."""

    def __init__(self) -> None:
        self.starts: dict[str, float] = {}
        self.places: dict[str, float] = {}
        self.queue: list[Spec] = []
        self.running: list[Spec] = []

    def taken(self) -> list[tuple[float, float, int]]:
        running = [(self.starts[spec.id], spec) for spec in self.running]
        waiting = [(self.places[spec.id], spec) for spec in self.queue if spec.id in self.places]
        return [
            (start, start + (spec.walltime or 0.0), spec.size) for start, spec in running + waiting
        ]

    def fits(self, spec: Spec, start: float) -> bool:
        """Look at the start and at each date after it at which somebody else starts."""
        taken = self.taken()
        end = start + (spec.walltime or 0.0)
        dates = [start, *(first for first, _, _ in taken if start < first < end)]
        return all(
            spec.size + sum(size for first, last, size in taken if first <= date < last)
            <= PROCESSORS
            for date in dates
        )

    def place(self, spec: Spec, now: float) -> None:
        self.places.pop(spec.id, None)
        dates = [now, *(end for _, end, _ in self.taken() if end > now)]
        self.places[spec.id] = min(date for date in dates if self.fits(spec, date))

    def play(self, specs: list[Spec]) -> dict[str, float]:
        coming = list(specs)
        while coming or self.running:
            ends = {spec.id: self.starts[spec.id] + spec.duration for spec in self.running}
            now = min([*ends.values(), *(spec.submit for spec in coming)])
            ended = [spec for spec in self.running if ends[spec.id] == now]
            self.running = [spec for spec in self.running if spec not in ended]
            if ended:
                for spec in self.queue:
                    self.place(spec, now)
            while coming and coming[0].submit == now:
                spec = coming.pop(0)
                self.queue.append(spec)
                self.place(spec, now)
            for spec in [spec for spec in self.queue if self.places[spec.id] == now]:
                self.queue.remove(spec)
                self.running.append(spec)
                self.starts[spec.id] = now
        assert self.queue == []
        return self.starts


def without_ties(specs: list[Spec], seed: int) -> Iterator[Spec]:
    """Move every time by less than a second, to multiples of 2^-16 s, so that sums are exact."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    for spec in specs:
        moves = [rng.randrange(2**16) / 2**16 for _ in range(3)]
        killed = spec.walltime is not None and spec.run >= spec.walltime
        walltime = (spec.walltime or 0.0) + 1.0 + moves[0]
        run = walltime if killed else spec.run + moves[1]
        yield spec._replace(submit=spec.submit + moves[2], run=run, walltime=walltime)


def test_every_start_is_that_of_the_brute_force() -> None:
    waited = 0
    for seed, specs in enumerate(workloads(1000)):
        moved = sorted(without_ties(specs, seed), key=lambda spec: spec.submit)
        starts = play(make_policy("conservative"), moved, PROCESSORS).starts
        assert starts == BruteForce().play(moved), moved
        waited += sum(starts[spec.id] > spec.submit for spec in moved)
    assert waited > 1000


def test_where_events_coincide_too() -> None:
    for specs in workloads(1000):
        starts = play(make_policy("conservative"), specs, PROCESSORS).starts
        assert starts == BruteForce().play(specs), specs


@pytest.mark.parametrize("candidates", ["queue", "shortest", "smallest", "best_fit"])
def test_promises_hold_in_whatever_order_places_are_given(candidates: str) -> None:
    earlier = 0
    for specs in workloads(300):
        policy = make_policy("conservative", {"candidates": candidates})
        starts = play(policy, specs, PROCESSORS).starts
        assert policy.journal is not None
        promised = {row[0]: float(row[5]) for row in policy.journal.rows()}
        assert all(starts[spec.id] <= promised[spec.id] for spec in specs)
        earlier += sum(starts[spec.id] < promised[spec.id] for spec in specs)
    assert earlier > 50
