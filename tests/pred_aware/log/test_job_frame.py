"""A shake or a resample has the frame that its JSON would give, though no JSON is made of it."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware.log.workload import Workload

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


@pytest.mark.parametrize("kind", ["shaken", "resampled"])
@given(st.lists(FIELDS, max_size=9), st.integers(0, 99))
@settings(max_examples=50)
def test_a_copy_has_the_frame_of_its_json(kind: str, jobs: list[Any], seed: int) -> None:
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
