"""Explanations of hand-made schedules, and what must hold for every job of any schedule."""

import re
from typing import Any

import numpy as np
import pytest

import pred_aware as pa
from pred_aware.errors import PredAwareError
from pred_aware.explanation.rules import EASY, OTHER, PLAN, SchedulingRules
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


def test_parts_of_a_wait_are_named_by_the_jobs_that_held_the_processors() -> None:
    # 1 runs on three of four processors, 2 needs all, 3 overtakes on the fourth
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50), (20, 1, 60, 20)), "easy")

    found = pa.explain(run, 2)

    assert [(one.kind, one.jobs) for one in found.reasons] == [("running", 1), ("overtook", 1)]
    assert sum(one.seconds for one in found.reasons) == pytest.approx(490)
    # 3 held one processor for 20 of 490 s, beside the three of 1
    assert found.reasons[1].seconds == pytest.approx(490 * 20 / (3 * 490 + 20))
    assert found.started_after == ("1",)


def test_reserving_processors_for_the_first_job_is_a_reason() -> None:
    # 2 has reserved the machine for 900 s; 3 would run beyond that
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50), (20, 1, 2000, 20)), "easy")

    found = pa.explain(run, 3)

    kept = found.reasons[0]
    assert (kept.kind, kept.most[0].job) == ("kept", "2")
    assert kept.seconds == pytest.approx(480)
    assert "reserved for the first job in the queue (job 2)" in str(found)


def test_a_planned_start_moves_when_a_job_ends_early() -> None:
    run = pa.simulate(
        workload((0, 3, 900, 100), (0, 1, 400, 400), (10, 4, 900, 50), (50, 4, 900, 50)),
        "conservative",
    )

    found = pa.explain(run, 4)

    told = [(one.at, one.start, one.later) for one in found.promises[:2]]
    assert told == [(50, 1800, None), (100, 1300, -500)]
    cause = found.promises[1].causes[0]
    assert (cause.kind, cause.job, cause.planned, cause.now) == ("ended", "1", 900, 100)


def test_a_planned_start_moves_when_a_job_outlives_its_estimate() -> None:
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


def test_an_overtaking_job_has_the_rule_that_let_it_start() -> None:
    waits, short, long = (10, 4, 900, 50), (20, 1, 200, 60), (20, 1, 6000, 60)
    loose = {"name": "openpbs", "strict_ordering": False}
    cases: list[tuple[str, dict[str, Any], Any, Any]] = [
        ("order", {"order": "sjf"}, waits, (20, 4, 60, 60)),
        ("ends_in_time", {}, waits, short),
        ("left_over", {}, (10, 3, 900, 50), (20, 1, 6000, 6000)),
        ("gap", {"backfilling": "conservative"}, waits, short),
        ("gap", {"backfilling": "openpbs"}, waits, short),
        ("free", {"backfilling": "filler"}, waits, long),
        ("free", {"backfilling": loose}, waits, long),
        # when the fourth processor is free again, both have waited for long enough
        ("bound", {"max_wait": 30}, waits, short),
        ("around", {"max_wait": 40}, waits, short),
    ]
    for rule, options, waiting, overtaking in cases:
        made = workload((0, 3, 300, 300), (0, 1, 60, 55), waiting, overtaking)
        found = pa.explain(pa.simulate(made, "policy", **options), 3)
        told = [(one.job, one.rule) for one in found.overtaken_by]
        assert told == [("4", rule)], (rule, options)


def test_easy_with_an_unknown_option_counts_as_other_backfilling() -> None:
    kinds = [({"reservations": 1}, EASY), ({"reservations": 2}, PLAN), ({"x": 1}, OTHER)]
    for own, kind in kinds:
        told = {"backfilling": {"name": "easy", "candidates": "queue", **own}}
        assert SchedulingRules("policy", told, Recording()).backfilling == kind, own


@pytest.mark.slow
def test_overtaking_jobs_agree_with_the_measures_and_parts_sum_to_the_wait(log: pa.JobLog) -> None:
    for scheduler, options in SCHEDULERS.items():
        try:
            check_explanations(pa.simulate(log, scheduler, **options), RULES[scheduler])
        except AssertionError as error:
            error.add_note(scheduler)
            raise


def check_explanations(run: pa.Run, rules: set[str]) -> None:
    explainer = pa.Explainer(run)
    frame = run.ran
    submission, start = (
        frame[column].to_numpy() for column in ("submission_time", "starting_time")
    )
    were = overtaken(submission, start)

    for place, job in enumerate(run.ids_in_workload):
        found = explainer.explain(job)
        assert bool(found.overtaken_by) == were[place]
        assert {one.rule for one in found.overtaken_by} <= rules
        waited = start[place] - submission[place]
        assert sum(one.seconds for one in found.reasons) == pytest.approx(waited)
        assert sum(one.share for one in found.reasons) == pytest.approx(float(waited > 0.0))
        # what the journal has, too
        row = run.jobs.loc[job]
        assert len(found.corrections) == row.get("corrections", 0)
        if found.corrections:
            assert found.corrections[-1].after == pytest.approx(row["last_estimate"])
        if found.promises and "first_promised_start" in row:
            assert found.promises[0].start == pytest.approx(row["first_promised_start"])
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


IN_WORDS = """
  easy 4
    Job 4 (1 of 4 processors, walltime 33 min 20 s) waited 8 min 45 s: submitted on day 0 00:00,
      started on day 0 00:09, and ran 20 s.
    The main reason (69 % of the wait): enough processors were free, but reserved for other
      waiting jobs.
    For 6 min of the wait (69 %), at least 1 processor was free, but reserved for the first job in
      the queue (job 2): this job's estimated end was after the planned start of that job.
    For 2 min 45 s of the wait (31 %), no processor was free.
    55 % of the processors in use during this time were held by 2 jobs that already ran when this
      job was submitted: job 1 (3 processors for 1 min 55 s) and job 3 (1 processor for 15 s).
    30 % of the processors in use during this time were held by 1 job that was submitted no later
      than this job and started while it waited: job 2 (4 processors for 50 s).
    15 % of the processors in use during this time were held by 1 job that was submitted later than
      this job and started before it: job 5 (1 processor for 1 min 40 s).
    Job 5, submitted later, started before this job: it was estimated to end before the planned
      start of the first job in the queue; it used 1 processor for 1 min 40 s.
    After 7 min 55 s, it was first in the queue, and got a planned start on day 0 00:23; it
      started 14 min 10 s earlier than planned.
    It started as the first job in the queue when job 2 ended.
    When it was submitted, 2 other jobs ran on 4 of 4 processors, and 1 other job waited for 4
      processors in total, ahead of this job.
  conservative 5
    For 5 min of the wait (68 %), at least 1 processor was free, but reserved for the planned
      starts of other waiting jobs.
    When it was submitted, it first got a planned start on day 0 00:45; it started 36 min 40 s
      earlier than planned.
    This planned start moved 2 times to an earlier date.
    On day 0 00:01, the planned start moved 8 min 20 s earlier, to day 0 00:36: job 1 ended 13 min
      20 s earlier than planned.
    On day 0 00:07, the planned start moved 14 min 10 s earlier, to day 0 00:22: job 3 ended 14 min
      10 s earlier than planned.
  corrected 1
    Job 1 (4 of 4 processors, walltime 15 min) did not wait: it started on day 0 00:00, when it
      was submitted, and ran 8 min 20 s.
    It ran longer than its estimate of 1 min 40 s, which was therefore corrected 3 times, first
      on day 0 00:01, finally to 13 min 20 s.
"""


def test_sentences_have_the_numbers_of_the_values() -> None:
    first, second = (0, 3, 900, 500), (10, 4, 900, 50)
    moving = ((0, 3, 900, 100), (0, 1, 400, 400), second, (50, 4, 900, 50), (60, 1, 2000, 1500))
    constant = {"running": {"name": "constant", "seconds": 100}}
    waiting = workload(first, second, (20, 1, 60, 20), (25, 1, 2000, 20), (30, 1, 100, 130))
    alone = workload((0, 4, 900, 500))
    found = {
        "easy 4": pa.explain(pa.simulate(waiting, "easy"), 4),
        "conservative 5": pa.explain(pa.simulate(workload(*moving), "conservative"), 5),
        "corrected 1": pa.explain(
            pa.simulate(alone, "easy", estimates=constant, correction="doubling"), 1
        ),
    }
    parts = re.split(r"\n  (?=\w)", IN_WORDS)[1:]
    for part in parts:
        name, _, text = part.partition("\n")
        for sentence in re.split(r"\n    (?=\S)", f"\n{text}")[1:]:
            assert " ".join(sentence.split()) in [str(one) for one in found[name].sentences], name


def test_sentences_hold_names_separately() -> None:
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50), (20, 1, 60, 20)), "easy")

    found = pa.explain(run, 2)

    numbered = " ".join(one.text(lambda name: f"<{name.kind}>") for one in found.sentences)
    assert "job 3" in str(found)
    assert "<job>" in numbered
    assert "job 3" not in numbered


def test_an_unknown_job_is_reported_with_the_nearest_names() -> None:
    run = pa.simulate(workload((0, 3, 900, 500), (10, 4, 900, 50)), "easy")

    with pytest.raises(PredAwareError, match=r"has no job '22'; the nearest names are 2, 1"):
        pa.explain(run, 22)


def test_a_rejected_job_has_its_reason() -> None:
    run = pa.simulate(workload((0, 3, 900, 500), (10, 5, 900, 50)), "easy")

    found = pa.explain(run, 2)

    assert found.facts.started is None
    assert "was rejected and never ran: it asks for 5 processors; the machine has 4." in str(found)
