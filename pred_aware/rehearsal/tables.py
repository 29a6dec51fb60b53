"""Tables of a rehearsal."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.comparison.effect_tables import perturbed_tables
from pred_aware.comparison.tables import tables as comparison_tables
from pred_aware.effects.tables import (
    change_cell,
    how_to_read_cells,
    mean_cell,
    measure_cell,
)
from pred_aware.metrics.table import MEASURES
from pred_aware.prediction.tables import short
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.rehearsal.rehearsal_values import RehearsalValues, RehearsedPredictor
from pred_aware.rehearsal.verdict import KEPT, SLOWDOWN, WAIT
from pred_aware.report.interval_format import NO_INTERVAL
from pred_aware.report.table import Cell, Table, duration, number, percent
from pred_aware.runs.waiting_by_rule import waiting_tables

if TYPE_CHECKING:
    from pred_aware.runs.run import Run

TOLD = (
    "Set: the estimate is below the walltime. Set / walltime: the median over these jobs. "
    "Outlived: "
    "share of all jobs that ran longer than planned. Error: mean absolute difference from the run "
    "time."
)


PROMISES = "Planned starts kept: the share of jobs that started no later than first planned."
WEIGHTED = "area_weighted_waiting_time"
_SCHEDULE = (WAIT, WEIGHTED, SLOWDOWN, KEPT)
_CHANGES = (WAIT, WEIGHTED, SLOWDOWN)


def tables(rehearsal: RehearsalValues) -> list[Table]:
    """Return all tables."""
    first = [what_is_set(rehearsal), schedules_table(rehearsal)]
    return [*first, *errors(rehearsal), *schedules(rehearsal)]


def what_is_set(rehearsal: RehearsalValues) -> Table:
    """Return a table of the soft walltimes that the service would have set, by predictor."""
    columns = (
        "", "jobs", "set", "unknown", "set / walltime", "outlived", "error",
        "error of walltimes",
    )  # fmt: skip
    rows = tuple(_row(one) for one in rehearsal.by_predictor)
    return Table("What each predictor would have set", columns, rows, TOLD)


def _row(one: RehearsedPredictor) -> tuple[str, ...]:
    measures, softs = one.evaluation.measures, one.answers.soft_walltimes
    walltimes = one.evaluation.jobs.walltimes.tolist()
    shares = [soft / walltime for soft, walltime in zip(softs, walltimes, strict=True) if soft]
    return (
        short(one.label),
        number(measures.jobs),
        percent(one.set / measures.jobs),
        number(one.answers.unknown),
        percent(float(np.median(shares)) if shares else None),
        percent(measures.underestimated),
        duration(measures.mae),
        duration(measures.walltime.mae),
    )


def errors(rehearsal: RehearsalValues) -> list[Table]:
    """Return tables of errors by length, queue and user."""
    _, _, *others = prediction_tables([one.evaluation for one in rehearsal.by_predictor])
    return others


def schedules_table(rehearsal: RehearsalValues) -> Table:
    """Return a table of the schedules, with their most important measures."""
    runs = [rehearsal.baseline, *(one.run for one in rehearsal.by_predictor)]
    columns = ("", *(MEASURES[figure].label for figure in _SCHEDULE))
    shaken = rehearsal.comparison.shaken
    shakes = 0 if shaken is None else len(shaken.seeds)
    note = f"{how_to_read_cells(rehearsal.baseline.name, shakes=shakes)} {PROMISES}"
    over = NO_INTERVAL if shaken is None else f"over {len(shaken.seeds)} perturbed copies"
    rows = tuple(
        (short(run.name), *(_cell(rehearsal, run, figure) for figure in _SCHEDULE)) for run in runs
    )
    return Table(f"Schedules without and with soft walltimes, {over}", columns, rows, note)


def _cell(rehearsal: RehearsalValues, run: "Run", figure: str) -> Cell:
    shaken = rehearsal.comparison.shaken
    if shaken is None:
        return measure_cell(figure, run.measures([figure])[figure])
    if run is rehearsal.baseline:
        first = next(one for one in shaken.effects if one.measure == figure)
        return mean_cell(figure, first.baseline)
    one = shaken.effect(run.name, figure)
    return change_cell(one) if figure in _CHANGES else mean_cell(figure, one.value)


def schedules(rehearsal: RehearsalValues) -> list[Table]:
    """Return tables of the schedules by measure, and of waits by rule on a site."""
    shaken = rehearsal.comparison.shaken
    why = waiting_tables([rehearsal.baseline, *(one.run for one in rehearsal.by_predictor)])
    if shaken is None:
        return [*comparison_tables(rehearsal.comparison)[:3], *why]
    return [*perturbed_tables(shaken), *why]
