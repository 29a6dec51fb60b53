import numpy as np

from pred_aware.inspection.load import by_hour_of_week, flurries, holes
from pred_aware.report.clock import DAY, HOUR, WEEK, make_clock
from tests.pred_aware.inspection.synthetic_logs import MONDAY, columns_of, job
from workload_tools.job import Job

CLOCK = make_clock(MONDAY, "UTC")


def regular(days: int, a_day: int = 24, **fields: object) -> list[Job]:
    """Make jobs at even distances over some days."""
    return [job(n * DAY / a_day, **fields) for n in range(days * a_day)]


def test_dates_are_those_of_the_time_zone_and_its_clocks() -> None:
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


def test_a_day_without_submissions_is_a_hole_where_jobs_are_usual() -> None:
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
