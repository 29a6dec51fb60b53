from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites import each_case
from workload_tools.errors import LogError
from workload_tools.slurm.clock import AMBIGUOUS, NEVER, SlurmClock
from workload_tools.slurm.errors import UnreadableError
from workload_tools.time_zone import zone_of

PARIS = ZoneInfo("Europe/Paris")
ZONES = st.sampled_from(
    ["Europe/Paris", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"]
)


@given(ZONES, st.lists(st.integers(1_500_000_000, 1_900_000_000), min_size=1, max_size=5))
def test_local_dates_follow_the_time_zone(name: str, dates: list[int]) -> None:
    zone = ZoneInfo(name)
    clock = SlurmClock(zone)
    for seconds in dates:
        local = datetime.fromtimestamp(seconds, zone)
        read = clock.read(local.strftime("%Y-%m-%dT%H:%M:%S"))
        assert read in (seconds, local.replace(fold=0).timestamp())
        assert clock.read(str(seconds)) == seconds
        assert clock.read(local.isoformat()) == seconds


def test_the_repeated_hour_is_resolved_by_the_order_of_dates() -> None:
    # on 26 October 2025 the clock in Paris went back from 3:00 to 2:00
    clock = SlurmClock(PARIS)
    submit = clock.read("2025-10-26T02:50:00")
    start = clock.read("2025-10-26T02:10:00", after=submit)
    assert submit == datetime(2025, 10, 26, 0, 50, tzinfo=UTC).timestamp()
    assert start == datetime(2025, 10, 26, 1, 10, tzinfo=UTC).timestamp()
    assert clock.doubt == AMBIGUOUS


def test_a_local_date_that_does_not_exist_is_doubtful() -> None:
    clock = SlurmClock(PARIS)
    assert clock.read("2025-03-30T02:30:00") == datetime(2025, 3, 30, 1, 30, tzinfo=UTC).timestamp()
    assert clock.doubt == NEVER


def test_dates_in_unix_seconds_need_no_zone() -> None:
    clock = SlurmClock(PARIS)
    assert clock.read("1795228421") == 1795228421.0
    assert not clock.naive


@each_case("text", ["Unknown", "None", "", "N/A", "0"])
def test_a_missing_date_is_none(text: str) -> None:
    assert SlurmClock().read(text) is None


@each_case(
    "text",
    ["2026-13-01T00:00:00", "2026-11-21T24:00:00", "2026-11-21T02:3 :41", "2026-11-21", "tomorrow",
     "02:33:41", "-5", "123456789012", "2026-11-21T02:33:41+99:99x"],
)  # fmt: skip
def test_an_invalid_date_is_unreadable(text: str) -> None:
    clock = SlurmClock()
    clock.read("2026-11-21T02:00:00")  # the hour is remembered
    with pytest.raises(UnreadableError):
        clock.read(text)


@each_case("name", ["Europe/Pari", "../etc", "", "/etc/passwd", "Europe"])
def test_an_unknown_time_zone_is_an_error(name: str) -> None:
    with pytest.raises(LogError, match="unknown time zone"):
        zone_of(name, "log")


def test_a_leap_second_moves_no_other_date_of_its_hour() -> None:
    clock = SlurmClock()
    leap = clock.read("2016-12-31T23:59:60")
    assert (leap, clock.read("2016-12-31T23:59:59")) == (1483228800.0, 1483228799.0)
