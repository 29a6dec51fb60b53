"""Write means, and write changes with as many digits as their intervals justify."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, duration, percent
from pred_aware.statistics import LEAST, ByWeeks, Interval, OtherYears, significant_alone

NOT_SIGNIFICANT = "not significant"
DOUBTFUL = "~"
"""Marks a difference that is significant alone, but not after correction for all differences."""
HOW_SURE = (
    "Significant: the 95 % interval excludes 0, also after correction for all shown differences "
    f"(Holm). {DOUBTFUL}: significant only without this correction."
)
"""The meaning of "significant" (`pred_aware.statistics.significant_sign`) and of the mark."""
NO_INTERVAL = "one run of each policy, so no interval"
TOO_FEW_SHAKES = f"no interval, because there are fewer than {LEAST} perturbed copies"
"""The note on a maximum (`pred_aware.effects.kinds.too_few_shakes`)."""

_NO_WIDTH = 1e-9
_MOST_DECIMALS = 2
_MOST_DIGITS = 3
_TWO_DIGITS_BELOW = 3.0


def decimals(half_width: float, value: float = 0.0) -> int:
    """Return the number of decimals that an interval justifies. Negative: tens, hundreds, ...

    The half width is shown with one digit, or with two if the first digit is 1 or 2. There are at
    most two decimals. The value has at most three digits, however narrow the interval is.

    Examples
    --------
    >>> [decimals(half) for half in (0.034, 0.2, 2.0, 3.3, 150.0)]
    [2, 2, 1, 0, -1]
    >>> [decimals(0.0, value) for value in (0.0, 3.217, 38.83, 117.39, 2100.0)]
    [2, 2, 1, 0, 0]
    """
    most = _MOST_DECIMALS
    if value:
        digits = _MOST_DIGITS - 1 - math.floor(math.log10(abs(value)))
        most = min(most, max(0, digits))
    if half_width <= 0.0:
        return most
    place = math.floor(math.log10(half_width))
    two = half_width / 10.0**place < _TWO_DIGITS_BELOW
    return min(most, (1 if two else 0) - place)


def _rounded(value: float, digits: int) -> str:
    # adding 0.0 turns -0.0 into 0.0
    return f"{round(value, digits) + 0.0:,.{max(digits, 0)}f}"


def duration_within(interval: Interval) -> Cell:
    """Write a mean of durations. The interval does not affect the rounding.

    Examples
    --------
    >>> duration_within(Interval(22020.0, 21000.0, 23000.0, 0.95, 10))
    '6 h 7 min'
    """
    return duration(interval.value)


def share_within(interval: Interval) -> Cell:
    """Write a mean of fractions as a percentage.

    Examples
    --------
    >>> share_within(Interval(0.8059, 0.80, 0.811, 0.95, 10))
    '80.6 %'
    """
    if interval.value is None or not interval.half_width:
        return percent(interval.value, _MOST_DECIMALS)
    digits = decimals(100.0 * interval.half_width)
    return Cell(f"{_rounded(100.0 * interval.value, digits)} %", interval.value)


def percent_change(change: float, digits: int = 0) -> str:
    """Write a change as a percentage with its sign. Zero has no sign.

    Changes between single runs get no decimals, because decimals would show only chance.

    Examples
    --------
    >>> [percent_change(change) for change in (-0.1121, 0.5, -1e-9)]
    ['-11 %', '+50 %', '0 %']
    """
    return f"{_signed(100.0 * change, digits)} %"


def _signed(value: float, digits: int) -> str:
    text = _rounded(value, digits)
    return text if text.startswith("-") or not text.strip("0.") else f"+{text}"


def change_cells(change: Interval, digits: int | None = None) -> tuple[Cell, Cell, Cell]:
    """Write a change (a fraction of the baseline or of all jobs) and the ends of its interval.

    Parameters
    ----------
    change
        The change with its interval.
    digits
        The number of decimals, such as `common_digits` returns for changes in one table; by default
        as many as the interval justifies.

    Examples
    --------
    >>> change_cells(Interval(-0.2012, -0.2341, -0.1684, 0.95, 10))
    ('-20 %', '-23 %', '-17 %')
    >>> change_cells(Interval(1.17391, 1.17391, 1.17391, 0.95, 10))
    ('+117 %', '+117 %', '+117 %')

    For an asymmetric interval, the shorter side determines the digits.

    >>> change_cells(Interval(-0.57, -0.92, 4.2, 0.95, 10))
    ('-60 %', '-90 %', '+420 %')
    """
    half = _shorter_side(change) or change.half_width or 0.0
    if digits is None:
        digits = decimals(100.0 * half, 100.0 * (change.value or 0.0))
    value, low, high = (
        Cell(NOTHING if one is None else percent_change(one, digits), one)
        for one in (change.value, change.low, change.high)
    )
    return value, low, high


def common_digits(changes: Iterable[Interval]) -> int:
    """Return the number of decimals for changes in one table.

    It is 0, or 1 if a significant change or the end of its interval nearest to 0 would round to 0.

    Examples
    --------
    >>> large, small = ((-0.307, -0.324, -0.291), (0.01, 0.002, 0.02))
    >>> common_digits([Interval(*large, 0.95, 10)])
    0
    >>> common_digits([Interval(*large, 0.95, 10), Interval(*small, 0.95, 10)])
    1
    """
    nearest = (
        min(abs(end) for end in (one.low, one.high) if end is not None)
        for one in changes
        if one.significant
    )
    return int(any(100.0 * end < 0.5 for end in nearest))  # noqa: PLR2004 - rounds to 0


def _shorter_side(change: Interval) -> float | None:
    if change.value is None or change.low is None or change.high is None:
        return None
    return min(change.value - change.low, change.high - change.value)


def ends(interval: Interval) -> tuple[Interval, Interval]:
    """Return the ends of an interval as two means, so that the same functions can write them.

    Examples
    --------
    >>> [duration_within(end) for end in ends(Interval(6634.4, 6565.0, 6703.0, 0.95, 10))]
    ['1 h 49 min', '1 h 52 min']
    """
    return replace(interval, value=interval.low), replace(interval, value=interval.high)


def in_brackets(change: Interval, digits: int | None = None) -> str:
    """Write a change with its interval in short form. `digits` is as in `change_cells`.

    Examples
    --------
    >>> in_brackets(Interval(0.0134, -0.0191, 0.0459, 0.95, 10))
    '+1 % [-2, +5]'
    >>> in_brackets(Interval(1.17391, 1.17391, 1.17391, 0.95, 10))
    '+117 % in each copy'
    """
    value, low, high = change_cells(change, digits)
    if change.low is None:
        return value
    if in_each(change):
        return f"{value} {in_each(change)}"
    return f"{value} [{low.removesuffix(' %')}, {high.removesuffix(' %')}]"


def in_each(change: Interval) -> str:
    """Return a text if a change is the same in all perturbed copies or resamples, else "".

    Examples
    --------
    >>> in_each(Interval(1.17391, 1.17391, 1.17391, 0.95, 10))
    'in each copy'
    """
    if change.low is None or change.high is None or not change.shakes > 1:
        return ""
    if isinstance(change, ByWeeks) or change.high - change.low > _NO_WIDTH:
        return ""
    return f"in each {'resample' if isinstance(change, OtherYears) else 'copy'}"


def verdict(change: Interval, holm: float | None = None) -> str:
    """Return whether and in which direction a change is significant, as text.

    Parameters
    ----------
    change
        The change with its own interval.
    holm
        The p value corrected for all differences (Holm), if there are other differences. A change
        that is not significant after this correction gets a mark.

    Examples
    --------
    >>> verdict(Interval(0.0134, -0.0191, 0.0459, 0.95, 10))
    'not significant'
    >>> verdict(Interval(-0.2, -0.3, -0.1, 0.95, 10), 0.07)
    'less ~'
    """
    if change.significant is None:
        return NOTHING
    if not change.significant:
        return "not significant"
    assert change.value is not None
    doubtful = f" {DOUBTFUL}" if significant_alone(change, holm) else ""
    return f"{'more' if change.value > 0.0 else 'less'}{doubtful}"


def doubtful_note(verdicts: Iterable[str]) -> str:
    """Return the explanation of the mark `DOUBTFUL` if one of the verdicts has this mark, else "".

    Examples
    --------
    >>> doubtful_note(["less", "not significant"])
    ''
    >>> doubtful_note(["less", "more ~"]) == HOW_SURE
    True
    """
    return HOW_SURE if any(one.endswith(DOUBTFUL) for one in verdicts) else ""


def significant_alone_only(names: Sequence[str], *, of: int) -> str:
    """Name the differences that are significant alone, but not after correction for all.

    Examples
    --------
    >>> significant_alone_only(["mean waiting time of recommended"], of=12)[:66]
    'After correction for all 12 differences (Holm), not significant an'
    """
    return (
        f"After correction for all {counted(of, 'difference')} (Holm), not significant any more "
        f"({DOUBTFUL}): {', '.join(names)}."
    )


def agreement(change: OtherYears) -> str:
    """Return as text in how many resamples a change has its more frequent direction.

    Examples
    --------
    >>> agreement(OtherYears(-0.1, -0.2, 0.05, 0.935, 30, less=27, more=3))
    'less in 27 of 30'
    """
    if change.value is None:
        return NOTHING
    way, number = max(
        (("less", change.less), ("more", change.more)), key=lambda direction: direction[1]
    )
    return f"{way} in {number} of {change.shakes}" if number else f"the same in {change.shakes}"


def how_to_read_years(changes: Sequence[Interval]) -> str:
    """Explain a table over resamples.

    Examples
    --------
    >>> sentence = how_to_read_years([OtherYears(-0.1, -0.2, 0.05, 29 / 31, 30)])
    >>> "contains the change in 94 % of such years" in sentence
    True
    """
    level = min((one.level for one in changes), default=0.0)
    return (
        "Medians over resamples, in which users' weeks are rearranged, so other users compete. "
        f"From ... to contains the change in {100 * level:.0f} % of such years. In tests with new "
        "years of synthetic logs it contained 74 to 83 % (docs/explanation/intervals.md). It is "
        "not an interval of the mean."
    )
