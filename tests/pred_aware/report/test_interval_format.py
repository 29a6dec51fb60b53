"""What is shown of means beside each other, and of their changes."""

import re

import pytest

from pred_aware.report.durations import timespan
from pred_aware.report.interval_format import duration_within, in_brackets
from pred_aware.statistics import Interval
from tests.suites import each_case

UNITS = {"d": 86400.0, "h": 3600.0, "min": 60.0, "s": 1.0, "ms": 0.001}


def read(text: str) -> float:
    """Read a shown time as anybody does."""
    return sum(float(n) * UNITS[unit] for n, unit in re.findall(r"([\d.]+) (\w+)", text))


@each_case("seconds", [61.4, 95.4, 3570.0, 22020.0, 86399.0, 152000.0, 1e6, 5e6])
def test_a_shown_time_is_rounded_by_at_most_one_percent(seconds: float) -> None:
    assert read(timespan(seconds)) == pytest.approx(seconds, rel=0.0101)


def test_a_shown_change_agrees_with_the_shown_means() -> None:
    baseline = Interval(22038.0, 21000.0, 23100.0, 0.95, 5)
    new = Interval(19980.0, 19700.0, 20300.0, 0.95, 5)
    old, less = read(duration_within(baseline)), read(duration_within(new))
    assert f"{100 * (less / old - 1):.0f} %" == "-9 %"
    assert in_brackets(Interval(-0.0934, -0.127, -0.06, 0.95, 5)).startswith("-9 %")
    # a change that was the same each time is said to be so
    assert in_brackets(Interval(1.17391, 1.17391, 1.17391, 0.95, 20)) == "+117 % in each copy"
