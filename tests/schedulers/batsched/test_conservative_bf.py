"""batsched's ``conservative_bf`` on cases worked out by hand, and against a plain search.

A planned end is 5 s after the walltime. The golden runs show the rest.
"""

import random
from collections.abc import Iterator

import pytest

from schedulers import Decision, Execute, Job, Policy, Request, make_policy
from schedulers.contract.playing import Played, Spec, play
from schedulers.errors import SchedulerError
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import each_case

DELAY = 5


def run(*specs: Spec, processors: int = 10) -> Played:
    return play(make_policy("conservative_bf"), specs, processors)


def waiting(job_id: str, size: int, walltime: float | None = 100.0) -> Job:
    return Job(job_id, 0.0, size, walltime)


@pytest.mark.parametrize(("walltime", "start"), [(203, 2), (204, 159)])
def test_the_place_of_the_second_job_is_kept(walltime: float, start: float) -> None:
    # job 2's place begins at 105 and job 3's at 210; EASY would protect only the first
    jobs = [Spec("w0!1", 0, 8, 100, 100), Spec("w0!2", 1, 8, 50, 100), Spec("w0!3", 1, 10, 9)]
    played = run(*jobs, Spec("w0!4", 2, 2, 140, walltime))
    assert (played.starts["w0!2"], played.starts["w0!4"]) == (100, start)


@pytest.mark.parametrize(("walltime", "members"), [(8, {6, 7}), (9, {7, 8})])
def test_a_job_gets_the_lowest_processors_that_are_free_for_all_of_its_time(
    walltime: float, members: set[int]
) -> None:
    # job 2's place is on 0-6, from 15 on
    jobs = [Spec("w0!1", 0, 6, 10, 10), Spec("w0!2", 1, 7, 100)]
    played = run(*jobs, Spec("w0!3", 2, 2, walltime, walltime))
    assert (played.starts["w0!3"], played.processors["w0!3"]) == (2, members)


def test_new_jobs_get_places_in_the_order_of_the_request_if_nothing_has_ended() -> None:
    jobs = [Spec("w0!9", 0, 6, 10, 10), Spec("w0!10", 0, 6, 10, 10)]
    assert run(*jobs).starts == {"w0!9": 0, "w0!10": 10}


def test_at_an_end_jobs_of_one_request_are_sorted_by_id_as_text() -> None:
    jobs = [Spec("w0!1", 0, 10, 10, 10), Spec("w0!9", 10, 6, 10, 10), Spec("w0!10", 10, 6, 10, 10)]
    assert run(*jobs).starts == {"w0!1": 0, "w0!10": 10, "w0!9": 20}


@pytest.mark.parametrize(("walltime", "start"), [(74, 11), (75, 49)])
def test_at_an_end_later_jobs_keep_their_places_until_their_turn(
    walltime: float, start: float
) -> None:
    # when 1 ends, 4 still has its place until 90, so 3 gets one from 90 on; then 4 starts, and in
    # the gap that it leaves before 90 fits 5
    jobs = [Spec("w0!1", 0, 6, 10, 100), Spec("w0!2", 0, 4, 40, 40), Spec("w0!3", 1, 10, 9, 200)]
    jobs += [Spec("w0!4", 2, 4, 30, 40), Spec("w0!5", 11, 2, 60, walltime)]
    starts = run(*jobs).starts
    assert (starts["w0!4"], starts["w0!5"]) == (10, start)


def test_a_job_that_outlives_its_walltime_and_the_delay_is_an_error() -> None:
    policy = make_policy("conservative_bf", {"rjms_delay": 0.001})
    policy.begin(10)
    policy.decide(Request(0.0, submitted=[waiting("w0!1", 10), waiting("w0!2", 4)]))
    # Batsim reports the end 1.6 ms after it
    with pytest.raises(SchedulerError, match=r"job w0!1 has run longer .* rjms_delay of 0\.001 s"):
        policy.decide(Request(100.0016, submitted=[waiting("w0!3", 4)]))


def test_without_the_delay_a_job_that_reaches_its_walltime_makes_way_on_time() -> None:
    policy = make_policy("conservative_bf", {"rjms_delay": 0})
    jobs = [Spec(f"w0!{n}", n % 2, 6, 100, 60) for n in range(4)]
    assert sorted(play(policy, jobs, 10).starts.values()) == [0, 60, 120, 180]


class SecondBySecond:
    """The same scheduler, which tries each second and asks each job where it is."""

    needs_fields = False
    journal = None

    def begin(self, processors: int) -> None:
        self.all = set(range(processors))
        self.places: dict[str, tuple[int, int, list[int]]] = {}
        self.jobs: dict[str, Job] = {}
        self.queue: list[str] = []

    def decide(self, request: Request) -> list[Decision]:
        now = int(request.now)
        for job_id in request.ended:
            del self.places[job_id]
        self.jobs |= {job.id: job for job in request.submitted}
        new = [job.id for job in request.submitted]
        self.queue += sorted(new)
        decisions: list[Decision] = []
        for job_id in list(self.queue) if request.ended else new:
            self.places.pop(job_id, None)
            begin, _, members = self.places[job_id] = self.place(self.jobs[job_id], now)
            if begin == now:
                self.queue.remove(job_id)
                decisions.append(Execute(now, job_id, tuple((m, m) for m in members)))
        return decisions

    def place(self, job: Job, begin: int) -> tuple[int, int, list[int]]:
        assert job.walltime is not None
        end = begin + int(job.walltime) + DELAY
        taken: set[int] = set()
        for other_begin, other_end, members in self.places.values():
            if other_begin < end and begin < other_end:
                taken |= set(members)
        free = sorted(self.all - taken)
        if len(free) >= job.processors:
            return begin, end, free[: job.processors]
        return self.place(job, begin + 1)


def test_starts_equal_those_of_a_search_by_second() -> None:
    waited = 0
    for specs in workloads(400):
        slow: Policy = SecondBySecond()
        expected = play(slow, specs, PROCESSORS)
        assert play(make_policy("conservative_bf"), specs, PROCESSORS) == expected
        waited += any(expected.starts[spec.id] > spec.submit for spec in specs)
    assert waited > 200


def busy(seed: int, number: int = 40) -> Iterator[Spec]:
    """Make so many jobs for eight processors that most of them wait."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    date = 0.0
    for place in range(number):
        date += rng.choice((0, 1, 5))
        walltime = float(rng.randint(5, 60))
        run = min(walltime, float(rng.randint(1, 60)))
        yield Spec(f"w0!{place}", date, rng.choice((1, 2, 3, 5, 8)), run, walltime)


@each_case("seed", [2, 22])
def test_starts_equal_those_of_a_search_also_with_many_places(seed: int) -> None:
    slow: Policy = SecondBySecond()
    specs = list(busy(seed))
    assert play(make_policy("conservative_bf"), specs, 8) == play(slow, specs, 8)
