"""A comparison as tables."""

from collections.abc import Iterator

from rich.console import Console

from pred_aware.base_queue.report import remarks as base_remarks
from pred_aware.comparison.comparison import AgainstBase, Comparison, RunSummary
from pred_aware.measures.table import MEASURES, SECONDS, SHARE
from pred_aware.report.counted import counted
from pred_aware.report.page import Remark
from pred_aware.report.table import NOTHING, Cell, Table, duration, figure, percent
from pred_aware.report.terminal import show
from pred_aware.runs.figures import WAITING_OVER

WAITING_LABELS = {
    "under_1_min": "under 1 min",
    "under_10_min": "under 10 min",
    "under_1_h": "under 1 h",
    "under_6_h": "under 6 h",
    "under_24_h": "under 24 h",
    WAITING_OVER: "24 h and over",
}
COUNT_LABELS = {
    "at_most_the_same": "at most the same (to 0.01 s)",
    "shorter_by_10_min": "shorter by at least 10 min",
    "shorter_by_1_h": "shorter by at least 1 h",
    "longer_by_10_min": "longer by at least 10 min",
    "longer_by_1_h": "longer by at least 1 h",
}


def print_comparison(comparison: Comparison, to: Console) -> None:
    """Print the tables and what they leave out; first of all, whether the jobs are the same."""
    for difference in comparison.differences:
        to.print(f"NOT THE SAME JOBS: {difference}.", style="bold", markup=False, soft_wrap=True)
    show([*said_first(comparison), *tables(comparison)], to)
    for line in comparison.made_in_lines():
        to.print(line, markup=False, style="dim")
    for remark in remarks(comparison):
        to.print(remark, markup=False)


def said_first(comparison: Comparison) -> list[tuple[Remark, ...]]:
    """Return what every figure depends on: whether the base is the queue that the log recorded."""
    check = comparison.base_queue
    return [] if check is None or check.recorded is None else [base_remarks(check, briefly=True)]


def tables(comparison: Comparison) -> list[Table]:
    """Return paper 001's tables: figures, shares of jobs by waiting time, job-by-job counts.

    Behind them stand those of who gains and who loses, and of the groups asked for.

    Parameters
    ----------
    comparison
        What `comparison.compare` found.
    """
    from pred_aware.comparison.who_gains import by_group, who_gains

    return [
        _figures(comparison), _waiting(comparison), _job_by_job(comparison),
        *who_gains(comparison), *by_group(comparison),
    ]  # fmt: skip


def remarks(comparison: Comparison) -> list[str]:
    """Say which jobs the tables leave out, and why; empty when there are none."""
    return [
        *(remark for run in comparison.runs for remark in _run_remarks(run)),
        *(
            remark
            for other in comparison.against_base
            for remark in _pair_remarks(comparison.runs[0], other)
        ),
        *(
            [check.sentence]
            if (check := comparison.base_queue) is not None and check.recorded is None
            else []
        ),
    ]


def _figures(comparison: Comparison) -> Table:
    base, *others = comparison.runs
    rows = []
    for name in comparison.shown:
        cells = [measure_cell(name, base.figures[name])]
        for run, other in zip(others, comparison.against_base, strict=True):
            change, cell = other.improvement[name], measure_cell(name, run.figures[name])
            told = cell if change is None else f"{cell} ({percent_change(change)})"
            cells.append(Cell(told, cell.value))
        rows.append((MEASURES[name].label, *cells))
    names = [run.name for run in comparison.runs]
    title = f"Figures (in brackets: change against {base.name})"
    return Table(title, ("", *names), tuple(rows))


def measure_cell(name: str, value: float | None) -> Cell:
    """Write the value of a measure in its unit."""
    unit = MEASURES[name].unit
    if unit == SHARE:
        return percent(value, 2)
    return duration(value) if unit == SECONDS else figure(value)


def _waiting(comparison: Comparison) -> Table:
    runs = comparison.runs
    rows = (
        (label, *(_share(run.waiting[name], run.jobs) for run in runs))
        for name, label in WAITING_LABELS.items()
    )
    names = [run.name for run in runs]
    return Table("Jobs by waiting time", ("waiting time", *names), tuple(rows))


def _job_by_job(comparison: Comparison) -> Table:
    others = comparison.against_base
    rows = (
        (label, *(_share(getattr(other, field), other.jobs) for other in others))
        for field, label in COUNT_LABELS.items()
    )
    title = f"Job by job, against {comparison.runs[0].name}"
    return Table(title, ("waiting time", *(other.name for other in others)), tuple(rows))


def percent_change(change: float) -> str:
    """Write a change as a percentage with its sign, none where it rounds to nothing.

    Examples
    --------
    >>> [percent_change(change) for change in (-0.1121, 0.5, -1e-9)]
    ['-11.21 %', '+50.00 %', '0.00 %']
    """
    # adding 0.0 makes a plain zero of a negative one
    return f"{round(100 * change, 2) + 0.0:+.2f} %".replace("+0.00", "0.00")


def _run_remarks(run: RunSummary) -> Iterator[str]:
    if run.warm_up:
        yield (
            f"{run.name}: {_jobs(run.warm_up)} of the warm-up left out of the figures but for "
            "makespan, scheduling time and utilisation."
        )
    if run.rejected:
        yield f"{run.name}: {_jobs(run.rejected)} rejected, left out of the figures."
    if not run.jobs:
        yield f"{run.name}: no job ran, so there are no figures."


def _pair_remarks(base: RunSummary, other: AgainstBase) -> Iterator[str]:
    if other.only_in_base:
        yield f"{_jobs(other.only_in_base)} of {base.name} not in the file of {other.name}."
    if other.only_here:
        yield f"{_jobs(other.only_here)} of {other.name} not in the file of {base.name}."
    if other.ran_only_in_base:
        yield f"{_jobs(other.ran_only_in_base)} ran in {base.name}, rejected in {other.name}."
    if other.ran_only_here:
        yield f"{_jobs(other.ran_only_here)} ran in {other.name}, rejected in {base.name}."
    if other.not_alike:
        yield (
            f"{_jobs(other.not_alike)} of another submission time or size in {other.name} than in "
            f"{base.name}: are these two runs of the same workload?"
        )


def _jobs(count: int) -> str:
    return counted(count, "job")


def _share(count: int, of: int) -> Cell:
    return Cell(f"{count:,} ({100 * count / of:.2f} %)" if of else NOTHING, count if of else None)
