"""EASY with reservations for several jobs."""

import random
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import pytest

from schedulers import Job, make_policy
from schedulers.contract.playing import Spec, play
from schedulers.core.backfilling import CANDIDATES, Easy, take_heads
from schedulers.core.counting import Counting
from schedulers.core.job import Plan
from tests.suites import each_case

PROCESSORS = 10
NOW = 100.0


class Moment(NamedTuple):
    """A queue whose first job does not fit beside the running jobs."""

    queue: list[Job]
    plan: Plan

    def machine(self) -> Counting:
        machine = Counting()
        machine.begin(PROCESSORS)
        for job in self.plan.jobs:
            assert machine.take(job)
        return machine

    def again(self) -> "Moment":
        plan = Plan()
        plan.jobs = list(self.plan.jobs)
        return Moment([copy(job) for job in self.queue], plan)


def new(rng: random.Random, number: int, largest: int) -> Job:
    # no two dates that matter are the same
    walltime = rng.randrange(1, 50) + rng.random()
    size = rng.randint(1, largest)
    return Job(
        f"w0!{number}", 0.0, size, walltime, backfilling=walltime, running=walltime, number=number
    )


def moments(number: int) -> Iterator[Moment]:
    for seed in range(number):
        rng = random.Random(seed)  # noqa: S311 - a seeded moment
        plan, free = Plan(), PROCESSORS
        for place in range(rng.randint(1, 4)):
            job = new(rng, place, max(1, free // 2))
            free -= job.processors
            job.started, job.planned_end = NOW, NOW + job.running
            plan.add(job)
        queue = [new(rng, 10 + place, PROCESSORS) for place in range(rng.randint(2, 8))]
        if queue[0].processors > free:
            yield Moment(queue, plan)


def places(queue: list[Job], running: list[Job], top_jobs: int) -> dict[str, float]:
    """Where the first jobs have their places, one after the other; every date is tried."""
    taken = [(NOW, NOW + job.running, job.processors) for job in running]
    found = {}
    for job in queue[:top_jobs]:
        dates = sorted([NOW, *(end for _, end, _ in taken)])
        start = next(date for date in dates if fits(job, date, taken))
        taken.append((start, start + job.backfilling, job.processors))
        found[job.id] = start
    return found


def fits(job: Job, start: float, taken: list[tuple[float, float, int]]) -> bool:
    dates = [start, *(first for first, _, _ in taken if start < first < start + job.backfilling)]
    return all(
        job.processors + sum(size for first, last, size in taken if first <= date < last)
        <= PROCESSORS
        for date in dates
    )


@each_case("candidates", CANDIDATES)
def test_one_reservation_gives_the_schedule_of_easy(candidates: str) -> None:
    chosen = 0
    for moment in moments(1000):
        easy, other = Easy(candidates), moment.again()
        easy.begin(moment.machine())
        started = easy.choose(moment.queue, moment.plan, NOW)
        assert take_heads(other.queue, other.machine()) == []
        several = Easy(candidates)
        several.begin(other.machine())
        around = several.around(other.queue, other.plan, NOW)
        assert [job.id for job in around] == [job.id for job in started]
        assert other.queue[0].first_promise == moment.queue[0].first_promise
        chosen += len(started)
    assert chosen > 250


@each_case("top_jobs", [1, 2, 3, 5])
def test_overtaking_jobs_delay_no_job_with_a_reservation(top_jobs: int) -> None:
    overtaken = 0
    for moment in moments(500):
        before = moment.again()
        running = before.plan.jobs
        expected = places(before.queue, running, top_jobs)
        easy = Easy("shortest", top_jobs)
        easy.begin(moment.machine())
        started = easy.around(moment.queue, moment.plan, NOW)
        first = [job for job in before.queue[:top_jobs] if expected[job.id] > NOW]
        assert places(first, running + started, top_jobs) == {j.id: expected[j.id] for j in first}
        promised = {job.id: job.first_promise for job in moment.queue if job.first_promise >= 0}
        assert promised == {job.id: expected[job.id] for job in first}
        overtaken += len(started)
    assert overtaken > 50


@pytest.mark.parametrize(
    ("reservations", "second", "long"), [(1, 302, 2), (2, 150, 200)], ids=["one", "two"]
)
def test_a_second_reservation_protects_the_second_job(
    reservations: int, second: float, long: float
) -> None:
    # "long" takes the processor that the head leaves over, beyond 150
    jobs = [
        Spec("a", 0, 8, 100, 100), Spec("head", 1, 9, 50, 50), Spec("second", 1, 10, 50, 50),
        Spec("long", 2, 1, 300, 300),
    ]  # fmt: skip
    starts = play(make_policy("easy", {"reservations": reservations}), jobs, PROCESSORS).starts
    assert starts == {"a": 0, "head": 100, "second": second, "long": long}
