"""A comparison as a page."""

from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.base_queue.pictures import pictures as base_pictures
from pred_aware.base_queue.report import remarks as base_remarks
from pred_aware.comparison.in_words import HOW_TO_READ, in_words
from pred_aware.comparison.tables import remarks, said_first, tables
from pred_aware.report.counted import counted
from pred_aware.report.durations import spoken
from pred_aware.report.page import Block, Remark, write_page
from pred_aware.runs.picture import pictures

if TYPE_CHECKING:
    from pred_aware.comparison.comparison import Comparison
    from pred_aware.comparison.summaries import RunSummary


def write_comparison(comparison: "Comparison", path: Path, *, made: str) -> None:
    """Write the page: whole, or not at all; the same runs give the same bytes.

    Parameters
    ----------
    comparison
        What `comparison.compare` found.
    path
        The file.
    made
        The command.

    Raises
    ------
    InputError
        The file can't be written.
    """
    base, *others = comparison.runs
    first, *more = tables(comparison)
    said = (
        *(Remark(f"Not the same jobs: {one}.", odd=True) for one in comparison.differences),
        *map(Remark, in_words(comparison)),
    )
    check = comparison.base_queue
    blocks: list[Block] = [
        *said_first(comparison),
        said,
        first,
        *pictures(comparison.compared),
        *more,
        (*map(Remark, (*comparison.made_in_lines(), *remarks(comparison))), Remark(HOW_TO_READ)),
    ]
    if check is not None and check.recorded is not None:
        blocks += [base_remarks(check), *base_pictures(check), *check.tables()]
    title = f"{', '.join(run.name for run in others)} against {base.name}"
    write_page(path, title, under=_under(base), blocks=blocks, made=made)


def _under(base: "RunSummary") -> str:
    """Say on what was simulated, as far as the base tells."""
    workload = (base.made or {}).get("workload")
    named = f"{workload['name']}: " if isinstance(workload, dict) and "name" in workload else ""
    span = base.figures["makespan"]
    over = "" if span is None else f", {spoken(span)} from the first submission to the last end"
    return f"{named}{counted(base.jobs, 'job')} on {base.processors:,} processors{over}"
