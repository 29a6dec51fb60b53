"""A rehearsal as tables."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.comparison.cells import mean_cell, measure_cell
from pred_aware.comparison.shaken_tables import shaken_tables
from pred_aware.comparison.tables import tables as comparison_tables
from pred_aware.metrics.table import MEASURES
from pred_aware.prediction.tables import short
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.rehearsal.verdict import KEPT, SLOWDOWN, WAIT, direction
from pred_aware.report.interval_format import NO_INTERVAL, in_brackets
from pred_aware.report.table import Cell, Table, duration, number, percent

if TYPE_CHECKING:
    from pred_aware.rehearsal.rehearsal import Rehearsal, Shadowed
    from pred_aware.runs.run import Run

TOLD = (
    "Set: the estimate is below the walltime. Set / walltime: the median over these. Outlived: "
    "share of all jobs that ran for longer than what was planned with. Error: mean of its distance "
    "from the run time."
)


SCHEDULES = (
    "In brackets: the change against the schedule with walltimes, with its 95 % interval; ~: not "
    "told apart from none with all differences in view. Promises kept: the share of promised "
    "starts that were no later."
)
_SCHEDULE = (WAIT, SLOWDOWN, "max_waiting_time", KEPT)
_CHANGES = (WAIT, SLOWDOWN)


def tables(rehearsal: "Rehearsal") -> list[Table]:
    """Return all tables.

    Parameters
    ----------
    rehearsal
        What was found.
    """
    first = [what_is_set(rehearsal), beside_each_other(rehearsal)]
    return [*first, *errors(rehearsal), *schedules(rehearsal)]


def what_is_set(rehearsal: "Rehearsal") -> Table:
    """Return what the service would have set, a row for each predictor."""
    columns = (
        "", "jobs", "set", "nothing known", "set / walltime", "outlived", "error",
        "error of walltimes",
    )  # fmt: skip
    rows = tuple(_row(one) for one in rehearsal.shadowed)
    return Table("What each predictor would have set", columns, rows, TOLD)


def _row(one: "Shadowed") -> tuple[str, ...]:
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


def errors(rehearsal: "Rehearsal") -> list[Table]:
    """Return how right it would have been, by length, queue and user."""
    _, _, *others = prediction_tables([one.evaluation for one in rehearsal.shadowed])
    return others


def beside_each_other(rehearsal: "Rehearsal") -> Table:
    """Return the schedules, a row for each: what changes most for users and for the scheduler."""
    runs = [rehearsal.base, *(one.run for one in rehearsal.shadowed)]
    columns = ("", *(MEASURES[figure].label for figure in _SCHEDULE))
    shaken = rehearsal.comparison.shaken
    over = NO_INTERVAL if shaken is None else f"over {len(shaken.seeds)} shakes"
    rows = tuple(
        (short(run.name), *(_cell(rehearsal, run, figure) for figure in _SCHEDULE)) for run in runs
    )
    return Table(f"The schedule without and with, {over}", columns, rows, SCHEDULES)


def _cell(rehearsal: "Rehearsal", run: "Run", figure: str) -> Cell:
    shaken = rehearsal.comparison.shaken
    if shaken is None:
        return measure_cell(figure, run.measures([figure])[figure])
    cell = mean_cell(figure, shaken.runs[run.name].figures[figure])
    against = shaken.against_base.get(run.name)
    if against is None or figure not in _CHANGES or against.figures[figure].value is None:
        return cell
    change, told = against.figures[figure], direction(rehearsal, run.name, figure)
    return Cell(f"{cell} ({in_brackets(change)}{'' if told else ' ~'})", cell.value)


def schedules(rehearsal: "Rehearsal") -> list[Table]:
    """Return the schedules measure by measure; with shakes, over these."""
    shaken = rehearsal.comparison.shaken
    if shaken is None:
        return comparison_tables(rehearsal.comparison)[:3]
    return shaken_tables(shaken)
