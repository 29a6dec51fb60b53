import numpy as np
import pytest

from pred_aware.prediction.groups import by_length, by_name, of_users

ESTIMATES = np.array([3600.0, 7300.0, 90000.0, 90000.0])
RUN_TIMES = np.array([7200.0, 7201.0, 86400.0, 86401.0])
WALLTIMES = np.array([10800.0, np.nan, 86400.0, 172801.0])


def test_jobs_of_2_h_are_short_and_of_24_h_medium() -> None:
    short, medium, long = by_length(ESTIMATES, RUN_TIMES, walltimes=WALLTIMES)
    assert [group.jobs for group in (short, medium, long)] == [1, 2, 1]
    assert (short.underestimated, short.mae, short.walltime_mae, short.gain) == (1, 3600, 3600, 0)
    assert (medium.mae, medium.walltime_mae, medium.gain) == (1849.5, 0.0, -3600.0)
    assert medium.quartiles == pytest.approx((974.25, 1849.5, 2724.75))
    assert (long.share, long.walltime_quartiles) == (0.25, (86400.0,) * 3)


def test_a_length_that_no_job_has_has_no_figures() -> None:
    *_, long = by_length(ESTIMATES[:2], RUN_TIMES[:2], walltimes=WALLTIMES[:2])
    assert (long.jobs, long.mae, long.underestimated, long.quartiles) == (0, None, None, None)


def test_groups_come_by_their_number_of_jobs_and_jobs_without_a_name_are_left_out() -> None:
    found = by_name(["eve", "bob", None, "bob"], ESTIMATES, RUN_TIMES, walltimes=WALLTIMES)
    told = [(group.name, group.jobs, group.mae) for group in found]
    assert told == [("bob", 2, (99 + 3599) / 2), ("eve", 1, 3600.0)]


def test_users_are_summed_up_by_what_changed_for_them() -> None:
    names = ["ann", "bob", "eve", "joe"]
    estimates = np.array([100.0, 100.0, 90000.0, 60.0])
    run_times = np.array([100.0, 150.0, 30.0, 60.0])
    walltimes = np.array([90000.0, 160.0, 40.0, np.nan])
    groups = by_name(names, estimates, run_times, walltimes=walltimes)
    users = of_users(groups, jobs=5)
    assert (users.users, users.better, users.worse) == (3, 1 / 3, 2 / 3)
    assert (users.better_by_a_day, users.largest_deterioration) == (1 / 3, 89970.0 - 10.0)
    assert users.jobs_without_user == 1
    # no users at all have no figures
    users = of_users([], jobs=7)
    assert (users.users, users.better, users.largest_deterioration) == (0, None, None)
