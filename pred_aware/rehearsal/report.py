"""Report on a rehearsal: printed tables, HTML page, and files."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.comparison.effect_tables import perturbed_tables, significance_remarks
from pred_aware.comparison.tables import tables as comparison_tables
from pred_aware.effects.tables import change_cell, how_to_read_cells, mean_cell, measure_cell
from pred_aware.effects.words import large_figure
from pred_aware.gantt.charts import Schedules
from pred_aware.metrics.table import MEASURES
from pred_aware.prediction.tables import short
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.recorded_queue.sentences import remarks as baseline_remarks
from pred_aware.rehearsal.pictures import pictures
from pred_aware.rehearsal.rehearsal_values import (
    LEAD,
    RehearsalValues,
    RehearsedPredictor,
    write_rows,
)
from pred_aware.rehearsal.verdict import (
    KEPT,
    MOST_UNDERESTIMATED,
    SLOWDOWN,
    WAIT,
    RehearsalVerdict,
    effect,
    verdict_of,
)
from pred_aware.report.durations import DAY
from pred_aware.report.interval_format import NO_INTERVAL
from pred_aware.report.page import Answer, Content, Large, Section
from pred_aware.report.page import write as write_content
from pred_aware.report.page.content import WORSE, PageBlock
from pred_aware.report.picture import Picture
from pred_aware.report.plural import counted
from pred_aware.report.result import Result
from pred_aware.report.sentence import Remark, remarks
from pred_aware.report.table import Cell, Table, duration, number, percent
from pred_aware.report.terminal import console, show
from pred_aware.runs.picture import pictures as run_pictures
from pred_aware.runs.waiting_by_rule import waiting_tables
from schedulers.site.in_words import rules_in_words
from schedulers.site.site import Site

if TYPE_CHECKING:
    from pred_aware.rehearsal.rehearsal import Rehearsal
    from pred_aware.runs.run import Run


TOLD = (
    "Set: share of jobs that get a soft walltime, because the estimate is below the walltime. "
    "Unknown: number of jobs without an estimate. Set / walltime: median of soft walltime / "
    "walltime. Ran longer: share of all jobs that ran longer than planned. Error: mean absolute "
    "difference between planned and actual run time."
)


PROMISES = "Planned starts kept: share of the planned jobs that started no later than planned."
WEIGHTED = "area_weighted_waiting_time"
_SCHEDULE = (WAIT, WEIGHTED, SLOWDOWN, KEPT)
_CHANGES = (WAIT, WEIGHTED, SLOWDOWN)


def tables(rehearsal: RehearsalValues) -> list[Table]:
    """Return all tables."""
    first = [soft_walltimes_table(rehearsal), schedules_table(rehearsal)]
    return [*first, *errors(rehearsal), *schedules(rehearsal)]


def soft_walltimes_table(rehearsal: RehearsalValues) -> Table:
    """Return a table of the soft walltimes that the service would have set, by predictor."""
    columns = (
        "", "jobs", "set", "unknown", "set / walltime", "ran longer", "error",
        "error of walltimes",
    )  # fmt: skip
    rows = tuple(_row(one) for one in rehearsal.by_predictor)
    return Table("What each predictor would have set", columns, rows, TOLD)


def _row(rehearsed: RehearsedPredictor) -> tuple[str, ...]:
    measures, softs = rehearsed.evaluation.measures, rehearsed.answers.soft_walltimes
    walltimes = rehearsed.evaluation.jobs.walltimes.tolist()
    shares = [soft / walltime for soft, walltime in zip(softs, walltimes, strict=True) if soft]
    return (
        short(rehearsed.label),
        number(measures.jobs),
        percent(rehearsed.set / measures.jobs),
        number(rehearsed.answers.unknown),
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


_BEFORE = ("The pictures begin before the period, with warm-up jobs, which the tables omit.",)


def write(rehearsal: RehearsalValues, path: Path, *, command: str) -> None:
    """Write the page, completely or not at all; the result is deterministic.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    write_content(path, content_of(rehearsal, command=command))


def content_of(rehearsal: RehearsalValues, *, command: str) -> Content:
    """Return the content of the page; the parameters are those of `write`."""
    verdict = verdict_of(rehearsal)
    best = next(one for one in rehearsal.by_predictor if one.label == verdict.predictor)
    check = rehearsal.comparison.recorded_queue
    evidence: tuple[PageBlock, ...] = (
        () if check is None else (baseline_remarks(check), *check.tables())
    )
    runs = [rehearsal.baseline, *(one.run for one in rehearsal.by_predictor)]
    return Content(
        title=f"Soft walltimes on {rehearsal.log.name}: a rehearsal",
        under=rehearsal.dates,
        answer=_answer(rehearsal, verdict),
        sections=(
            Section(
                "Soft walltimes",
                (soft_walltimes_table(rehearsal), *pictures(rehearsal, verdict)),
            ),
            Section("Errors of the estimates", tuple(errors(rehearsal))),
            Section(
                "Effects on the schedule",
                (
                    schedules_table(rehearsal),
                    remarks(_BEFORE if rehearsal.warm_up else ()),
                    *run_pictures(runs),
                    Schedules(rehearsal.baseline, best.run),
                    *schedules(rehearsal),
                ),
            ),
            Section("The recorded queue", evidence),
            Section("Scope of the simulation", (simulation_remarks(rehearsal),)),
        ),
        command=command,
    )


def _answer(rehearsal: RehearsalValues, verdict: RehearsalVerdict) -> Answer:
    best = next(one for one in rehearsal.by_predictor if one.label == verdict.predictor)
    share = best.evaluation.measures.underestimated
    outlived = Large(
        "jobs that run longer than planned",
        percent(share),
        f"over {percent(MOST_UNDERESTIMATED, 0)} is too high",
        WORSE if share > MOST_UNDERESTIMATED else "",
    )
    figures = (*(_large(rehearsal, verdict, name) for name in (WAIT, SLOWDOWN)), outlived)
    return Answer(verdict.sentence, verdict.more, figures, trust(rehearsal))


def _large(rehearsal: RehearsalValues, verdict: RehearsalVerdict, figure: str) -> Large:
    label, found = MEASURES[figure].label, effect(rehearsal, verdict.predictor, figure)
    if found is None:
        best = next(one for one in rehearsal.by_predictor if one.label == verdict.predictor)
        return Large(label, measure_cell(figure, best.run.figures[figure]), "no interval")
    return large_figure(label, found, baseline=rehearsal.baseline.name)


def simulation_remarks(rehearsal: RehearsalValues) -> tuple[Remark, ...]:
    """Return remarks on what is simulated, for readers who know the real scheduler."""
    filling = (
        f"Jobs submitted up to {LEAD / DAY:.0f} days before the period are simulated too, to "
        f"fill the machine: {counted(rehearsal.warm_up, 'job')}, which the tables omit."
    )
    site = rehearsal.site
    of_site = [ASSUMED, NOT_SIMULATED] if site is None else _of_site(site)
    plans = NO_CALENDAR if rehearsal.slurm is None else SOFT_LIMITS
    said = [_scheduled_with(rehearsal), *of_site, TWO_PASTS, plans]
    return remarks([*said, filling] if rehearsal.warm_up else said)


ASSUMED = (
    "No site is given, so the simulation uses OpenPBS's scheduler, whichever system wrote the log. "
    "For Slurm, give --site with a snapshot of its configuration."
)
NOT_SIMULATED = (
    "Not simulated: queues with their limits, limits of users, fair share, memory, nodes, "
    "reservations, preemption, and late scheduling cycles."
)
NOT_IN_THE_SITE = (
    "Not simulated: fair share, preemption, and settings that are not in the site file."
)
NOT_IN_SLURM = "Not simulated: preemption, and settings that are not in the site file."
TWO_PASTS = (
    "The soft walltimes are those of the service, which learned the jobs that had ended on "
    "the real machine. In the schedules, the predictor learns the jobs that end in the simulation."
)
NO_CALENDAR = (
    "Soft walltimes have an effect only if the scheduler plans starts: OpenPBS plans with "
    "strict_ordering: true in sched_config and a backfill_depth of 1 or more."
)


SOFT_LIMITS = (
    "This is Slurm's scheduler with soft time limits (time_min_as_soft_limit), which Slurm has "
    "since 25.05.4. If a job exceeds its soft limit, the simulation doubles this limit. "
    "docs/how-to/production-slurm.md describes how to switch soft limits on and off."
)


def _scheduled_with(rehearsal: RehearsalValues) -> str:
    options = {"order": "fcfs", **rehearsal.options}
    site = options.pop("site", None)
    options_text = ", ".join(f"{name} {_option_text(value)}" for name, value in options.items())
    machine = f"{rehearsal.baseline.processors:,} processors{', all equal' if site is None else ''}"
    return f"Scheduled on {machine}, with {options_text}."


def _of_site(site: Site) -> list[str]:
    rules = "; ".join(rules_in_words(site)) or "none"
    missing = NOT_IN_THE_SITE if site.slurm is None else NOT_IN_SLURM
    return [f"Each schedule applies the rules of {site.name}: {rules}.", missing]


def trust(rehearsal: RehearsalValues) -> tuple[Remark, ...]:
    """Return remarks on the reliability of the schedules."""
    check, shaken = rehearsal.comparison.recorded_queue, rehearsal.comparison.shaken
    found = []
    if check is not None:
        found += [Remark(one, odd=True) for one in (check.about_size,) if one]
        found.append(Remark(check.sentence, odd=check.warns))
        if check.warns and check.about_base:
            found.append(Remark(check.about_base, odd=check.base != "fitted"))
    if shaken is not None:
        found += [Remark(one) for one in significance_remarks(shaken)]
    return tuple(found)


def _option_text(value: object) -> str:
    if isinstance(value, dict) and "name" in value:
        others = ", ".join(f"{key} {one}" for key, one in value.items() if key != "name")
        return f"{value['name']} ({others})" if others else str(value["name"])
    return str(value)


class RehearsalReport(Result):
    """The report on a rehearsal."""

    def __init__(self, rehearsal: "Rehearsal") -> None:
        self.rehearsal = rehearsal

    def to_dict(self) -> dict[str, Any]:
        """Return all values."""
        return self.rehearsal.to_dict()

    def show(self) -> None:
        """Print the answer, remarks and tables."""
        found, verdict = self.rehearsal, verdict_of(self.rehearsal)
        answer = (Remark(verdict.sentence, strong=True), *remarks(verdict.more))
        some = [soft_walltimes_table(found), *errors(found), schedules_table(found)]
        show([answer, *some, trust(found), simulation_remarks(found)], console())

    def tables(self) -> list[Table]:
        """Return all tables."""
        return tables(self.rehearsal)

    def pictures(self) -> tuple[str, list[Picture]]:
        """Return title and pictures."""
        found = self.rehearsal
        title = f"Soft walltimes on {found.log.name}, {found.dates}"
        return title, list(pictures(found, verdict_of(found)))

    def page(self, *, command: str, names: bool = False) -> Content:
        """Return the content of the HTML page, which shows `command`."""
        return content_of(self.rehearsal, command=command)

    def write_rows(self, path: Path) -> None:
        """Write each job's soft walltime and waits."""
        write_rows(self.rehearsal, path)
