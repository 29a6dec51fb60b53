import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.inspection.columns import accuracy_of
from pred_aware.inspection.inspection import busiest_users
from pred_aware.inspection.load import busy_seconds, by_hour_of_week, flurries, holes, load_of
from pred_aware.report.clock import DAY, HOUR, WEEK, make_clock
from tests.pred_aware.inspection.synthetic_logs import MONDAY, columns_of, job
from workload_tools.job import Job

MOMENTS = st.integers(0, 60)
JOBS = st.lists(st.tuples(MOMENTS, MOMENTS, st.integers(1, 40), st.integers(1, 5)), min_size=1)


def test_load_is_the_work_divided_by_the_capacity_until_the_last_end() -> None:
    log = columns_of(job(0, run_time=100.0, processors=2), job(50, wait_time=50, run_time=100.0))
    load = load_of(log)
    assert load.used == load.taken == (200 + 100) / (4 * 200)
    assert (load.peak, load.overfull, load.guessed) == (2, 0.0, False)
    # allocated and requested processors are distinguished
    load = load_of(columns_of(job(0, processors=1, allocated_processors=4, run_time=100.0)))
    assert (load.used, load.taken, load.peak) == (1.0, 0.25, 4)
    # a job that ends makes room in that second
    assert load_of(columns_of(job(0, processors=4), job(60, processors=4))).peak == 4
    # without a size the most busy at once stand in
    load = load_of(columns_of(job(0), job(30), processors=None))
    assert (load.processors, load.guessed) == (2, True)


def test_more_busy_processors_than_exist_are_reported_with_their_share_of_time() -> None:
    load = load_of(columns_of(job(0, processors=4), job(45, processors=3), processors=4))
    assert load.peak == 7
    assert load.overfull == pytest.approx(15 / 105)


def test_weeks_get_their_work_and_a_short_last_week_joins_the_previous() -> None:
    long = job(0, run_time=2.0 * WEEK, processors=2)
    load = load_of(columns_of(long, job(2 * WEEK + DAY / 2), processors=2))
    assert load.by_week.tolist() == pytest.approx([1.0, WEEK / (WEEK + DAY / 2)])
    assert load.jobs_by_week.tolist() == [1, 1]


@given(JOBS, st.lists(MOMENTS, min_size=2, unique=True).map(sorted))
def test_busy_seconds_equal_a_count_by_second(
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


def test_the_ratio_to_walltimes_counts_only_jobs_with_a_walltime() -> None:
    run_times = (10.0, 50.0, 100.0, 300.0)
    jobs = (job(0, run_time=run_time, walltime=100.0) for run_time in run_times)
    accuracy = accuracy_of(columns_of(*jobs, job(0, run_time=300.0)))
    assert accuracy is not None
    assert (accuracy.jobs, accuracy.median) == (4, 0.5)
    assert (accuracy.below[2], accuracy.below[10], accuracy.below[20]) == (0.25, 0.5, 0.75)
    assert (accuracy.at_walltime, accuracy.beyond) == (0.25, 0.25)
    assert accuracy.work_beyond == 200 / 760
    assert accuracy.walltimes == ((100.0, 1.0),)
    # without walltimes there is no r
    assert accuracy_of(columns_of(job(0))) is None


def test_the_user_with_most_work_is_listed_although_ten_submitted_more() -> None:
    many = [job(0, user=f"u{number}") for number in range(12) for _ in range(3)]
    users = busiest_users(columns_of(*many, job(1, user="long", run_time=1e6, walltime=2e6)))
    assert [user.name for user in users] == [*(f"u{number}" for number in range(10)), "long"]
    assert users[-1].share_of_work > 0.99
    assert users[-1].median_ratio == 0.5


def test_known_fields_are_counted_by_job() -> None:
    log = columns_of(job(0, queue="q", status=1), job(1, partition="p", state="TIMEOUT"))
    assert (log.known["queue"], log.known["user"], log.known["gpus"]) == (1, 2, 0)
    assert log.states == {"completed": 1, "TIMEOUT": 1}
    assert log.queues == {"q": 1, "p": 1}


CLOCK = make_clock(MONDAY, "UTC")


def regular(days: int, a_day: int = 24, **fields: object) -> list[Job]:
    """Make jobs at even distances over some days."""
    return [job(n * DAY / a_day, **fields) for n in range(days * a_day)]


def test_dates_follow_the_time_zone_with_its_clock_changes() -> None:
    log = columns_of(job(0.0), job(5.5 * HOUR))
    in_utc = by_hour_of_week(log, CLOCK)
    assert in_utc[0, 0] == in_utc[0, 5] == 1
    in_new_york = by_hour_of_week(log, make_clock(MONDAY, "America/New_York"))
    assert in_new_york[6, 19] == in_new_york[0, 0] == 1
    # clocks that are put forward are followed
    clock = make_clock(1711846800.0, "Europe/Paris")  # Sunday, 31 March 2024, 2:00, and then 3:00
    hours = clock.hours_of_week(np.array([-1.0, 0.0]))
    assert (hours % 24).tolist() == [1, 3]
    assert clock.date(0.0) == "2024-03-31 03:00"
    # without dates days are counted
    assert make_clock(None, None).date(3 * DAY + 90 * 60.0) == "day 3 01:30"


def test_a_day_without_submissions_is_a_gap_where_jobs_are_usual() -> None:
    log = columns_of(*(one for one in regular(28) if not 9 * DAY < one.submit_time < 11 * DAY))
    (hole,) = holes(log, CLOCK, processors=4)
    assert (hole.begin, hole.length) == (9 * DAY, 2 * DAY)
    assert 36 < hole.usual_jobs < 48
    assert hole.busy is not None
    assert hole.busy < 0.001
    # quiet weekends and logs of a job a day have no holes
    working_days = [one for one in regular(28) if one.submit_time % WEEK < 5 * DAY]
    assert holes(columns_of(*working_days), CLOCK, processors=4) == []
    assert holes(columns_of(*regular(28, a_day=1)), CLOCK, processors=4) == []


def test_a_user_who_outdoes_all_others_makes_a_flurry() -> None:
    others = regular(28, a_day=30, user="bob")
    first = [job(10 * DAY + n, processors=3) for n in range(200)]
    second = [job(12 * DAY + n, processors=3 if n < 100 else 2) for n in range(300)]
    (flurry,) = flurries(columns_of(*others, *first, *second))
    assert (flurry.user, flurry.jobs) == ("ann", 500)
    assert (flurry.begin, flurry.end) == (10 * DAY, 12 * DAY + 299)
    assert flurry.share == 500 / (28 * 30 + 500)
    assert flurry.most_alike == 300 / 500
    # flurries far apart are two and the larger comes first
    small = [job(3 * DAY + n) for n in range(200)]
    large = [job(20 * DAY + n) for n in range(300)]
    found = flurries(columns_of(*regular(28, a_day=30, user="bob"), *small, *large))
    assert [flurry.jobs for flurry in found] == [300, 200]
    # five times the others is not enough
    others = regular(28, a_day=30, user="bob")
    assert flurries(columns_of(*others, *(job(3 * DAY + n) for n in range(150)))) == []
    assert flurries(columns_of(*others, *(job(3 * DAY + n) for n in range(151))))
    # as in HPC2N's log before it was cleaned: 58 % of the jobs were one user's
    mine = regular(28, a_day=400)
    (flurry,) = flurries(columns_of(*mine, *regular(28, a_day=30, user="bob")))
    assert flurry.jobs == len(mine)
