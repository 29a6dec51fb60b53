"""Limits: which jobs start, wait, and pass waiting jobs."""

from typing import Any

import pytest

from tests.schedulers.site.on_site import job, ran, starts
from tests.suites import each_case

ONE_A_USER = {"limits": [{"of": "jobs", "per": "user", "most": 1}]}
POLICIES = [
    {"policy": "easy"},
    {"policy": "easy", "reservations": 3},
    {"policy": "easy_sjbf"},
    {"policy": "easy", "order": "lxf"},
    {"policy": "conservative"},
    {"policy": "policy", "backfilling": "openpbs"},
    {"policy": "slurm"},
    {"policy": "easy", "max_wait": 50.0},
    {"policy": "policy", "backfilling": "filler"},
]


@each_case("policy", POLICIES)
def test_a_job_stopped_by_a_limit_stops_no_other(policy: dict[str, Any]) -> None:
    jobs = [
        job(1, 0, 1, 50, user_id="ann"),
        job(2, 0, 4, 50, user_id="ann"),
        job(3, 0, 3, 90, user_id="bob"),
    ]
    # job 2 would have a reservation at 50 s, which job 3 would push back
    assert starts(ONE_A_USER, jobs, **policy) == {1: 0.0, 3: 0.0, 2: 90.0}


@each_case("policy", POLICIES)
def test_a_limit_filled_in_a_pass_stops_only_the_next_job_of_its_key(
    policy: dict[str, Any],
) -> None:
    jobs = [
        job(1, 0, 1, 50, user_id="ann"),
        job(2, 0, 1, 50, user_id="ann"),
        job(3, 0, 3, 90, user_id="bob"),
        job(4, 0, 4, 90, user_id="eve"),
    ]
    begun = starts(ONE_A_USER, jobs, **policy)
    assert (begun[1], begun[3]) == (0.0, 0.0)
    assert begun[2] >= 50.0


def test_a_limited_job_without_room_does_not_end_the_pass() -> None:
    of = {1: (1, 10, "dan"), 2: (1, 30, "eve"), 3: (4, 50, "ann"), 4: (2, 50, "bob"),
          5: (1, 25, "ann"), 6: (2, 25, "ann"), 7: (1, 25, "cat")}  # fmt: skip
    jobs = [
        job(number, 0, size, run, walltime=run, user_id=user)
        for number, (size, run, user) in of.items()
    ]
    # job 6 has no room after job 5; another pass would give job 4 a reservation at 10 s
    begun = starts(ONE_A_USER, jobs)
    assert begun == {1: 0.0, 2: 0.0, 5: 0.0, 7: 0.0, 3: 30.0, 4: 80.0, 6: 80.0}


def test_a_stopped_job_has_no_planned_start() -> None:
    jobs = [job(n, 0, 1, 50, user_id="ann") for n in (1, 2, 3)]
    table = ran(ONE_A_USER, jobs, policy="conservative").jobs
    assert table["first_promised_start"].tolist() == [0.0, 50.0, 100.0]


def test_the_record_has_how_long_each_rule_stopped_a_job() -> None:
    jobs = [job(n, 0, 1, 50, user_id="ann") for n in (1, 2, 3)]
    stops = ran(ONE_A_USER, jobs).stops
    assert stops is not None
    assert stops.to_numpy().tolist() == [
        ["2", "1 job per user", 50.0],
        ["3", "1 job per user", 100.0],
    ]


@each_case(
    ("limit", "second"),
    [
        ({"of": "processors", "per": "user", "most": 3}, 50.0),
        ({"of": "processors", "per": "user", "most": 4}, 0.0),
        ({"of": "nodes", "per": "all", "most": 2}, 50.0),
        ({"of": "memory", "per": "queue", "most": 5}, 50.0),
        ({"of": "gpus", "per": ["user", "queue"], "most": 2}, 0.0),
        ({"of": "licences", "licence": "matlab", "per": "all", "most": 1}, 50.0),
        ({"of": "jobs", "per": "user", "most": 9, "by": {"ann": 1}}, 50.0),
        ({"of": "jobs", "per": "user", "most": 1, "only": {"queue": "night"}}, 0.0),
        ({"of": "jobs", "per": "user", "most": 1, "end": 10.0}, 10.0),
        ({"of": "jobs", "per": "user", "most": 1, "begin": 10.0}, 0.0),
    ],
)
def test_limits_count_jobs_by_their_keys(limit: dict[str, Any], second: float) -> None:
    asked = {"node": 2, "mem": 3.0, "gpu": 1, "licences": "matlab:1"}
    jobs = [job(n, 0, 2, 50, user_id="ann", queue="day", **asked) for n in (1, 2)]
    assert starts({"limits": [limit]}, jobs) == {1: 0.0, 2: second}


def test_processor_minutes_decrease_while_jobs_run() -> None:
    limit = {"of": "processor_minutes", "per": "user", "most": 4}
    # each has 2 processors for 2 minutes by its walltime; after 30 s the first has 3 left
    jobs = [job(n, 0, 2, 110, walltime=120, user_id="ann") for n in (1, 2)]
    smaller = [*jobs[:1], job(2, 0, 1, 50, walltime=60, user_id="ann")]
    assert starts({"limits": [limit]}, jobs)[2] == pytest.approx(110)
    assert starts({"limits": [limit]}, smaller)[2] == pytest.approx(30, abs=0.01)


@each_case(("above", "ran_at"), [("waits", None), ("rejected", None), ("alone", 50.0)])
def test_a_job_above_a_limit_by_itself_is_handled_as_the_site_says(
    above: str, ran_at: float | None
) -> None:
    site = {"above": above, "limits": [{"of": "processors", "per": "user", "most": 2}]}
    jobs = [job(1, 0, 1, 50, user_id="ann"), job(2, 0, 3, 10, user_id="ann")]
    run = ran(site, jobs)
    begun = run.jobs["starting_time"].dropna().to_dict()
    assert begun.get("2") == ran_at
    reasons = {"waits": "would wait for ever", "rejected": "exceeds by itself", "alone": ""}
    assert reasons[above] in "".join(run.rejections)


LATER = {"of": "processors", "per": "user", "most": 2, "begin": 60.0}


@each_case("policy", POLICIES)
@each_case("limit", [LATER, {**LATER, "per": "job"}])
def test_a_job_above_a_future_limit_starts_before_it_or_never(
    limit: dict[str, Any], policy: dict[str, Any]
) -> None:
    jobs = [
        job(1, 0, 2, 50), job(2, 0, 3, 30, user_id="ann"), job(3, 0, 3, 5, user_id="bob"),
        job(4, 10, 4, 10, walltime=200, user_id="eve"), job(5, 70, 3, 5, user_id="ann"),
        job(6, 70, 2, 5, user_id="ann"),
    ]  # fmt: skip
    run = ran({"limits": [limit]}, jobs, **policy)
    begun = run.jobs["starting_time"].dropna().to_dict()
    assert (begun.pop("1"), begun.pop("2"), begun.pop("6")) == (0.0, 50.0, 80.0)
    # the others wait at its begin, or are submitted after it
    told = "would wait for ever: it exceeds by itself the site's limit of 2 processors"
    assert (begun, sum(run.rejections.values())) == ({}, 3)
    assert all(reason.startswith(told) for reason in run.rejections)


def test_jobs_above_a_limit_of_submitted_jobs_are_refused() -> None:
    site = {"limits": [{"of": "submitted", "per": "user", "most": 2}]}
    jobs = [job(n, 0, 4, 50, user_id="ann") for n in (1, 2, 3)] + [job(4, 60, 1, 5, user_id="ann")]
    run = ran(site, jobs)
    assert run.rejections == {"exceeds the site's limit of 2 submitted jobs per user": 1}
    assert run.jobs["starting_time"].dropna().to_dict() == {"1": 0.0, "2": 50.0, "4": 100.0}


def test_a_limit_that_counts_all_jobs_includes_those_it_does_not_stop() -> None:
    limit = {"of": "jobs", "per": "project", "most": 1, "only": {"qos": "normal"}, "counts": "all"}
    jobs = [
        job(1, 0, 1, 50, project="lab", qos="high"),
        job(2, 0, 1, 50, project="lab", qos="high"),
        job(3, 0, 1, 50, project="lab", qos="normal"),
    ]
    assert starts({"limits": [limit]}, jobs) == {1: 0.0, 2: 0.0, 3: 50.0}


def test_tasks_of_an_array_keep_its_throttle() -> None:
    jobs = [job(n, 0, 1, 50, array="7", array_limit=2) for n in (1, 2, 3)]
    assert starts({}, jobs) == {1: 0.0, 2: 0.0, 3: 50.0}
