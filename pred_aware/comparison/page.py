"""A comparison as a page, and as sentences."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.copies import Perturbed
from pred_aware.comparison.gains_pictures import gains_pictures
from pred_aware.comparison.summaries import AgainstBaseline, RunSummary
from pred_aware.comparison.tables import UNPERTURBED, opening_remarks, remarks, tables
from pred_aware.effects.words import change_from_baseline
from pred_aware.gantt.charts import Schedules
from pred_aware.gantt.numbering import Numbering
from pred_aware.gantt.packed_schedules import MOST_JOBS
from pred_aware.log.named_jobs import NO_NAME
from pred_aware.recorded_queue.pictures import pictures as baseline_pictures
from pred_aware.recorded_queue.sentences import remarks as baseline_remarks
from pred_aware.report.durations import timespan
from pred_aware.report.interval_format import NO_INTERVAL, percent_change, share_within
from pred_aware.report.page.content import Content, PageBlock, report
from pred_aware.report.picture import Picture
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Name, Remark
from pred_aware.runs.picture import pictures
from pred_aware.runs.waiting_by_rule import waiting_tables

if TYPE_CHECKING:
    from pred_aware.report.table import Table


WEIGHTED = "area_weighted_waiting_time"
HOW_TO_READ = (
    "The mean wait is the wait of an average job. The mean bounded slowdown divides the time from "
    "submission to end by the run time, so it mostly describes short jobs. If short jobs wait "
    "less, large jobs often wait longer. So before you trust a mean, look at the wait by size, the "
    "wait weighted by processor time, the longest wait, and the users who lose. One log is only "
    "one case, so also try other logs."
)


def in_words(comparison: Compared) -> list[str]:
    """Describe the changes against the baseline, one paragraph for each run with jobs.

    Parameters
    ----------
    comparison
        The comparison to describe.
    """
    baseline, *others = comparison.runs
    shaken = comparison.shaken
    return [
        _paragraph(baseline, run, other) if shaken is None else _over_shakes(shaken, run.name)
        for run, other in zip(others, comparison.against_baseline, strict=True)
        if baseline.jobs and run.jobs
    ]


def _paragraph(baseline: RunSummary, run: RunSummary, other: AgainstBaseline) -> str:
    text = (
        f"{run.name}: a job waits {_instead(baseline, run, 'mean_waiting_time')} on average"
        f"{_change(other, 'mean_waiting_time')}. The wait weighted by processor time is "
        f"{_instead(baseline, run, WEIGHTED)}; "
        f"the longest wait is {_instead(baseline, run, 'max_waiting_time')}."
    )
    if not other.jobs:
        return text
    return (
        f"{text} Of {other.jobs:,} jobs, {other.at_most_the_same:,} "
        f"({100 * other.at_most_the_same / other.jobs:.0f} %) wait no longer than under "
        f"{baseline.name}; {other.shorter_by_1_h:,} start at least an hour earlier, "
        f"{other.longer_by_1_h:,} at least an hour later."
    )


def _instead(baseline: RunSummary, run: RunSummary, figure: str) -> str:
    new, old = run.figures[figure], baseline.figures[figure]
    assert new is not None
    assert old is not None
    if timespan(new) == timespan(old):
        return f"{timespan(new)}, as under {baseline.name}"
    return f"{timespan(new)} instead of {timespan(old)}"


def _change(other: AgainstBaseline, figure: str) -> str:
    change = other.improvement[figure]
    return "" if change is None else f" ({percent_change(change)}; {NO_INTERVAL})"


def _over_shakes(shaken: Perturbed, name: str) -> str:
    counts, effects = shaken.counts[name], {one.measure: one for one in shaken.of(name)}
    shares = (counts[one] for one in ("at_most_the_same", "shorter_by_1_h", "longer_by_1_h"))
    alike, earlier, later = map(share_within, shares)
    said = "; ".join(
        f"{label} {change_from_baseline(effects[figure], shaken.baseline)}"
        for label, figure in (
            ("the mean wait", "mean_waiting_time"),
            ("the wait weighted by processor time", WEIGHTED),
            ("the longest wait", "max_waiting_time"),
        )
        if figure in effects
    )
    return (
        f"{name}, over {len(shaken.seeds)} perturbed copies: {f'{said}. ' if said else ''}{alike} "
        f"of the jobs wait no longer than under {shaken.baseline}; {earlier} start at least an "
        f"hour earlier, {later} at least an hour later."
    )


def page_of(comparison: Compared, *, command: str, names: bool = False) -> Content:
    """Return the page. Equal runs give equal pages.

    Parameters
    ----------
    comparison
        The comparison to show.
    command
        The command that repeats the comparison.
    names
        Whether to show the names of jobs and users instead of numbers.
    """
    first, *more = tables(comparison)
    said = (
        *(
            Remark(f"The runs have different jobs: {one}.", odd=True)
            for one in comparison.differences
        ),
        *map(Remark, in_words(comparison)),
    )
    check = comparison.recorded_queue
    drawn = pictures(comparison.compared)
    if comparison.shaken is not None:
        drawn = [replace(one, title=f"{one.title}, {UNPERTURBED}") for one in drawn]
    blocks: list[PageBlock] = [
        *opening_remarks(comparison),
        said,
        first,
        *drawn,
        *waiting_tables(comparison.compared, names=names),
        *_schedules(comparison, names=names),
        *(more if names else _numbered(comparison, more)),
        (*map(Remark, (*comparison.provenance_lines(), *remarks(comparison))), Remark(HOW_TO_READ)),
    ]
    if check is not None and check.recorded is not None:
        blocks += [baseline_remarks(check), *baseline_pictures(check), *check.tables()]
    title = _title(comparison)
    return report(title, under=_under(comparison), blocks=blocks, command=command)


def _numbered(comparison: Compared, tables: "list[Table]") -> "Iterator[Table]":
    """Yield the tables with users' names replaced by the numbers of the drawn schedules."""
    if not any(table.columns[0] == "user" for table in tables):
        yield from tables
        return
    baseline, *others = comparison.compared
    numbering = Numbering(Schedules(baseline, others[0] if others else baseline))
    for table in tables:
        if table.columns[0] != "user":
            yield table
            continue
        rows = tuple(
            (user if user == NO_NAME else numbering.called(Name("user", user)), *figures)
            for user, *figures in table.rows
        )
        yield replace(table, rows=rows)


def _schedules(comparison: Compared, *, names: bool) -> Iterator[PageBlock]:
    """Yield the drawn schedules of runs and baseline, up to a limit, and the gains by group."""
    if not comparison.compared or comparison.compared[0].ran.empty:
        return
    baseline, *others = comparison.compared
    room = max(1, MOST_JOBS // len(baseline.ran))
    for run in others[:room]:
        yield Schedules(baseline, run, names=names)
    if others[room:]:
        missing = ", ".join(run.name for run in others[room:])
        yield (Remark(f"The page lacks the schedules of {missing}, to limit its size."),)
    yield from gains_pictures(baseline, others)


def pictures_of(comparison: Compared) -> tuple[str, list[Picture]]:
    """Return the title and the pictures of the page."""
    title = f"{_title(comparison)}\n{_under(comparison)}"
    return title, pictures(comparison.compared)


def _title(comparison: Compared) -> str:
    baseline, *others = comparison.runs
    names = ", ".join(run.name for run in others)
    return f"{names} against {baseline.name}" if others else baseline.name


def _under(comparison: Compared) -> str:
    """Return the line below the title: machine, workload and period, if known."""
    baseline, check = comparison.runs[0], comparison.recorded_queue
    workload = (baseline.provenance or {}).get("workload")
    named = f"{workload['name']}: " if isinstance(workload, dict) and "name" in workload else ""
    if check is not None and comparison.compared[0].workload is not None:
        # in a demo, the check knows the name of the workload's log
        named = f"{check.log}: "
    span = baseline.figures["makespan"]
    over = "" if span is None else f", {timespan(span)} from the first submission to the last end"
    jobs = f"{counted(baseline.jobs, 'job')} on {baseline.processors:,} processors"
    return f"{named}{jobs}{_dates(comparison)}{over}"


def _dates(comparison: Compared) -> str:
    """Return the period of submissions, if the baseline's workload has it."""
    run = comparison.compared[0] if comparison.compared else None
    if run is None or run.workload is None or not len(run.whole):
        return ""
    from pred_aware.report.clock import make_clock, plausible_start

    start, zone = run.workload.dates
    submitted = run.whole["submission_time"]
    first, last = float(submitted.min()), float(submitted.max())
    clock = make_clock(plausible_start(start, first, last), zone)
    return f", {clock.date(first)} to {clock.date(last)}" if clock.knows_dates else ""
