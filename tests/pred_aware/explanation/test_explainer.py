"""Explanations of hand-made schedules, and what must hold for every job of any schedule."""

from typing import Any

import numpy as np
import pytest

import pred_aware as pa
from pred_aware.errors import PredAwareError
from pred_aware.explanation.rules import EASY, OTHER, PLAN, Rules
from pred_aware.metrics.overtaking import overtaken
from schedulers.recording import Recording
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.simulator import world

SCHEDULERS: dict[str, dict[str, Any]] = {
    "easy": {}, "easy_bf": {}, "conservative": {}, "conservative_bf": {}, "easy_plus_plus": {},
    "soft_conservative": {"predictor": "last_two"}, "wfp": {}, "fcfs": {}, "filler": {},
    "pred_aware": {"predictor": "last_two", "max_wait": 3600},
}  # fmt: skip
"""Each with what it is given; a run of each kind."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> pa.JobLog:
    return pa.read_log(write_log(tmp_path_factory.mktemp("log") / "made.swf", jobs=70))


def workload(*jobs: tuple[float, int, float, float]) -> pa.Workload:
    """Make one of jobs (submission, processors, walltime, run time) for four processors."""
    told = enumerate(jobs, 1)
    return world.workload_of(
        [world.job(n, at, size, run, limit) for n, (at, size, limit, run) in told], 4
    )


def test_the_parts_of_a_wait_are_told_by_who_held_the_processors() -> None:
    # 1 runs on three of four processors, 2 needs all, 3 overtakes on the fourth
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50), (20, 1, 60, 20)), "easy")

    found = pa.explain(run, 2)

    assert [(one.kind, one.jobs) for one in found.reasons] == [("running", 1), ("overtook", 1)]
    assert sum(one.seconds for one in found.reasons) == pytest.approx(490)
    # 3 held one processor for 20 of 490 s, beside the three of 1
    assert found.reasons[1].seconds == pytest.approx(490 * 20 / (3 * 490 + 20))
    assert found.started_after == ("1",)


def test_processors_that_are_kept_for_the_first_of_the_queue_are_a_reason() -> None:
    # 2 has reserved the machine for 900 s; 3 would run beyond that
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50), (20, 1, 2000, 20)), "easy")

    found = pa.explain(run, 3)

    kept = found.reasons[0]
    assert (kept.kind, kept.most[0].job) == ("kept", "2")
    assert kept.seconds == pytest.approx(480)
    assert "reserved for the first of the queue (job 2)" in str(found)


def test_a_promise_moves_when_a_job_ends_early() -> None:
    run = pa.simulate(
        workload((0, 3, 900, 100), (0, 1, 400, 400), (10, 4, 900, 50), (50, 4, 900, 50)),
        "conservative",
    )

    found = pa.explain(run, 4)

    told = [(one.at, one.start, one.later) for one in found.promises[:2]]
    assert told == [(50, 1800, None), (100, 1300, -500)]
    cause = found.promises[1].causes[0]
    assert (cause.kind, cause.job, cause.planned, cause.now) == ("ended", "1", 900, 100)


def test_a_promise_moves_when_a_job_outlives_its_estimate() -> None:
    run = pa.simulate(
        workload((0, 4, 900, 500), (10, 4, 900, 50), (150, 4, 900, 50)),
        "easy",
        estimates={"running": {"name": "constant", "seconds": 100}},
        correction="doubling",
    )

    first, second = pa.explain(run, 2).promises

    assert (first.start, second.start, second.later) == (100, 200, 100)
    cause = second.causes[0]
    assert (cause.kind, cause.job, cause.at) == ("corrected", "1", 100)
    assert [one.after for one in pa.explain(run, 1).corrections] == [200, 400, 800]


@pytest.mark.parametrize(
    ("rule", "options", "waits", "overtakes"),
    [
        ("order", {"order": "sjf"}, (10, 4, 900, 50), (20, 4, 60, 60)),
        ("ends_in_time", {}, (10, 4, 900, 50), (20, 1, 200, 60)),
        ("left_over", {}, (10, 3, 900, 50), (20, 1, 6000, 6000)),
        ("gap", {"backfilling": "conservative"}, (10, 4, 900, 50), (20, 1, 200, 60)),
        ("gap", {"backfilling": "openpbs"}, (10, 4, 900, 50), (20, 1, 200, 60)),
        ("free", {"backfilling": "filler"}, (10, 4, 900, 50), (20, 1, 6000, 60)),
        (
            "free",
            {"backfilling": {"name": "openpbs", "strict_ordering": False}},
            (10, 4, 900, 50),
            (20, 1, 6000, 60),
        ),
        # when the fourth processor is free again, both have waited for long enough
        ("bound", {"max_wait": 30}, (10, 4, 900, 50), (20, 1, 200, 60)),
        ("around", {"max_wait": 40}, (10, 4, 900, 50), (20, 1, 200, 60)),
    ],
)
def test_the_rule_by_which_a_job_overtook_is_told(
    rule: str,
    options: dict[str, Any],
    waits: tuple[float, int, float, float],
    overtakes: tuple[float, int, float, float],
) -> None:
    made = workload((0, 3, 300, 300), (0, 1, 60, 55), waits, overtakes)

    found = pa.explain(pa.simulate(made, "policy", **options), 3)

    assert [(one.job, one.rule) for one in found.overtaken_by] == [("4", rule)]


@pytest.mark.parametrize(
    ("own", "kind"), [({"reservations": 1}, EASY), ({"reservations": 2}, PLAN), ({"x": 1}, OTHER)]
)
def test_easy_with_an_option_that_is_not_known_is_another_backfilling(
    own: dict[str, int], kind: str
) -> None:
    told = {"backfilling": {"name": "easy", "candidates": "queue", **own}}

    assert Rules("policy", told, Recording()).backfilling == kind


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_who_overtook_is_who_the_measures_say_and_parts_make_up_the_wait(
    log: pa.JobLog, scheduler: str
) -> None:
    run = pa.simulate(log, scheduler, **SCHEDULERS[scheduler])
    explainer = pa.Explainer(run)
    frame = run.ran
    submission, start = (
        frame[column].to_numpy() for column in ("submission_time", "starting_time")
    )
    were = overtaken(submission, start)

    for place, job in enumerate(run.ids_in_workload):
        found = explainer.explain(job)
        assert bool(found.overtaken_by) == were[place]
        assert {one.rule for one in found.overtaken_by} <= RULES[scheduler]
        waited = start[place] - submission[place]
        assert sum(one.seconds for one in found.reasons) == pytest.approx(waited)
        assert sum(one.share for one in found.reasons) == pytest.approx(float(waited > 0.0))
    assert np.any(start > submission)


RULES = {
    "easy": {"ends_in_time", "left_over"},
    "easy_bf": {"ends_in_time", "left_over"},
    "conservative": {"gap"},
    "conservative_bf": {"gap"},
    "easy_plus_plus": {"ends_in_time", "left_over"},
    "soft_conservative": {"gap"},
    "wfp": {"order", "ends_in_time", "left_over"},
    "fcfs": set[str](),
    "filler": {"free"},
    "pred_aware": {"order", "free", "bound", "around"},
}


@pytest.mark.parametrize("scheduler", ["easy_plus_plus", "soft_conservative"])
def test_promises_and_corrections_are_those_of_the_journal(log: pa.JobLog, scheduler: str) -> None:
    run = pa.simulate(log, scheduler, **SCHEDULERS[scheduler])
    explainer = pa.Explainer(run)

    for job, row in run.jobs.iterrows():
        found = explainer.explain(str(job))
        assert len(found.corrections) == row["corrections"]
        if found.corrections:
            assert found.corrections[-1].after == pytest.approx(row["last_estimate"])
        if found.promises:
            assert found.promises[0].start == pytest.approx(row["first_promised_start"])


def test_names_stand_apart_from_words() -> None:
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50), (20, 1, 60, 20)), "easy")

    found = pa.explain(run, 2)

    numbered = " ".join(one.text(lambda name: f"<{name.kind}>") for one in found.sentences)
    assert "job 3" in str(found)
    assert "<job>" in numbered
    assert "job 3" not in numbered


def test_a_job_that_is_not_there_is_told_with_the_nearest_names() -> None:
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50)), "easy")

    with pytest.raises(PredAwareError, match=r"has no job '22'; the nearest names are 2, 1"):
        pa.explain(run, 22)


def test_a_job_that_was_rejected_says_why() -> None:
    run = pa.simulate(workload((0, 3, 900, 500), (10, 5, 900, 50)), "easy")

    found = pa.explain(run, 2)

    assert found.facts.started is None
    assert "was rejected and never ran: it asks for 5 processors; the machine has 4." in str(found)
