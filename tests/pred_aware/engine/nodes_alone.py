"""The engine's nodes alone, uncompiled, beside `schedulers.machine.nodes` in random states."""

import random
from types import SimpleNamespace
from typing import Any

import numpy as np

from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.nodes_beside import take_beside
from pred_aware.engine.kernel.nodes_reservation import reserve_nodes
from pred_aware.engine.kernel.nodes_room import free_now, given_back, take_room
from pred_aware.engine.kernel.nodes_values import EXTRA
from pred_aware.engine.node_arrays import NodeArrays
from schedulers.job import BACKFILLED, Job
from schedulers.machine.machine import NEVER
from schedulers.machine.node_reservation import NodeReservation
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_in
from tests.pred_aware.engine.random_nodes import large_site


class Both:
    """The same jobs on both."""

    def __init__(self, seed: int) -> None:
        site, jobs = large_site(seed)
        self.machine = machine = Nodes(site_in(site), float)
        machine.begin(machine.layout.processors)
        self.jobs = [job for one in jobs if machine.refusal(job := _job(one)) is None]
        for place, job in enumerate(self.jobs):
            job.number = place + 1
        kinds = [machine.asked(job) for job in self.jobs]
        self.arrays = NodeArrays(machine.layout, kinds, np.arange(len(kinds)))
        self.nodes: Any = self.arrays.nodes
        self.ends: list[tuple[float, int, Job]] = []
        self.started: list[int] = []

    def placed(self, job: int) -> list[Any]:
        """Return where a job that both have started runs."""
        held = self.machine.held[self.jobs[job].number]
        self.started.append(job)
        other = self.arrays.placement(job)
        return [held.nodes == other.nodes, held.given == other.given, held.taken == other.taken]

    def is_taken(self, job: int) -> bool:
        """Take room for it; say whether both do the same."""
        taken = self.machine.take(self.jobs[job])
        same = taken == take_room(self.nodes, job) and (not taken or all(self.placed(job)))
        return same and self.is_as_free()

    def gives_back(self, job: int) -> bool:
        """Give its room back; say whether both do the same."""
        self.machine.give_back(self.jobs[job])
        self.started.remove(job)
        given_back(self.nodes, job, 0)
        return self.is_as_free()

    def reserve(self, job: int, rng: random.Random) -> tuple[NodeReservation, float]:
        """Reserve for it; return what Python says, and the date that the arrays do."""
        ends = sorted((float(rng.randint(0, 60)), one + 1, self.jobs[one]) for one in self.started)
        plan = [number - 1 for _, number, _ in ends]
        counts = np.zeros(codes.COUNTS, np.int64)
        counts[codes.PLANNED] = len(plan)
        plan_ends = np.array([end[0] for end in ends])
        state: Any = SimpleNamespace(plan=np.array(plan), plan_ends=plan_ends, counts=counts)
        reservation = self.machine.reserve(self.jobs[job], ends, 10.0)
        return reservation, reserve_nodes(state, self.nodes, job, 10.0)

    def is_beside(self, job: int, reservation: NodeReservation, end: float) -> bool:
        """Take room for it beside a reservation; say whether both do the same."""
        how = self.machine.take_beside(self.jobs[job], reservation, end)
        expected = -1
        if how is not None:
            expected = codes.BACKFILLED if how == BACKFILLED else codes.FROM_QUEUE
        found = take_beside(self.nodes, job, end <= reservation.date)
        same = found == expected and (how is None or all(self.placed(job)))
        return same and self.nodes.counts[EXTRA] == reservation.extra and self.is_as_free()

    def is_as_free(self) -> bool:
        """Say whether as many processors are free on both."""
        return bool(free_now(self.nodes) == self.machine.free)


def differences_alone(seed: int) -> list[str]:
    """Name what differs in a random course of starts, ends and reservations."""
    rng, both = random.Random(seed), Both(seed)  # noqa: S311 - a seeded course
    waiting = list(range(len(both.jobs)))
    rng.shuffle(waiting)
    while waiting:
        if both.started and rng.random() < 0.3 and not both.gives_back(rng.choice(both.started)):
            return ["given back"]
        job = waiting.pop()
        if not both.is_taken(job):
            return [f"taken {job}"]
        if job in both.started or rng.random() < 0.3:
            continue
        reservation, date = both.reserve(job, rng)
        if date != reservation.date:
            return [f"reserved {job}"]
        beside = waiting[: rng.randint(0, 8)]
        for other in beside:
            end = rng.choice((reservation.date, NEVER, 0.0))
            if not both.is_beside(other, reservation, end):
                return [f"beside {job}: {other}"]
        waiting = [other for other in waiting if other not in both.started]
    return []


def _job(content: dict[str, Any]) -> Job:
    number = content["id"]
    job = Job(f"w0!{number}", 0.0, content["res"], 60.0, fields=content)
    job.partitions = tuple(content["partition"].split(",")) if "partition" in content else ()
    return job
