"""Effects in words."""

from collections.abc import Iterable, Sequence

from pred_aware.effects.effect import Effect
from pred_aware.effects.tables import mean_cell
from pred_aware.metrics.table import MEASURES
from pred_aware.report.interval_format import (
    HOW_SURE,
    NO_INTERVAL,
    NOT_SIGNIFICANT,
    TOO_FEW_SHAKES,
    change_cells,
    in_brackets,
    in_each,
    percent_change,
    significant_alone_only,
)
from pred_aware.report.page import Large
from pred_aware.report.page.content import BETTER, WORSE
from pred_aware.statistics import significant_alone
from pred_aware.statistics.intervals import LEVEL
from pred_aware.statistics.weeks import FEWEST

IN_VIEW = "not significant after correction for all comparisons"
ONE_LOG = (
    "separates a difference from chance within one log. It says nothing about another year or "
    "machine."
)
"""The end of a sentence that says what an interval over perturbed copies shows."""
ITS_INTERVAL = f"{100 * LEVEL:g} % interval of the mean over many perturbed copies"
HOW_TO_READ_SHAKES = f"{ITS_INTERVAL}: it {ONE_LOG} {HOW_SURE}"

_WEEKS = (
    "One run of each policy, by weeks of submission without the first and the last two weeks. From "
    "and to: the ends of a 95 % interval of the mean over many such weeks. In tests with 8 to 52 "
    "weeks of synthetic logs its coverage was only 81 to 88 % (docs/explanation/intervals.md). The "
    "interval does not include the chance within a run, which perturbed copies show. It is not "
    "corrected for the number of tests. Percentiles and maxima are means over the weeks' values."
)
_FEW_WEEKS = f"There is no interval with fewer than {FEWEST} weeks, or if they are too variable."


def how_to_read_weeks(effects: Iterable[Effect]) -> str:
    """Return a note that explains a table over weeks."""
    few = any(one.change.low is None for one in effects)
    return f"{_WEEKS} {_FEW_WEEKS}" if few else _WEEKS


def alone_only(effects: Sequence[Effect]) -> list[str]:
    """Return a sentence on effects that are significant alone, but not after correction, if any."""
    names = [
        f"{MEASURES[one.measure].label} of {one.policy}{f' on {one.log}' if one.log else ''}"
        for one in effects
        if significant_alone(one.change, one.holm)
    ]
    return [significant_alone_only(names, of=len(effects))] if names else []


def change_from_baseline(effect: Effect, baseline: str) -> str:
    """Describe a measure under a policy, and whether it differs significantly from the baseline.

    Parameters
    ----------
    effect
        The effect; the caller puts the measure's name first.
    baseline
        Name of the baseline.
    """
    new, old = mean_cell(effect.measure, effect.value), mean_cell(effect.measure, effect.baseline)
    if effect.change.value is None:
        return f"is {new}; under {baseline} it is {old}"
    if effect.change.low is None and effect.change.shakes > 1:
        return f"is {new} instead of {old} ({in_brackets(effect.change)}; {TOO_FEW_SHAKES})"
    if not effect.change.significant:
        reason = f"{old}; {in_brackets(effect.change)}"
        return f"does not differ significantly from its value under {baseline} ({reason})"
    alone = f"; {IN_VIEW}" if significant_alone(effect.change, effect.holm) else ""
    return f"is {new} instead of {old} ({in_brackets(effect.change)}{alone})"


_VERDICTS = {1: BETTER, -1: WORSE, 0: NOT_SIGNIFICANT}


def large_figure(label: str, effect: Effect, *, baseline: str, digits: int | None = None) -> Large:
    """Return an effect as a large number at the top of a page.

    Parameters
    ----------
    label
        Name of the measure.
    effect
        The effect on the measure.
    baseline
        Name of the baseline.
    digits
        As in `pred_aware.report.interval_format.change_cells`.
    """
    change, low, high = change_cells(effect.change, digits)
    new, old = mean_cell(effect.measure, effect.value), mean_cell(effect.measure, effect.baseline)
    if effect.change.value is None:
        return Large(label, new, f"under {baseline}: {old}")
    if effect.change.low is None:
        return Large(label, percent_change(effect.change.value), NO_INTERVAL)
    both = f"{new} instead of {old}" if new != old else f"{old} under both"
    over = f"over {effect.change.shakes} perturbed copies; {both}"
    if in_each(effect.change):
        over = f"{in_each(effect.change)} of {effect.change.shakes}; {both}"
        return Large(label, change, over, _VERDICTS[effect.gain])
    alone = significant_alone(effect.change, effect.holm)
    verdict = IN_VIEW if alone else _VERDICTS[effect.gain]
    return Large(label, change, f"{low.removesuffix(' %')} to {high} {over}", verdict)


def unmarked(text: str) -> str:
    """Remove the backquotes around commands."""
    return text.replace("`", "")
