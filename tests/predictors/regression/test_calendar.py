from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictors import OptionError
from predictors.regression.rows import CalendarFeatures
from tests.suites import each_case


@given(st.integers(0, 2**31), st.floats(0, 1e8))
def test_hours_and_weekdays_follow_the_calendar(epoch: int, date: float) -> None:
    clock = CalendarFeatures(epoch=epoch)
    shown = datetime.fromtimestamp(0, UTC) + timedelta(seconds=int(epoch + date))
    assert (clock.hour(date), clock.weekday(date)) == (shown.hour, shown.weekday())


def test_shares_of_day_and_week_begin_at_midnight_and_on_monday() -> None:
    monday = datetime(2024, 1, 1, tzinfo=UTC).timestamp()
    clock = CalendarFeatures(epoch=monday)
    assert (clock.day_share(0.0), clock.week_share(0.0)) == (0.0, 0.0)
    assert (clock.day_share(6 * 3600.0), clock.week_share(3.5 * 86400)) == (0.25, 0.5)


def test_dates_before_the_epoch_have_hours_too() -> None:
    clock = CalendarFeatures()
    assert (clock.hour(-3600.0), clock.weekday(-3600.0)) == (23, 2)


@each_case("epoch", [float("nan"), float("inf"), "noon"])
def test_an_epoch_that_is_not_a_number_is_refused(epoch: object) -> None:
    with pytest.raises(OptionError, match="epoch"):
        CalendarFeatures(epoch=epoch)  # type: ignore[arg-type]
