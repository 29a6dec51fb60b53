"""Start windows, freezes, capacity, the scheduler's cycle, and dates from which jobs can run."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from schedulers.site.calendar import Calendar, hours_of
from schedulers.site.site import SiteError, Window
from schedulers.site.windows import OpenWindow
from tests.schedulers.site.on_site import job, starts
from tests.suites import each_case

MONDAY = datetime(2026, 1, 5, 7, 0, tzinfo=UTC).timestamp()
HOUR = 3600.0


@each_case(
    ("window", "start"),
    [
        ({"closed": "07:30-09:00"}, 1.0),
        ({"closed": "06:00-09:00"}, 2 * HOUR),
        ({"closed": "22:00-08:00"}, HOUR),
        ({"closed": "22:00-08:00", "days": "Sat"}, 1.0),
        ({"closed": "22:00-08:00", "days": "Sun"}, HOUR),
        ({"closed": "06:00-09:00", "longer_than": HOUR}, 1.0),
        ({"closed": "06:00-09:00", "at_most": 600}, 1.0),
        ({"closed": "06:00-09:00", "only": {"queue": "long"}}, 1.0),
        ({"ended_by": "08:30"}, 1.0),
        ({"ended_by": "07:30"}, HOUR / 2),
        ({"ended_by": "07:30", "days": "Tue-Sun"}, 1.0),
    ],
)
def test_windows_are_open_at_the_expected_dates(window: dict[str, Any], start: float) -> None:
    site = {"start": MONDAY, "windows": [{"longer_than": 0, **window}]}
    assert starts(site, [job(1, 1, 1, 50, walltime=HOUR)])[1] == start


def test_beyond_the_calendar_hours_do_not_change() -> None:
    last = datetime(9999, 12, 31, 22, 0, tzinfo=UTC).timestamp()
    site = {"start": last, "windows": [{"closed": "08:00-09:00"}, {"ended_by": "08:00"}]}
    assert starts(site, [job(1, 0, 4, 7200, walltime=8 * HOUR), job(2, 1, 4, 5)])[2] == 7200


def test_hours_are_in_the_sites_time_zone() -> None:
    site = {"start": MONDAY, "time_zone": "Europe/Paris", "windows": [{"closed": "08:00-09:00"}]}
    assert starts(site, [job(1, 1, 1, 50)])[1] == HOUR


def test_a_job_outside_its_window_stops_no_other_and_starts_when_it_opens() -> None:
    site = {"start": MONDAY, "windows": [{"closed": "06:00-09:00", "longer_than": HOUR}]}
    jobs = [job(1, 0, 4, 50, walltime=2 * HOUR), job(2, 0, 4, 50, walltime=HOUR)]
    assert starts(site, jobs) == {2: 0.0, 1: 2 * HOUR}


def test_in_a_freeze_only_jobs_of_other_partitions_start() -> None:
    site = {
        "partitions": [{"name": "a"}, {"name": "b"}],
        "freezes": [{"begin": 10.0, "end": 60.0, "partitions": "a"}],
    }
    jobs = [job(n, 20, 1, 5, partition=name) for n, name in ((1, "a"), (2, "b"))]
    assert starts(site, jobs) == {1: 60.0, 2: 20.0}


@each_case("policy", ["easy", "conservative", "recommended"])
def test_a_smaller_capacity_lets_running_jobs_continue(policy: str) -> None:
    site = {"capacity": [{"begin": 10.0, "processors": 1}, {"begin": 80.0, "processors": 4}]}
    jobs = [job(1, 0, 3, 50), job(2, 20, 1, 5), job(3, 20, 2, 5), job(4, 55, 1, 5)]
    begun = starts(site, jobs, policy=policy)
    assert begun == {1: 0.0, 2: 50.0, 4: 55.0, 3: 80.0}


def test_a_scheduler_with_a_cycle_starts_jobs_at_its_multiples() -> None:
    jobs = [job(1, 1, 4, 50), job(2, 2, 4, 70), job(3, 3, 4, 5)]
    assert starts({"cycle": 60}, jobs) == {1: 60.0, 2: 120.0, 3: 240.0}


def test_jobs_wait_for_their_eligible_time_and_stop_no_other() -> None:
    jobs = [job(1, 0, 4, 50, eligible_time=30.0), job(2, 0, 4, 20, walltime=20), job(3, 5, 4, 5)]
    assert starts({}, jobs) == {2: 0.0, 3: 20.0, 1: 30.0}
    assert starts({"eligible": False}, jobs)[1] == 0.0


def test_a_job_that_fits_no_window_is_reported() -> None:
    site = {"start": MONDAY, "windows": [{"ended_by": "08:00"}, {"ended_by": "17:00"}]}
    jobs = [job(1, 1, 1, 50, walltime=16 * HOUR), job(2, 1, 1, 5, walltime=15 * HOUR)]
    assert starts(site, jobs) == {2: 10 * HOUR}


def test_the_scheduler_wakes_no_longer_after_stopped_jobs_have_started() -> None:
    site = {
        "start": MONDAY,
        "windows": [{"closed": "08:00-09:00"}],
        "limits": [{"of": "jobs", "per": "user", "most": 1}],
    }
    jobs = [job(number, number, 1, 50, user_id=7) for number in (1, 2)]
    # while the second runs, a pass takes place
    jobs.append(job(3, 60, 1, 10, user_id=8))
    assert starts(site, jobs) == {1: 1.0, 2: 51.0, 3: 60.0}


def test_windows_follow_local_time_across_clock_changes() -> None:
    """Each minute around the changes of the clock, in spring and autumn, from any start."""
    zone = "Europe/Berlin"
    for start in (
        datetime(2024, 10, 26, 22, 15, tzinfo=UTC),
        datetime(2024, 3, 30, 23, tzinfo=UTC),
    ):
        calendar = Calendar(zone, start)
        for closed in ("01:00-02:30", "02:00-03:00", "02:30-03:30", "23:00-02:30", "02:15-01:45"):
            first, last = hours_of(closed)
            for begin in range(0, 6 * 3600, 900):
                window = OpenWindow(Window(closed=closed), calendar, "")
                for second in range(begin, 6 * 3600, 900):
                    window.look(float(second))
                    wall = (start + timedelta(seconds=second)).astimezone(ZoneInfo(zone))
                    time = wall.hour * 3600 + wall.minute * 60
                    within = first <= time < last if first < last else not last <= time < first
                    assert window.closed == within, (start, closed, begin, wall)


def test_a_date_outside_the_calendar_is_an_error() -> None:
    for year in (1, 1899):
        with pytest.raises(SiteError, match="is not between the years 1900 and 9999"):
            Calendar("America/New_York", datetime(year, 1, 1, tzinfo=UTC))
