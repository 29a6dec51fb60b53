import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.inspection.load import busy_seconds, load_of
from pred_aware.report.clock import DAY, WEEK
from tests.pred_aware.inspection.synthetic_logs import columns_of, job

MOMENTS = st.integers(0, 60)
JOBS = st.lists(st.tuples(MOMENTS, MOMENTS, st.integers(1, 40), st.integers(1, 5)), min_size=1)


def test_load_is_the_work_over_what_the_machine_had_until_the_last_end() -> None:
    log = columns_of(job(0, run_time=100.0, processors=2), job(50, wait_time=50, run_time=100.0))
    load = load_of(log)
    assert load.used == load.taken == (200 + 100) / (4 * 200)
    assert (load.peak, load.overfull, load.guessed) == (2, 0.0, False)
    # what jobs had is told from what they take
    load = load_of(columns_of(job(0, processors=1, allocated_processors=4, run_time=100.0)))
    assert (load.used, load.taken, load.peak) == (1.0, 0.25, 4)
    # a job that ends makes room in that second
    assert load_of(columns_of(job(0, processors=4), job(60, processors=4))).peak == 4
    # without a size the most busy at once stand in
    load = load_of(columns_of(job(0), job(30), processors=None))
    assert (load.processors, load.guessed) == (2, True)


def test_more_busy_than_there_are_is_told_with_its_share_of_the_time() -> None:
    load = load_of(columns_of(job(0, processors=4), job(45, processors=3), processors=4))
    assert load.peak == 7
    assert load.overfull == pytest.approx(15 / 105)


def test_weeks_get_what_ran_in_them_and_a_short_last_piece_joins_the_week_before() -> None:
    long = job(0, run_time=2.0 * WEEK, processors=2)
    load = load_of(columns_of(long, job(2 * WEEK + DAY / 2), processors=2))
    assert load.by_week.tolist() == pytest.approx([1.0, WEEK / (WEEK + DAY / 2)])
    assert load.jobs_by_week.tolist() == [1, 1]


@given(JOBS, st.lists(MOMENTS, min_size=2, unique=True).map(sorted))
def test_busy_seconds_are_those_counted_second_by_second(
    jobs: list[tuple[int, int, int, int]], edges: list[int]
) -> None:
    log = columns_of(
        *(job(at, wait_time=wait, run_time=run, processors=size) for at, wait, run, size in jobs)
    )
    busy = np.zeros(300)
    for at, wait, run, size in jobs:
        busy[at + wait : at + wait + run] += size
    expected = [busy[begin:end].sum() for begin, end in itertools.pairwise(edges)]
    assert busy_seconds(log, np.array(edges, dtype=float)).tolist() == pytest.approx(expected)
