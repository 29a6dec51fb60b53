"""Where estimates come from, and what predictors are told."""

from pathlib import Path

import pytest

from predictors import Submission
from schedulers import Job, SchedulerError, make_policy
from schedulers.contract.playing import Spec, play
from schedulers.core.backfilling import Easy
from schedulers.core.corrections import ToWalltime
from schedulers.core.estimates import UNKNOWN, FromDelay, FromPredictor, FromWalltime, make_source
from schedulers.core.job import submission_of
from schedulers.core.orders import Fcfs
from schedulers.core.scheduler import ROLES, Scheduler
from tests.predictors.jobs import Says
from tests.suites import each_case


def played_with(diary: Says, *specs: Spec) -> None:
    # two sources with one predictor: it is still told once
    sources = {role: FromPredictor(diary, default=50.0) for role in ROLES}
    policy = Scheduler(Fcfs(), Easy(), estimates=sources, correction=ToWalltime())
    play(policy, specs, 10)


def test_a_predictor_receives_each_event_once_and_at_its_date() -> None:
    diary = Says()
    played_with(diary, Spec("a", 0, 10, 7, 20), Spec("b", 3, 10, 5, 20))
    assert diary.heard == [
        ("submitted", "a", 0), ("started", "a", 0), ("submitted", "b", 3),
        ("learn", "a", 7), ("started", "b", 7), ("learn", "b", 12),
    ]  # fmt: skip


def test_the_run_time_of_a_killed_job_is_its_walltime() -> None:
    diary = Says()
    played_with(diary, Spec("a", 0, 10, 70, 20), Spec("b", 0, 10, 5, 20))
    assert diary.run_times == {"a": 20, "b": 5}


def test_a_predictor_without_the_optional_methods_receives_only_ends() -> None:
    specs = [Spec(f"w0!{n}", 40 * n, 2, 10, 100, "ann") for n in range(3)]
    assert len(play(make_policy("easy", {"predictor": "last_two"}), specs, 10).ends) == 3


@each_case(
    ("delay", "walltime", "estimate"), [(7.5, 60.0, 7.5), (0.0, 60.0, 1.0), (90.0, 60.0, 60.0)]
)
def test_the_actual_run_time_is_between_a_second_and_the_walltime(
    delay: float, walltime: float, estimate: float
) -> None:
    job = Job("w0!1", 0.0, 4, walltime, delay=delay)
    assert FromDelay().estimate(job, 0.0) == estimate


def test_the_actual_run_time_of_a_job_without_a_delay_is_an_error_that_names_it() -> None:
    with pytest.raises(SchedulerError, match="job 'w0!1' has no delay profile"):
        FromDelay().estimate(Job("w0!1", 0.0, 4, 60.0), 0.0)


def test_without_a_walltime_there_is_no_estimate_or_the_default() -> None:
    job = Job("w0!1", 0.0, 4, None)
    assert FromWalltime().estimate(job, 0.0) == UNKNOWN
    assert make_source("last_two").estimate(job, 0.0) == 86400
    assert make_source({"name": "last_two", "default": 50}).estimate(job, 0.0) == 50


def test_a_submission_has_the_fields_of_the_workload_under_their_own_names() -> None:
    fields = {
        "id": "w0!1", "subtime": 0, "res": 4, "profile": "p", "user": "ann", "group": 3,
        "project": "x", "queue": "q", "partition": None, "executable": "e", "name": "n",
        "qos": 1, "node": 2, "gpu": 4, "mem": 3, "status": 1,
    }  # fmt: skip
    submission = submission_of(Job("w0!1", 5.0, 4, 60.0, fields=fields))
    assert submission == Submission(
        id="w0!1", submit_time=5.0, processors=4, walltime=60.0, user="ann", group="3",
        project="x", queue="q", executable="e", name="n", qos="1", nodes=2, gpus=4, memory=3.0,
    )  # fmt: skip


@each_case("fields", [None, {}, {"gpu": "many", "mem": [1], "user_id": None}])
def test_a_missing_or_invalid_field_is_none(fields: dict[str, object] | None) -> None:
    submission = submission_of(Job("w0!1", 5.0, 4, 60.0, fields=fields))
    assert submission == Submission(id="w0!1", submit_time=5.0, processors=4, walltime=60.0)


def test_a_history_warms_the_predictor(tmp_path: Path) -> None:
    history = tmp_path / "past.swf"
    line = "{n} {n} 0 {run} 4 -1 -1 4 3600 -1 1 7 1 2 0 1 -1 -1\n"
    history.write_text("; MaxProcs: 8\n" + "".join(line.format(n=n, run=20) for n in (1, 2)))
    # the second job is estimated at 20 s where its user's two past jobs are known
    specs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 5), Spec("c", 2, 2, 20, 900, "7")]
    cold = play(make_policy("easy", {"predictor": "last_two"}), specs, 10)
    warm = make_policy("easy", {"predictor": "last_two", "history": str(history)})
    assert (cold.starts["c"], play(warm, specs, 10).starts["c"]) == (105, 2)


@each_case(
    ("fields", "walltime", "estimate"),
    [
        ({"soft_walltime": 30}, 60.0, 30.0),
        ({"soft_walltime": 90.0}, 60.0, 60.0),
        ({"soft_walltime": 0.5}, None, 1.0),
        ({"soft_walltime": -1}, 60.0, 60.0),
        ({"soft_walltime": "long"}, 60.0, 60.0),
        ({}, 60.0, 60.0),
        (None, None, UNKNOWN),
    ],
)
def test_recorded_soft_walltimes_are_the_estimates(
    fields: dict[str, object] | None, walltime: float | None, estimate: float
) -> None:
    source = make_source("recorded")
    assert source.estimate(Job("w0!1", 0.0, 4, walltime, fields), 0.0) == estimate
