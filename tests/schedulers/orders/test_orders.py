"""Orders, and the schedulers that reserve nothing, on cases worked out by hand."""

import pytest

from schedulers import make_policy
from schedulers.contract.playing import Played, Spec, play
from schedulers.core.bounded import Bounded
from schedulers.core.job import Job
from schedulers.core.orders import Lxf
from schedulers.core.scheduler import Scheduler
from schedulers.errors import OptionError
from tests.suites import each_case


def run(scheduler: str, *specs: Spec, **options: object) -> Played:
    return play(make_policy(scheduler, options), specs, 10)


QUEUE = [
    Spec("w0!1", 0, 8, 100, 100), Spec("w0!2", 1, 10, 50, 50), Spec("w0!3", 2, 2, 400, 400),
    Spec("w0!4", 3, 2, 60, 60),
]  # fmt: skip


def test_fcfs_lets_no_job_overtake() -> None:
    starts = run("fcfs", *QUEUE).starts
    assert starts == {"w0!1": 0, "w0!2": 100, "w0!3": 150, "w0!4": 150}


def test_filler_starts_every_job_that_fits() -> None:
    starts = run("filler", *QUEUE).starts
    assert starts == {"w0!1": 0, "w0!3": 2, "w0!4": 100, "w0!2": 402}


def test_filler_sorts_jobs_of_one_request_by_id_as_text() -> None:
    jobs = [Spec("w0!9", 0, 10, 5), Spec("w0!10", 0, 10, 5)]
    assert run("filler", *jobs).starts == {"w0!10": 0, "w0!9": 5}


def test_filler_rejects_jobs_of_one_request_in_its_order() -> None:
    jobs = [Spec("w0!1", 0, 1, 5), Spec("w0!9", 0, 30, 5), Spec("w0!10", 0, 20, 5)]
    assert [*run("filler", *jobs).refusals] == ["w0!9", "w0!10"]


def test_fcfs_takes_jobs_of_one_request_in_its_order() -> None:
    jobs = [Spec("w0!9", 0, 10, 5), Spec("w0!10", 0, 10, 5)]
    assert run("fcfs", *jobs).starts == {"w0!9": 0, "w0!10": 5}


def test_the_shortest_of_the_waiting_jobs_comes_first() -> None:
    jobs = [Spec("w0!1", 0, 10, 10), Spec("w0!2", 1, 10, 9, 90), Spec("w0!3", 2, 10, 8, 80)]
    jobs += [Spec("w0!4", 3, 10, 7, 90)]
    starts = run("policy", *jobs, order="sjf", backfilling="none").starts
    assert starts == {"w0!1": 0, "w0!3": 10, "w0!2": 18, "w0!4": 27}


def test_the_order_uses_the_estimates_for_queueing() -> None:
    jobs = [Spec("w0!1", 0, 10, 10), Spec("w0!2", 1, 10, 9, 20), Spec("w0!3", 2, 10, 8, 80)]
    assert run("pred_aware", *jobs, predictor="walltime").starts["w0!2"] == 10
    assert run("pred_aware", *jobs, predictor="actual").starts["w0!3"] == 10


def test_with_shortest_first_a_job_without_an_estimate_comes_last() -> None:
    jobs = [Spec("w0!1", 0, 10, 10), Spec("w0!2", 1, 10, 9, None), Spec("w0!3", 2, 10, 8, 80)]
    starts = run("policy", *jobs, order="sjf", backfilling="filler").starts
    assert starts == {"w0!1": 0, "w0!3": 10, "w0!2": 18}


def test_with_a_head_start_a_new_short_job_passes_waiting_long_jobs() -> None:
    queue = [
        Spec("w0!1", 0, 10, 100, 100), Spec("w0!2", 1, 10, 50, 50), Spec("w0!3", 99, 10, 5, 5),
    ]  # fmt: skip
    starts = [
        run("easy", *queue, order={"name": "lxf", "head_start": seconds}).starts
        for seconds in (0, 10)
    ]
    # at 100 the second counts as 99 / 50 late, the third as 1 / 5; with 10 s more as 11 / 5
    assert starts == [{"w0!1": 0, "w0!2": 100, "w0!3": 150}, {"w0!1": 0, "w0!3": 100, "w0!2": 105}]


OLD_AND_LONG = [
    Spec("w0!1", 0, 10, 100, 100), Spec("w0!2", 1, 10, 1000, 1000), Spec("w0!3", 50, 10, 50, 50),
]  # fmt: skip
"""At 100 the second has waited for 99 of its 1000 s, the third for 50 of its 50 s."""


@each_case(
    ("order", "first"),
    [
        ({}, "w0!3"),  # 1099 / 1000 and 100 / 50
        ({"exponent": 0.5}, "w0!2"),  # 1099 / 31.6 and 100 / 7.07
        ({"ageing": 10.0}, "w0!3"),  # 1.099 x 1.6 and 2 x 1.04
        ({"ageing": 40.0}, "w0!2"),  # 1.099 x 3.4 and 2 x 1.16
    ],
)
def test_an_exponent_and_ageing_let_a_long_job_that_has_waited_pass_a_short_one(
    order: dict[str, float], first: str
) -> None:
    starts = run("easy", *OLD_AND_LONG, order={"name": "lxf", **order}, max_wait=200).starts
    assert min((start, job) for job, start in starts.items() if start)[1] == first


def test_ageing_uses_the_wait_of_the_bound() -> None:
    job = Job("w0!1", 0.0, 1, 64.0, queueing=64.0)
    order = Lxf(ageing=16.0)
    assert order.key(job, 64.0) == -2.0
    policy = make_policy(
        "easy",
        {"order": {"name": "lxf", "ageing": 16}, "max_wait": {"backlog": 2, "wait": 100}},
    )
    assert isinstance(policy, Scheduler)
    play(policy, OLD_AND_LONG, 10)
    order = policy._order  # noqa: SLF001 - nothing else tells of it
    bounded = policy._backfilling  # noqa: SLF001
    assert isinstance(order, Lxf)
    assert isinstance(bounded, Bounded)
    # 2 x the largest backlog, which was that of the second and the third together
    assert order.limit == bounded.wait == 2 * 1050.0
    assert order.key(job, order.limit) == -(2100.0 + 64.0) / 64.0 * 17.0


def test_ageing_needs_a_bound() -> None:
    with pytest.raises(OptionError, match="lxf's ageing also needs max_wait"):
        make_policy("easy", {"order": {"name": "lxf", "ageing": 1}})
