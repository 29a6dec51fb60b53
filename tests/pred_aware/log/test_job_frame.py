"""What is there of jobs without JSON has the frame that its JSON would give."""

from functools import partial
from typing import Any

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware.log.workload import Workload
from tests.suites import each_case
from workload_tools.batsim.of_log import raw_workload
from workload_tools.job import Job
from workload_tools.job import Workload as JobsOfALog

WEEK = 7 * 86400.0
FIELDS = st.fixed_dictionaries(
    {"subtime": st.floats(0, 4 * WEEK) | st.just(100)},
    optional={
        "user_id": st.integers(1, 3) | st.just("ann"),
        "user": st.just("bob"),
        "walltime": st.just(60) | st.just(-1),
        "queue": st.sampled_from(["long", "short", None]),
        "memory": st.just(1.5),
        "mem": st.just(2),
        "wait_time": st.just(5),
        "warm_up": st.booleans(),
        "own": st.just([1, {"a": None}]) | st.booleans(),
    },
)


@each_case("kind", ["shaken", "resampled"])
@given(st.lists(FIELDS, max_size=9), st.integers(0, 99))
@settings(max_examples=25)
def test_a_perturbed_copy_has_the_frame_of_its_json(kind: str, jobs: list[Any], seed: int) -> None:
    ends = [{"subtime": 0, "warm_up": True}, {"subtime": 5 * WEEK, "user_id": 7}]
    told = [
        {"id": number, "res": 1, "profile": "D", **job} for number, job in enumerate(ends + jobs)
    ]
    profiles = {"D": {"type": "delay", "delay": 5}}
    own = Workload.of({"nb_res": 4, "start_time": 9.5, "jobs": told, "profiles": profiles})
    copy: Workload = getattr(own, kind)(seed)
    read = Workload.of(copy.raw.content)
    pd.testing.assert_frame_equal(copy.jobs, read.jobs, check_exact=True)
    assert copy.warm_up == read.warm_up
    assert copy.dates == read.dates


NAME = st.none() | st.sampled_from(["7", "007", "ann", "-3"])
NUMBER = st.none() | st.sampled_from([0.0, 1.0, 2.5])


@given(
    st.lists(
        st.builds(
            partial(Job, submit_time=0.0, processors=1),
            id=st.uuids().map(str), run_time=st.sampled_from([0.0, 2.5, 60.0]),
            walltime=st.none() | st.just(90.0), user=NAME, queue=NAME, qos=NAME, project=NAME,
            memory=NUMBER, wait_time=NUMBER, eligible_time=NUMBER, exclusive=st.booleans(),
            nodes=st.none() | st.just(0), status=st.none() | st.integers(0, 1),
            warm_up=st.booleans(), inferred=st.just(()) | st.just(("user",)),
        ),
        max_size=6,
    )
)  # fmt: skip
@settings(max_examples=40)
def test_a_log_has_the_frame_of_its_json(jobs: list[Job]) -> None:
    own = Workload(raw_workload(JobsOfALog(jobs=jobs, processors=4), "a log"))
    read = Workload.of(own.raw.content)
    pd.testing.assert_frame_equal(own.jobs, read.jobs, check_exact=True)
    assert [*own.raw.jobs] == [*read.raw.jobs]
    assert own.raw.profiles == read.raw.profiles
