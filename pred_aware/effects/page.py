"""Large figures of effects, for the top of pages."""

from pred_aware.effects.effect import Effect
from pred_aware.effects.tables import mean_cell
from pred_aware.effects.words import IN_VIEW
from pred_aware.report.interval_format import (
    NO_INTERVAL,
    NOT_SIGNIFICANT,
    change_cells,
    in_each,
    percent_change,
)
from pred_aware.report.page import Large
from pred_aware.report.page.content import BETTER, WORSE
from pred_aware.statistics import significant_alone

_VERDICTS = {1: BETTER, -1: WORSE, 0: NOT_SIGNIFICANT}


def large_figure(label: str, one: Effect, *, baseline: str, digits: int | None = None) -> Large:
    """Return an effect as a large figure.

    Parameters
    ----------
    label
        Name of the measure.
    one
        The effect.
    baseline
        Name of the baseline.
    digits
        As in `pred_aware.report.interval_format.change_cells`.
    """
    change, low, high = change_cells(one.change, digits)
    new, old = mean_cell(one.measure, one.value), mean_cell(one.measure, one.baseline)
    if one.change.value is None:
        return Large(label, new, f"under {baseline} {old}")
    if one.change.low is None:
        return Large(label, percent_change(one.change.value), NO_INTERVAL)
    both = f"{new} instead of {old}" if new != old else f"{old} in both"
    over = f"over {one.change.shakes} perturbed copies; {both}"
    if in_each(one.change):
        over = f"{in_each(one.change)} of {one.change.shakes}; {both}"
        return Large(label, change, over, _VERDICTS[one.gain])
    alone = significant_alone(one.change, one.holm)
    verdict = IN_VIEW if alone else _VERDICTS[one.gain]
    return Large(label, change, f"{low.removesuffix(' %')} to {high} {over}", verdict)


def unmarked(text: str) -> str:
    """Remove the backquotes around commands."""
    return text.replace("`", "")
