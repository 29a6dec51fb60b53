import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.errors import PredAwareError
from pred_aware.prediction.groups import by_length, by_name, of_users
from pred_aware.prediction.measures import measure

TIMES = st.floats(0.0, 1e6)
JOBS = st.lists(
    st.tuples(st.floats(1.0, 1e6), TIMES, st.one_of(st.none(), st.floats(1.0, 1e6))),
    min_size=1,
    max_size=40,
)


def arrays(*columns: list[float | None]) -> list[np.ndarray]:
    return [np.array([np.nan if x is None else x for x in column], float) for column in columns]


# estimate, run time, walltime: over by 7200, under by 100, exact to half a second, none known
FOUR = arrays([10800, 500, 60.5, 90], [3600, 600, 60, 30], [14400, 700, 60.5, None])


def test_errors_of_four_jobs_computed_by_hand() -> None:
    estimates, run_times, walltimes = FOUR
    found = measure(estimates, run_times, walltimes=walltimes)
    assert found.mae == (7200 + 100 + 0.5 + 60) / 4
    assert found.mse == (7200**2 + 100**2 + 0.25 + 3600) / 4
    assert (found.over, found.under, found.exact) == (0.5, 0.25, 0.25)
    assert (found.over_errors.min, found.over_errors.max) == (60.0, 7200.0)
    assert (found.over_errors.mean, found.over_errors.within_hour) == (3630.0, 0.5)
    assert (found.under_errors.max, found.under_errors.within_hour) == (100.0, 1.0)
    assert (found.underestimated, found.underestimated_within_walltime) == (0.25, 1 / 3)
    assert found.deviation_ratio == pytest.approx((3 + 1.2 + 60.5 / 60 + 3) / 4)
    assert found.without_walltime == 1


def test_effectiveness_counts_underestimates_as_0_or_leaves_them_out() -> None:
    estimates, run_times, walltimes = FOUR
    found = measure(estimates, run_times, walltimes=walltimes).effectiveness
    # of the three with a walltime: 1 - 7200 / 10800, 0 for the underestimate, 1 - 0.5 / 0.5
    assert found.general == pytest.approx((1 / 3 + 0 + 0) / 3)
    assert found.valid == pytest.approx((1 / 3 + 0) / 2)
    assert (found.jobs, found.valid_jobs) == (3, 2)


def test_a_measure_without_its_inputs_is_unknown() -> None:
    found = measure(*arrays([60.0], [60.0]), walltimes=np.array([60.0])).effectiveness
    assert (found.general, found.valid, found.jobs) == (None, None, 0)
    # without any walltime what needs one is none
    found = measure(*arrays([60.0], [70.0]), walltimes=np.array([np.nan]))
    assert (found.walltime.jobs, found.walltime.mae, found.walltime.overrun) == (0, None, None)
    assert found.underestimated_within_walltime is None
    assert (found.r2, found.without_walltime) == (None, 1)
    # nothing is an error
    with pytest.raises(PredAwareError, match="no job to evaluate"):
        measure(*arrays([], []), walltimes=np.array([]))


@given(JOBS)
def test_measures_equal_those_computed_with_loops(
    jobs: list[tuple[float, float, float | None]],
) -> None:
    estimates, run_times, walltimes = arrays(*map(list, zip(*jobs, strict=True)))
    found = measure(estimates, run_times, walltimes=walltimes)
    errors = [e - r for e, r, _ in jobs]
    mean = statistics.fmean(run_times)
    spread = sum((r - mean) ** 2 for r in run_times)
    assert found.mae == pytest.approx(statistics.fmean(map(abs, errors)))
    assert found.rmse == pytest.approx(math.sqrt(statistics.fmean(x * x for x in errors)))
    assert found.median_absolute_error == pytest.approx(statistics.median(map(abs, errors)))
    if found.r2 is not None and spread > 1e-6:
        assert found.r2 == pytest.approx(1 - sum(x * x for x in errors) / spread)
    assert found.over + found.under + found.exact == pytest.approx(1.0)
    assert found.under == sum(x < -0.5 for x in errors) / len(jobs)
    ratios = [max(e / max(r, 1.0), max(r, 1.0) / e) for e, r, _ in jobs]
    assert found.deviation_ratio == pytest.approx(statistics.fmean(ratios))


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


def test_a_length_class_without_jobs_has_no_figures() -> None:
    *_, long = by_length(ESTIMATES[:2], RUN_TIMES[:2], walltimes=WALLTIMES[:2])
    assert (long.jobs, long.mae, long.underestimated, long.quartiles) == (0, None, None, None)


def test_groups_are_sorted_by_jobs_and_jobs_without_a_name_are_left_out() -> None:
    found = by_name(["eve", "bob", None, "bob"], ESTIMATES, RUN_TIMES, walltimes=WALLTIMES)
    told = [(group.name, group.jobs, group.mae) for group in found]
    assert told == [("bob", 2, (99 + 3599) / 2), ("eve", 1, 3600.0)]


def test_users_are_summarised_by_their_change() -> None:
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
