"""The day on which two schedules differ most."""

import numpy as np
from numpy.typing import NDArray

from pred_aware.gantt.changed_day import changed_day, day_in_words
from tests.suites import each_case

DAY = 86400.0
Hours = NDArray[np.float64]
Spans = tuple[Hours, Hours]


def drawn(seed: int) -> tuple[Spans, Spans, Hours]:
    chance = np.random.default_rng(seed)
    runs = chance.integers(1, 40, 30) * 3600.0
    starts = [chance.integers(0, 200, 30) * 3600.0 for _ in range(2)]
    first, second = ((some, some + runs) for some in starts)
    return first, second, chance.integers(1, 9, 30).astype(float)


@each_case("seed", range(5))
@each_case("midnight", [0.0, -5 * 3600.0])
def test_the_changed_day_has_the_most_processor_hours_at_other_times(
    seed: int, midnight: float
) -> None:
    first, second, sizes = drawn(seed)
    hours = np.arange(240)[:, None] * 3600.0
    # hour by hour, for all dates are whole hours
    runs = [(starts <= hours) & (hours < ends) for starts, ends in (first, second)]
    differs = ((runs[0] ^ runs[1]) * sizes).sum(axis=1)
    day_of = ((hours[:, 0] - midnight) // DAY).astype(int)
    by_day = np.bincount(day_of, weights=differs)
    found = changed_day(first, second, sizes, midnight=midnight)
    assert found is not None
    assert by_day[round((found - midnight) / DAY)] == by_day.max()


def test_short_or_equal_schedules_have_no_changed_day() -> None:
    first, second, sizes = drawn(0)
    assert changed_day(first, first, sizes) is None
    assert changed_day((first[0] % 3600, first[0] % 3600 + 60.0), second, sizes * 0) is None
    never = (np.full(30, np.nan), np.full(30, np.nan))
    assert changed_day(never, second, sizes) is None
    # it is named by its date, if known
    assert day_in_words(DAY, None) == "day 1"
    assert day_in_words(DAY - 3600.0, 1_700_006_400.0 + 3600.0) == "2023-11-16"
