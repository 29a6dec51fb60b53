"""A comparison as tables."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.effect_tables import (
    COUNT_LABELS,
    HOW_TO_GET_INTERVALS,
    WAITING_LABELS,
    group_tables,
    other_kinds,
    perturbed_tables,
    significance_remarks,
)
from pred_aware.comparison.summaries import SHOWN, AgainstBaseline, RunSummary
from pred_aware.comparison.winners_and_losers import by_group, gains_and_losses
from pred_aware.effects.tables import measure_cell
from pred_aware.metrics.table import MEASURES, OF_SIZES
from pred_aware.recorded_queue.sentences import remarks as baseline_remarks
from pred_aware.report.interval_format import NO_INTERVAL, percent_change
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark
from pred_aware.report.table import NOTHING, Cell, Table
from pred_aware.report.terminal import show
from pred_aware.runs.run import Run
from pred_aware.runs.waiting_by_rule import site_of_run

MOST_LINES = 25
"""The maximum number of lines that `compare` prints without ``--full``."""
_MAIN = (
    "mean_waiting_time",
    "area_weighted_waiting_time",
    OF_SIZES[-1],
    *OF_SIZES[:-1],
    "mean_bounded_slowdown",
    "max_waiting_time",
    "utilisation",
)
"""The measures of the short output, most important first."""
_MAIN_ROWS = 9
_FRAME = 1

UNPERTURBED = f"on the unperturbed workload ({NO_INTERVAL})"


def print_comparison(comparison: Compared, to: Console) -> None:
    """Print all tables and remarks. Differences between the runs' jobs come first."""
    for difference in comparison.differences:
        to.print(f"DIFFERENT JOBS: {difference}.", style="bold", markup=False, soft_wrap=True)
    show([*opening_remarks(comparison), *tables(comparison)], to)
    for line in comparison.provenance_lines():
        to.print(line, markup=False, style="dim")
    for remark in remarks(comparison):
        to.print(remark, markup=False)


def print_briefly(comparison: Compared, to: Console, more: Sequence[str] = ()) -> None:
    """Print the main measures and the requested measures, in at most `MOST_LINES` lines.

    Parameters
    ----------
    comparison
        The comparison to print.
    to
        The terminal on which to print.
    more
        Further remarks.
    """
    with to.capture() as printed:
        for difference in comparison.differences:
            to.print(f"DIFFERENT JOBS: {difference}.", style="bold", markup=False)
        for run in comparison.runs:
            if run.remark:
                to.print(f"{run.name}: {run.remark}", markup=False)
        show([*opening_remarks(comparison), *_brief_tables(comparison)], to)
        for remark in (*remarks(comparison, briefly=True), *more):
            to.print(remark, markup=False)
    lines = printed.get().splitlines()
    left_out = max(0, len(lines) - MOST_LINES + 1)
    said = f" {counted(left_out, 'line')} of this output are left out." if left_out else ""
    for line in lines[: MOST_LINES - 1]:
        to.file.write(f"{line}\n")
    to.print(f"`--full` prints all tables: who gains and who loses, by size and user.{said}")


def _brief_tables(comparison: Compared) -> list[Table]:
    """Return tables of the main measures. The more tables, the fewer rows has each table."""
    requested = [*other_kinds(comparison)]
    if comparison.shaken is None:
        main = [_figures(comparison)]
        requested += by_group(comparison)
    else:
        main = perturbed_tables(comparison.shaken)[: len(comparison.runs) - 1]
        requested += group_tables(comparison, comparison.shaken) if comparison.groups else ()
    named = _MAIN if comparison.shown == SHOWN else comparison.shown
    rows = 3 if requested else max(1, _MAIN_ROWS // len(main) - (_FRAME if len(main) > 1 else 0))
    labels = {MEASURES[name].label for name in named[:rows]}
    some = (replace(one, rows=tuple(row for row in one.rows if row[0] in labels)) for one in main)
    return [*some, *requested]


def opening_remarks(comparison: Compared) -> list[tuple[Remark, ...]]:
    """Return the first remark: how well the baseline reproduces the recorded queue."""
    check = comparison.recorded_queue
    if check is None or check.recorded is None:
        return []
    # the remark on a guessed size, if there is one, and the answer are the first remarks
    return [baseline_remarks(check)[: 1 + bool(check.about_size)]]


def tables(comparison: Compared) -> list[Table]:
    """Return paper 001's tables: measures, shares of jobs by waiting time, changes of single jobs.

    Tables of gains and losses and of the requested groupings follow. With perturbed copies, all
    tables show results over the copies, and one more table shows the measures of the single runs.
    Resamples and weeks have their own tables.

    Parameters
    ----------
    comparison
        The comparison to show.
    """
    figures, kinds = _figures(comparison), other_kinds(comparison)
    if comparison.shaken is None:
        alone = (*kinds, _waiting(comparison), _job_by_job(comparison))
        return [figures, *alone, *gains_and_losses(comparison), *by_group(comparison)]
    return [
        *perturbed_tables(comparison.shaken),
        *kinds,
        *group_tables(comparison, comparison.shaken),
        replace(figures, title=f"{figures.title}, {UNPERTURBED}"),
    ]


def remarks(comparison: Compared, *, briefly: bool = False) -> list[str]:
    """Return remarks on significance (unless `briefly`), and on jobs that tables leave out."""
    sure = (
        ()
        if briefly
        else ()
        if comparison.shaken is None
        else significance_remarks(comparison.shaken)
    )
    return [
        *([HOW_TO_GET_INTERVALS] if comparison.shaken is None else sure),
        *_on_other_sites(comparison.compared),
        *(remark for run in comparison.runs for remark in _run_remarks(run)),
        *(
            remark
            for other in comparison.against_baseline
            for remark in _pair_remarks(comparison.runs[0], other)
        ),
        *(
            [check.sentence]
            if (check := comparison.recorded_queue) is not None and check.recorded is None
            else []
        ),
    ]


def _on_other_sites(runs: Sequence[Run]) -> list[str]:
    """Return a remark if the runs are on different sites."""
    others = [run.name for run in runs if site_of_run(run) != site_of_run(runs[0])]
    remark = (
        f"{', '.join(others)}: simulated on another site than {runs[0].name}, so the effect of the "
        "policy cannot be separated from the effect of the site's rules."
    )
    return [remark] if others else []


def _figures(comparison: Compared) -> Table:
    baseline, *others = comparison.runs
    rows = []
    for name in comparison.shown:
        cells = [measure_cell(name, baseline.figures[name])]
        for run, other in zip(others, comparison.against_baseline, strict=True):
            change, cell = other.improvement[name], measure_cell(name, run.figures[name])
            text = f"{cell}"
            # next to intervals, changes of single runs would look like significant results
            if change is not None and comparison.shaken is None:
                text += f" ({percent_change(change)})"
            cells.append(Cell(text, cell.value))
        rows.append((MEASURES[name].label, *cells))
    names = [run.name for run in comparison.runs]
    title = f"Measures (in brackets: change relative to {baseline.name}; {NO_INTERVAL})"
    if comparison.shaken is not None:
        title = "Figures"
    return Table(title, ("", *names), tuple(rows))


def _waiting(comparison: Compared) -> Table:
    runs = comparison.runs
    rows = (
        (label, *(_share(run.waiting[name], run.jobs) for run in runs))
        for name, label in WAITING_LABELS.items()
    )
    names = [run.name for run in runs]
    return Table("Jobs by waiting time", ("waiting time", *names), tuple(rows))


def _job_by_job(comparison: Compared) -> Table:
    others = comparison.against_baseline
    rows = (
        (label, *(_share(getattr(other, field), other.jobs) for other in others))
        for field, label in COUNT_LABELS.items()
    )
    title = f"Job by job, against {comparison.runs[0].name}"
    return Table(title, ("waiting time", *(other.name for other in others)), tuple(rows))


def _run_remarks(run: RunSummary) -> Iterator[str]:
    if run.warm_up:
        yield (
            f"{run.name}: {counted(run.warm_up, 'warm-up job')} counted only in makespan, "
            "scheduling time and utilisation."
        )
    if run.rejected:
        yield f"{run.name}: {_jobs(run.rejected)} rejected, and left out of the measures."
    if not run.jobs:
        yield f"{run.name}: no job ran, so there are no measures."


def _pair_remarks(baseline: RunSummary, other: AgainstBaseline) -> Iterator[str]:
    if other.only_in_baseline:
        count = _jobs(other.only_in_baseline)
        yield f"The file of {other.name} lacks {count} of {baseline.name}."
    if other.only_here:
        yield f"The file of {baseline.name} lacks {_jobs(other.only_here)} of {other.name}."
    if other.ran_only_in_baseline:
        count = _jobs(other.ran_only_in_baseline)
        yield f"{other.name} rejected {count} that ran in {baseline.name}."
    if other.ran_only_here:
        yield f"{baseline.name} rejected {_jobs(other.ran_only_here)} that ran in {other.name}."
    if other.not_alike:
        yield (
            f"{other.name} has {_jobs(other.not_alike)} with another submission time or size than "
            f"in {baseline.name}. Check that the runs have the same workload."
        )


def _jobs(count: int) -> str:
    return counted(count, "job")


def _share(count: int, of: int) -> Cell:
    return Cell(f"{count:,} ({100 * count / of:.2f} %)" if of else NOTHING, count if of else None)
