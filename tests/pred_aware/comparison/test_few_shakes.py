"""Maxima over few perturbed copies: no output has an interval for them."""

import pytest

from pred_aware.effects.effect import Effect
from pred_aware.effects.kinds import over_shakes
from pred_aware.effects.tables import effects_table
from tests.suites import each_case

OLD, NEW = (100.0, 110.0, 90.0), (200.0, 219.0, 181.0)


def effect(measure: str, *, times: int = 1) -> Effect:
    return over_shakes(OLD * times, NEW * times, policy="mine", measure=measure)


@each_case(("measure", "times"), [("mean_waiting_time", 1), ("max_waiting_time", 4)])
def test_means_and_maxima_over_enough_copies_have_an_interval(measure: str, times: int) -> None:
    one = effect(measure, times=times)
    assert one.change.significant is True
    assert None not in (one.change.low, one.baseline.low, one.value.high)


def test_a_maximum_over_few_copies_has_no_interval() -> None:
    one = effect("max_waiting_time")
    assert one.change.value == pytest.approx(1.0)
    ends = [one.change.low, one.change.high, one.baseline.low, one.value.high]
    assert [*ends, one.change.significant] == [None] * 5
    assert one.to_dict()["p_value"] is None
    (row,) = effects_table("", [one], by="", baseline="easy").rows
    assert [str(cell) for cell in row[3:]] == ["+100 %", "-", "-", "-"]
