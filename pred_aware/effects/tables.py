"""Tables of effects: of policies on logs, of measures, or of groups of jobs."""

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
"""Names of a table's first column. If the rows are groups of jobs, the name is the kind of groups,
such as ``user``, and the table also has a column of jobs."""

EQUAL = "="
"""Mark of a change that is not significant, in cells with little space."""

_LAST: dict[Kind, tuple[str, ...]] = {
    SHAKES: ("significant",),
    RESAMPLES: ("in resamples",),
    WEEKS: ("weeks", "significant"),
}


def measure_cell(name: str, value: float | None) -> Cell:
    """Format the value of a measure in its unit."""
    unit = MEASURES[name].unit
    if unit == SHARE:
        return percent(value, 2)
    return duration(value) if unit == SECONDS else figure(value)


def mean_cell(name: str, mean: Interval) -> Cell:
    """Format the mean of a measure or of a share of jobs, with digits according to its interval."""
    if name not in MEASURES or MEASURES[name].unit == SHARE:
        return share_within(mean)
    return measure_cell(name, mean.value)


def change_cell(effect: Effect, digits: int | None = None) -> Cell:
    """Format a policy's value with its change in brackets; see `how_to_read_cells`."""
    change, value = effect.change, mean_cell(effect.measure, effect.value)
    if change.value is None:
        return value
    if effect.same:
        return Cell(f"{value} (the same)", value.value)
    mark = f"{EQUAL} " if change.significant is False else ""
    if significant_alone(change, effect.holm):
        mark = f"{DOUBTFUL} "
    percentage = percent_change(change.value) if change.low is None else in_brackets(change, digits)
    return Cell(f"{value} ({mark}{percentage})", value.value)


def how_to_read_cells(baseline: str, *, shakes: int) -> str:
    """Return a note that explains the brackets of `change_cell`.

    Parameters
    ----------
    baseline
        Name of the baseline.
    shakes
        Number of perturbed copies.
    """
    if not shakes:
        return f"In brackets: change relative to {baseline}; {NO_INTERVAL}."
    maxima = f"Maxima: {TOO_FEW_SHAKES}. " if shakes < LEAST else ""
    return (
        f"In brackets: change relative to {baseline}, with its 95 % interval; {EQUAL} marks a "
        f"change that is not significant. {maxima}{HOW_SURE}"
    )


def effects_table(  # noqa: PLR0913 - the differences between tables
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
    """Return a table with a row for each effect: the two values, and the change with its interval.

    Parameters
    ----------
    title
        Title of the table.
    effects
        The rows, all of one kind.
    by
        Name of the first column, which identifies the rows: `POLICY`, `MEASURE`, or a kind of
        groups.
    baseline, policy
        Names of the columns with the values of baseline and policy.
    kind
        Kind of the effects.
    labels
        Labels of the rows, instead of the names of policies, measures or groups.
    note
        Note below the table. If a row has the mark `DOUBTFUL`, the mark's explanation is added.
    digits
        Digits of the changes, as in `pred_aware.report.interval_format.change_cells`.
    """
    shown = list(effects)
    counted = kind == SHAKES and by == POLICY
    jobs = () if by in {POLICY, MEASURE, WAITING} else ("jobs",)
    columns = (
        by, *jobs, baseline, policy, "change", "from", "to", *(("copies",) if counted else ()),
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
        Effects in all measures, all of one kind.
    measures
        The measures, in the order of the tables.
    title
        Title of each table, after the measure's name.
    baseline, kind
        As in `effects_table`.
    note
        Note below the last table.
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
    """Return a table of measures that compare policies with the baseline, with intervals."""
    columns = (POLICY, "mean", "from", "to", "copies", "unperturbed")
    rows = tuple(
        (
            _label(one, POLICY),
            *(mean_cell(one.measure, each) for each in (one.value, *ends(one.value))),
            _count(one),
            mean_cell(one.measure, Interval.alone(one.unperturbed[1])),
        )
        for one in effects
    )
    return Table(title, columns, rows)


def _label(effect: Effect, by: str) -> str:
    if effect.group:
        return effect.group
    return f"{effect.log}: {effect.policy}" if by == POLICY else MEASURES[effect.measure].label


def _count(effect: Effect) -> Cell:
    return Cell(str(effect.change.shakes), effect.change.shakes)


def _last(effect: Effect) -> str:
    """Return whether the effect is significant, or in how many resamples it has one direction."""
    if isinstance(effect.change, OtherYears):
        return Cell(agreement(effect.change), effect.change.less)
    text = verdict(effect.change, effect.holm)
    return Cell(text, None) if effect.kind == WEEKS else text
