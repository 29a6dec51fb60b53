"""Jobs in columns behave as a list of the same jobs does."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from workload_tools.job import Job, later, values_of
from workload_tools.job_columns import JobColumns

NAMES = st.none() | st.sampled_from(["7", "0", "007", "ann", "-1", "", "9" * 19, "²"])
TIMES = st.none() | st.sampled_from([0.0, -0.0, 5.5, 2.0**60, 7])
JOBS = st.lists(
    st.builds(
        Job,
        id=st.sampled_from(["1", "2", "2.batch"]),
        submit_time=st.sampled_from([0.0, 3.5, 3.5, 1e9]),
        processors=st.integers(1, 2**70),
        run_time=st.sampled_from([1.0, 60.0]),
        walltime=TIMES,
        eligible_time=TIMES,
        user=NAMES,
        nodes=st.none() | st.integers(0, 3),
        exclusive=st.booleans(),
        inferred=st.sampled_from([(), ("user",)]),
    ),
    min_size=1,
    max_size=6,
)


@given(JOBS)
def test_as_a_list(jobs: list[Job]) -> None:
    columns = JobColumns.of(jobs)
    assert columns == jobs
    assert jobs == columns
    assert repr(columns) == repr(jobs)
    assert [columns[place] for place in range(-len(jobs), len(jobs))] == jobs + jobs
    assert columns[1:] == jobs[1:]
    assert columns[::-2] == jobs[::-2]
    assert jobs[-1] in columns
    assert pickle.loads(pickle.dumps(columns)) == jobs  # noqa: S301 - our own
    assert columns != jobs[1:]
    for name in Job.__struct_fields__:
        assert repr(values_of(columns, name)) == repr(values_of(jobs, name))


@given(JOBS, JOBS)
def test_one_behind_the_other(jobs: list[Job], others: list[Job]) -> None:
    lots = [*jobs, JobColumns.of(others), JobColumns.of(jobs), *others]
    assert repr(JobColumns.joined(lots)) == repr([*jobs, *others, *jobs, *others])


@given(JOBS)
def test_later_and_by_submission(jobs: list[Job]) -> None:
    columns = JobColumns.of(jobs)
    moved = [later(job, -3.5) for job in jobs]
    assert repr(columns.later(-3.5)) == repr(moved)
    assert columns.by_submission() == sorted(jobs, key=lambda job: job.submit_time)


@given(JOBS)
def test_numbers_given_where_there_are_none(jobs: list[Job]) -> None:
    given_ones = [job if job.walltime is not None else replace(job, walltime=9.0) for job in jobs]
    assert JobColumns.of(jobs).with_given("walltime", 9.0) == given_ones


def test_beyond_its_jobs() -> None:
    columns = JobColumns.of([Job(id="1", submit_time=0.0, processors=1, run_time=1.0)])
    with pytest.raises(IndexError):
        columns[1]


def test_more_than_are_made_at_once() -> None:
    jobs = [Job(id=f"{n}", submit_time=n, processors=1, run_time=1.0) for n in range(9000)]
    columns = JobColumns.of(jobs)
    assert [*columns] == jobs
    assert all(one.submit_time < other.submit_time for one, other in pairwise(columns))
