"""What shakes say of a comparison, as tables and in a sentence."""

from collections.abc import Iterator

from pred_aware.comparison.cells import COUNT_LABELS, WAITING_LABELS, mean_cell
from pred_aware.comparison.shaken import Shaken
from pred_aware.metrics.table import MEASURES
from pred_aware.report.interval_format import (
    HOW_SURE,
    apart_alone_only,
    change_cells,
    doubtful_note,
    ends,
    share_within,
    verdict,
)
from pred_aware.report.table import Cell, Table
from pred_aware.statistics import Interval, apart_alone

HOW_TO_GET_INTERVALS = (
    "One run each: no interval. A change of some percent may be chance (docs/intervals.md); "
    "`compare --shakes 20` tells which are not."
)


def shaken_tables(shaken: Shaken) -> list[Table]:
    """Return a table of figures for each run but the base, of waiting times, of jobs one by one.

    Parameters
    ----------
    shaken
        What `pred_aware.compare` found over shakes.
    """
    return [*_figures(shaken), *_waiting(shaken), _job_by_job(shaken)]


def surely(shaken: Shaken) -> Iterator[str]:
    """Say what intervals mean here, and which differences stand with all of them in view."""
    count = len(shaken.seeds)
    yield (
        f"Means over {count} shakes of the workload (sessions of users up to "
        f"{shaken.reach / 60:g} min earlier or later, the same for all runs), each with the "
        f"{100 * shaken.level:g} % interval of what more shakes would give: it tells a difference "
        "from the chance of one log, not from what another year or machine would bring. "
        f"{HOW_SURE}"
    )
    together = shaken.holm()
    alone = [
        f"{MEASURES[figure].label} of {run}"
        for (run, figure), value in together.items()
        if apart_alone(shaken.against_base[run].figures[figure], value)
    ]
    if alone:
        yield apart_alone_only(alone, of=len(together))


def _figures(shaken: Shaken) -> Iterator[Table]:
    base, together = next(iter(shaken.runs)), shaken.holm()
    for name, other in shaken.against_base.items():
        rows = tuple(
            (
                MEASURES[figure].label,
                mean_cell(figure, shaken.runs[base].figures[figure]),
                mean_cell(figure, shaken.runs[name].figures[figure]),
                *change_cells(other.figures[figure]),
                verdict(other.figures[figure], together[name, figure]),
            )
            for figure in other.figures
        )
        note = doubtful_note(row[-1] for row in rows)
        yield Table(_title(f"{name} against {base}", shaken), _columns(base, name), rows, note)


def _waiting(shaken: Shaken) -> Iterator[Table]:
    base = next(iter(shaken.runs))
    for name, other in shaken.against_base.items():
        rows = tuple(
            (
                label,
                share_within(shaken.runs[base].waiting[bound]),
                share_within(shaken.runs[name].waiting[bound]),
                *change_cells(other.waiting[bound]),
                verdict(other.waiting[bound]),
            )
            for bound, label in WAITING_LABELS.items()
        )
        title = _title(f"Jobs by waiting time, {name} against {base}", shaken)
        note = "Shares of the jobs; changes in points of them, each looked at alone."
        yield Table(title, _columns(base, name, first="waiting time"), rows, note)


def _job_by_job(shaken: Shaken) -> Table:
    others = shaken.against_base
    rows = []
    for name, label in COUNT_LABELS.items():
        means = [other.counts[name] for other in others.values()]
        rows.append((label, *(cell for mean in means for cell in _with_ends(mean))))
    columns = [one for name in others for one in (name, "from", "to")]
    title = _title(f"Job by job, against {next(iter(shaken.runs))}", shaken)
    return Table(title, ("waiting time", *columns), tuple(rows))


def _with_ends(mean: Interval) -> tuple[Cell, Cell, Cell]:
    first, low, high = map(share_within, (mean, *ends(mean)))
    return first, low, high


def _title(what: str, shaken: Shaken) -> str:
    return f"{what}, over {len(shaken.seeds)} shakes"


def _columns(base: str, name: str, first: str = "") -> tuple[str, ...]:
    return (first, base, name, "change", "from", "to", "told apart")
