"""Effects as tables: of policies on logs, of measures, or of groups of jobs."""

from collections.abc import Iterable, Iterator, Sequence

from pred_aware.effects.effect import RESAMPLES, SHAKES, WEEKS, Effect, Kind
from pred_aware.metrics.table import MEASURES, SECONDS, SHARE
from pred_aware.report.interval_format import (
    DOUBTFUL,
    HOW_SURE,
    NO_INTERVAL,
    TOO_FEW_SHAKES,
    agreement,
    change_cells,
    doubtful_note,
    ends,
    in_brackets,
    percent_change,
    share_within,
    verdict,
)
from pred_aware.report.table import Cell, Table, duration, figure, percent
from pred_aware.statistics import LEAST, Interval, OtherYears, significant_alone

POLICY, MEASURE, WAITING = "log: policy", "", "waiting time"
"""By what rows are called: by these, or by kinds of groups such as ``user``, with their jobs."""

EQUAL = "="
"""Marks what is not significant, where there is no room for words."""

_LAST: dict[Kind, tuple[str, ...]] = {
    SHAKES: ("significant",),
    RESAMPLES: ("in resamples",),
    WEEKS: ("weeks", "significant"),
}


def measure_cell(name: str, value: float | None) -> Cell:
    """Write the value of a measure in its unit."""
    unit = MEASURES[name].unit
    if unit == SHARE:
        return percent(value, 2)
    return duration(value) if unit == SECONDS else figure(value)


def mean_cell(name: str, mean: Interval) -> Cell:
    """Write the mean of a measure, or of shares of the jobs, as its interval allows."""
    if name not in MEASURES or MEASURES[name].unit == SHARE:
        return share_within(mean)
    return measure_cell(name, mean.value)


def change_cell(one: Effect, digits: int | None = None) -> Cell:
    """Write the value of a policy with its change in brackets; see `how_to_read_cells`."""
    change, value = one.change, mean_cell(one.measure, one.value)
    if change.value is None:
        return value
    if one.same:
        return Cell(f"{value} (the same)", value.value)
    mark = f"{EQUAL} " if change.significant is False else ""
    if significant_alone(change, one.holm):
        mark = f"{DOUBTFUL} "
    told = percent_change(change.value) if change.low is None else in_brackets(change, digits)
    return Cell(f"{value} ({mark}{told})", value.value)


def how_to_read_cells(baseline: str, *, shakes: int) -> str:
    """Say what stands in the brackets of `change_cell`.

    Parameters
    ----------
    baseline
        What the baseline is called.
    shakes
        Over how many the values are.
    """
    maxima = f"Maxima: {TOO_FEW_SHAKES}. " if 0 < shakes < LEAST else ""
    interval = ", with its 95 % interval" if shakes else f"; {NO_INTERVAL}"
    return (
        f"In brackets: change against {baseline}{interval}; {EQUAL} where it is not "
        f"significant. {maxima}{HOW_SURE if shakes else ''}"
    )


def effects_table(  # noqa: PLR0913 - what tables differ in
    title: str,
    effects: Iterable[Effect],
    *,
    by: str,
    baseline: str,
    policy: str = "policy",
    kind: Kind = SHAKES,
    labels: Sequence[str] = (),
    note: str = "",
    digits: int | None = None,
) -> Table:
    """Return a table with a row for each effect: both values, and the change with its interval.

    Parameters
    ----------
    title
        What stands above.
    effects
        The rows, all of one kind.
    by
        What rows are called by, which is the first column's name: `POLICY`, `MEASURE`, or what
        groups of jobs are of.
    baseline, policy
        The names of the columns of both values.
    kind
        That of the effects.
    labels
        What rows are called, in place of the names of policies, measures or groups.
    note
        What stands below; what the mark of a doubtful effect means is said there, too.
    digits
        Of the changes, as for `pred_aware.report.interval_format.change_cells`.
    """
    shown = list(effects)
    counted = kind == SHAKES and by == POLICY
    jobs = () if by in {POLICY, MEASURE, WAITING} else ("jobs",)
    columns = (
        by, *jobs, baseline, policy, "change", "from", "to", *(("shakes",) if counted else ()),
        *_LAST[kind],
    )  # fmt: skip
    rows = tuple(
        (
            labels[place] if labels else _label(one, by),
            *((Cell(f"{one.jobs:,}", one.jobs),) if one.group else ()),
            mean_cell(one.measure, one.baseline),
            mean_cell(one.measure, one.value),
            *change_cells(one.change, digits),
            *((_count(one),) if counted or kind == WEEKS else ()),
            _last(one),
        )
        for place, one in enumerate(shown)
    )
    mark = doubtful_note(str(row[-1]) for row in rows)
    return Table(title, columns, rows, note=" ".join(text for text in (note, mark) if text))


def policy_tables(
    effects: Sequence[Effect],
    measures: Sequence[str],
    *,
    title: str,
    baseline: str,
    kind: Kind = SHAKES,
    note: str = "",
) -> Iterator[Table]:
    """Yield a table for each measure: all policies against the baseline, on all logs.

    Parameters
    ----------
    effects
        In all measures, of one kind.
    measures
        In the order of the tables.
    title
        What stands above each, behind the measure's name.
    baseline, kind
        As for `effects_table`.
    note
        What stands below the last one.
    """
    for measure in measures:
        yield effects_table(
            f"{MEASURES[measure].label} {title}",
            (one for one in effects if one.measure == measure),
            by=POLICY,
            baseline=baseline,
            kind=kind,
            note=note if measure == measures[-1] else "",
        )


def against_table(title: str, effects: Iterable[Effect]) -> Table:
    """Return a table of measures of policies against the baseline, with the ends of each."""
    columns = (POLICY, "mean", "from", "to", "shakes", "as it is")
    rows = tuple(
        (
            _label(one, POLICY),
            *(mean_cell(one.measure, each) for each in (one.value, *ends(one.value))),
            _count(one),
            mean_cell(one.measure, Interval.alone(one.as_it_is[1])),
        )
        for one in effects
    )
    return Table(title, columns, rows)


def _label(one: Effect, by: str) -> str:
    if one.group:
        return one.group
    return f"{one.log}: {one.policy}" if by == POLICY else MEASURES[one.measure].label


def _count(one: Effect) -> Cell:
    return Cell(str(one.change.shakes), one.change.shakes)


def _last(one: Effect) -> str:
    """Say whether it is significant, or in how many resamples it goes one way."""
    if isinstance(one.change, OtherYears):
        return Cell(agreement(one.change), one.change.less)
    told = verdict(one.change, one.holm)
    return Cell(told, None) if one.kind == WEEKS else told
