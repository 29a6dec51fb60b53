"""batsched's ``easy_bf`` on cases worked out by hand, on ten processors.

A planned end is 5 s after the walltime. The golden runs show the rest.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedulers import Execute, Job, Reject, Request, make_policy
from schedulers.batsched.waiting import exact
from schedulers.contract.playing import Played, Spec, play
from tests.suites import each_case

HEAD = Spec("w0!2", 1, 10, 50)


def run(*specs: Spec, scheduler: str = "easy_bf") -> Played:
    return play(make_policy(scheduler), specs, 10)


def waiting(job_id: str, size: int, walltime: float | None = 100.0) -> Job:
    return Job(job_id, 0.0, size, walltime)


@each_case("scheduler", ["easy_bf", "conservative_bf"])
@each_case(("walltime", "start"), [(98, 2), (99, 150)])
def test_a_job_that_ends_by_the_reservation_overtakes(
    walltime: float, start: float, scheduler: str
) -> None:
    jobs = [Spec("w0!1", 0, 8, 100, 100), HEAD, Spec("w0!3", 2, 2, 98, walltime)]
    played = run(*jobs, scheduler=scheduler)
    assert played.starts == {"w0!1": 0, "w0!2": 100, "w0!3": start}


def test_a_short_candidate_takes_reserved_processors_and_a_long_one_leaves_them() -> None:
    jobs = [Spec("w0!1", 0, 5, 100, 100), Spec("w0!2", 1, 6, 50)]
    short = run(*jobs, Spec("w0!3", 2, 4, 50, 50))
    long = run(*jobs, Spec("w0!3", 2, 4, 500, 500))
    assert (short.processors["w0!3"], long.processors["w0!3"]) == ({5, 6, 7, 8}, {6, 7, 8, 9})
    assert short.starts["w0!3"] == long.starts["w0!3"] == 2


def test_a_long_candidate_waits_without_enough_unreserved_processors() -> None:
    jobs = [Spec("w0!1", 0, 5, 100, 100), Spec("w0!2", 1, 6, 50), Spec("w0!3", 2, 5, 500, 500)]
    assert run(*jobs).starts == {"w0!1": 0, "w0!2": 100, "w0!3": 150}


@pytest.mark.parametrize(("walltime", "start"), [(100, 2), (101, 100)])
def test_jobs_with_the_same_planned_end_count_together(walltime: float, start: float) -> None:
    # together they leave 0-9, of which 0-4 are reserved; the first alone leaves 0-3, 8 and 9
    jobs = [Spec("w0!1", 0, 4, 100, 100), Spec("w0!2", 0, 4, 100, walltime)]
    jobs += [Spec("w0!3", 1, 5, 50), Spec("w0!4", 2, 2, 500, 500)]
    assert run(*jobs).starts["w0!4"] == start


def test_planned_ends_that_are_equal_only_as_doubles_are_not_the_same() -> None:
    policy = make_policy("easy_bf")
    policy.begin(10)
    assert 0.1 + 0.2 == 0.30000000000000004
    assert exact(0.1) + exact(0.2) < exact(0.30000000000000004)
    policy.decide(Request(0.0, submitted=[waiting("w0!1", 4, 0.30000000000000004)]))
    policy.decide(Request(0.1, submitted=[waiting("w0!2", 4, 0.2)], last_event=0.1))
    policy.decide(Request(0.2, submitted=[waiting("w0!3", 5)], last_event=0.2))
    # together they would leave 0-9; the second alone leaves 4-9, of which 4-8 are reserved
    assert policy.decide(Request(0.25, submitted=[waiting("w0!4", 2)], last_event=0.25)) == []


def test_jobs_of_one_request_wait_in_the_order_of_their_ids_as_text() -> None:
    jobs = [Spec("w0!1", 0, 10, 10), Spec("w0!9", 5, 10, 10), Spec("w0!10", 5, 10, 10)]
    assert run(*jobs).starts == {"w0!1": 0, "w0!10": 10, "w0!9": 20}


def test_new_candidates_are_tried_in_the_order_of_the_request() -> None:
    jobs = [Spec("w0!1", 0, 8, 1000, 1000), HEAD]
    jobs += [Spec("w0!9", 5, 2, 10, 10), Spec("w0!10", 5, 2, 10, 10)]
    assert run(*jobs).starts["w0!9"] == 5


def test_at_an_end_all_waiting_jobs_are_tried_in_the_order_of_the_queue() -> None:
    jobs = [Spec("w0!1", 0, 8, 1000, 1000), Spec("w0!0", 0, 2, 20, 20), HEAD]
    jobs += [Spec("w0!9", 5, 2, 10, 10), Spec("w0!10", 5, 2, 10, 10)]
    assert run(*jobs).starts["w0!10"] == 20


def test_jobs_started_on_an_empty_queue_have_the_date_of_the_last_event() -> None:
    policy = make_policy("easy_bf")
    policy.begin(10)
    new = [waiting("w0!1", 8), waiting("w0!2", 10), waiting("w0!3", 2, 50)]
    found = policy.decide(Request(7.0, submitted=new, last_event=6.5))
    assert found == [Execute(6.5, "w0!1", ((0, 7),)), Execute(7.0, "w0!3", ((8, 9),))]


def test_an_end_starts_jobs_at_the_head_at_once() -> None:
    policy = make_policy("easy_bf")
    policy.begin(10)
    policy.decide(Request(0.0, submitted=[waiting("w0!1", 10), waiting("w0!2", 10)]))
    assert policy.decide(Request(9.0, ended=["w0!1"], last_event=8.5)) == [
        Execute(9.0, "w0!2", ((0, 9),))
    ]


@pytest.mark.parametrize(("scheduler", "last_event"), [("easy_bf", 3.0), ("conservative_bf", 2.5)])
def test_too_large_jobs_and_jobs_without_a_walltime_are_rejected(
    scheduler: str, last_event: float
) -> None:
    policy = make_policy(scheduler)
    policy.begin(10)
    new = [waiting("w0!1", 11), waiting("w0!2", 1, None), waiting("w0!3", 1)]
    assert policy.decide(Request(3.0, submitted=new, last_event=last_event)) == [
        Reject(3.0, "w0!1", "asks for 11 processors; the machine has 10"),
        Reject(3.0, "w0!2", "has no walltime"),
        Execute(3.0, "w0!3", ((0, 0),)),
    ]


@given(st.floats(min_value=0.0, allow_nan=False, allow_infinity=False))
def test_every_double_is_a_multiple_of_the_smallest_double(seconds: float) -> None:
    assert Fraction(exact(seconds), 2**1074) == Fraction(seconds)
