"""What resamples and weeks say of a comparison, as tables: each kind of interval has its own."""

from collections.abc import Iterable, Iterator

from pred_aware.comparison.bounds import at_best_table
from pred_aware.comparison.cells import measure_cell
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.resamples import InYears, Resampled
from pred_aware.comparison.weeks import InWeeks, Weeks
from pred_aware.metrics.table import MEASURES
from pred_aware.report.interval_format import agreement, change_cells, how_to_read_years, verdict
from pred_aware.report.table import Cell, Table
from pred_aware.statistics.weeks import FEWEST

HOW_TO_READ_WEEKS = (
    "One run of each, by weeks of submission without the first and the last two; from and to: the "
    "interval of what more weeks like these would give, meant to cover 95 %: with 8 to 52 weeks of "
    "made logs it covered 81 to 88 % (docs/intervals.md). It knows nothing of the chance of the "
    "run itself, which shakes tell. Each is looked at alone, and makes nothing sure. Of "
    "percentiles and maxima: means of those of single weeks."
)
YEAR_COLUMNS = ("change", "from", "to", "in resamples")
WEEK_COLUMNS = ("change", "from", "to", "weeks", "told apart")
TOO_FEW_WEEKS = (
    f"With fewer than {FEWEST} weeks there is no interval. Nor is there where they tell nothing."
)


def other_kinds(comparison: Comparison) -> Iterator[Table]:
    """Yield a table for each run but the base of each kind of interval but shakes; yardsticks."""
    if comparison.resampled is not None:
        yield from _years(comparison.resampled, comparison.runs[0].name)
    if comparison.weeks is not None:
        yield from _weeks(comparison.weeks, comparison.runs[0].name)
    if comparison.at_best is not None:
        yield at_best_table(comparison.at_best)


def _years(found: Resampled, base: str) -> Iterator[Table]:
    for name, measures in found.against_base.items():
        rows = tuple(
            (MEASURES[measure].label, *year_cells(measure, one))
            for measure, one in measures.items()
        )
        yield Table(
            f"{name} against {base}, over {len(found.seeds)} resamples (another year)",
            ("", base, name, *YEAR_COLUMNS),
            rows,
            note=how_to_read_years([one.change for one in measures.values()]),
        )


def _weeks(found: Weeks, base: str) -> Iterator[Table]:
    for name, measures in found.against_base.items():
        rows = tuple(
            (MEASURES[measure].label, *week_cells(measure, one))
            for measure, one in measures.items()
        )
        yield Table(
            f"{name} against {base}, over {found.number} weeks of one run each",
            ("", base, name, *WEEK_COLUMNS),
            rows,
            note=how_to_read_weeks(measures.values()),
        )


def how_to_read_weeks(found: Iterable[InWeeks]) -> str:
    """Say what a table over weeks shows."""
    few = any(one.change.low is None for one in found)
    return f"{HOW_TO_READ_WEEKS} {TOO_FEW_WEEKS}" if few else HOW_TO_READ_WEEKS


def year_cells(measure: str, found: InYears) -> tuple[Cell, ...]:
    """Return base, value and `YEAR_COLUMNS`."""
    return (
        measure_cell(measure, found.base),
        measure_cell(measure, found.value),
        *change_cells(found.change),
        Cell(agreement(found.change), found.change.less),
    )


def week_cells(measure: str, found: InWeeks) -> tuple[Cell, ...]:
    """Return base, value and `WEEK_COLUMNS`."""
    return (
        measure_cell(measure, found.base),
        measure_cell(measure, found.value),
        *change_cells(found.change),
        Cell(str(found.change.shakes), found.change.shakes),
        Cell(verdict(found.change), None),
    )
