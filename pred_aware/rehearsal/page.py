"""A rehearsal as a page."""

from pathlib import Path

from pred_aware.effects.page import large_figure
from pred_aware.effects.tables import measure_cell
from pred_aware.gantt.charts import Schedules
from pred_aware.metrics.table import MEASURES
from pred_aware.recorded_queue.report import remarks as baseline_remarks
from pred_aware.rehearsal import tables
from pred_aware.rehearsal.in_words import trust, what_is_simulated
from pred_aware.rehearsal.pictures import pictures
from pred_aware.rehearsal.rehearsed import Rehearsed
from pred_aware.rehearsal.verdict import (
    MOST_UNDERESTIMATED,
    SLOWDOWN,
    WAIT,
    RehearsalVerdict,
    effect,
    verdict_of,
)
from pred_aware.report.page import Answer, Content, Large, Section
from pred_aware.report.page import write as write_content
from pred_aware.report.page.content import WORSE, PageBlock
from pred_aware.report.remark import remarks
from pred_aware.report.table import percent
from pred_aware.runs.picture import pictures as run_pictures

_BEFORE = (
    "The pictures begin before the period, with the jobs that fill the machine and do not count.",
)


def write(rehearsal: Rehearsed, path: Path, *, made: str) -> None:
    """Write the page: whole, or not at all; the same rehearsal gives the same bytes.

    Raises
    ------
    InputError
        The file can't be written.
    """
    write_content(path, content_of(rehearsal, made=made))


def content_of(rehearsal: Rehearsed, *, made: str) -> Content:
    """Return what stands on the page; the parameters are those of `write`."""
    verdict = verdict_of(rehearsal)
    best = next(one for one in rehearsal.shadowed if one.label == verdict.predictor)
    check = rehearsal.comparison.recorded_queue
    evidence: tuple[PageBlock, ...] = (
        () if check is None else (baseline_remarks(check), *check.tables())
    )
    runs = [rehearsal.baseline, *(one.run for one in rehearsal.shadowed)]
    return Content(
        title=f"Soft walltimes on {rehearsal.log.name}: a rehearsal",
        under=rehearsal.dates,
        answer=_answer(rehearsal, verdict),
        sections=(
            Section(
                "What would have been set",
                (tables.what_is_set(rehearsal), *pictures(rehearsal, verdict)),
            ),
            Section("How right it would have been", tuple(tables.errors(rehearsal))),
            Section(
                "What would have come of it",
                (
                    tables.beside_each_other(rehearsal),
                    remarks(_BEFORE if rehearsal.warm_up else ()),
                    *run_pictures(runs),
                    Schedules(rehearsal.baseline, best.run),
                    *tables.schedules(rehearsal),
                ),
            ),
            Section("The queue that the log recorded", evidence),
            Section("What is simulated, and what is not", (what_is_simulated(rehearsal),)),
        ),
        made=made,
    )


def _answer(rehearsal: Rehearsed, verdict: RehearsalVerdict) -> Answer:
    best = next(one for one in rehearsal.shadowed if one.label == verdict.predictor)
    share = best.evaluation.measures.underestimated
    outlived = Large(
        "jobs that outlive what is planned with",
        percent(share),
        f"over {percent(MOST_UNDERESTIMATED, 0)} are too many",
        WORSE if share > MOST_UNDERESTIMATED else "",
    )
    figures = (*(_large(rehearsal, verdict, name) for name in (WAIT, SLOWDOWN)), outlived)
    return Answer(verdict.sentence, verdict.more, figures, trust(rehearsal))


def _large(rehearsal: Rehearsed, verdict: RehearsalVerdict, figure: str) -> Large:
    label, found = MEASURES[figure].label, effect(rehearsal, verdict.predictor, figure)
    if found is None:
        best = next(one for one in rehearsal.shadowed if one.label == verdict.predictor)
        return Large(label, measure_cell(figure, best.run.figures[figure]), "no interval")
    return large_figure(label, found, baseline=rehearsal.baseline.name)
