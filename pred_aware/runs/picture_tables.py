"""Tables of what the picture of runs shows, for those who can't see it."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.timelines import timeline
from pred_aware.report.durations import DAY, spoken
from pred_aware.report.picture import TICKS
from pred_aware.report.table import Table, duration, number, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults

_QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999, 1.0)
_STRETCHES = 12


def tables(runs: "Sequence[JobResults]") -> tuple[Table, ...]:
    """Return how long jobs waited under each run, and the machine and the queue over time."""
    if not any(len(run.ran) for run in runs):
        return ()
    return _waits(runs), _over_time(runs)


def _waits(runs: "Sequence[JobResults]") -> Table:
    waits = [np.sort(run.ran["waiting_time"].to_numpy(np.float64)) for run in runs]
    longest = max(float(some[-1]) for some in waits if len(some))
    rows = [
        (f"waited at most {name}", *(percent(_share(some, seconds)) for some in waits))
        for seconds, name in TICKS.items()
        if seconds <= longest
    ]
    for share in _QUANTILES:
        name = "longest wait" if share == 1.0 else f"{100 * share:g} % waited at most"
        cells = (duration(float(np.quantile(some, share)) if len(some) else None) for some in waits)
        rows.append((name, *cells))
    return Table("Waits", ("jobs", *(run.name for run in runs)), tuple(rows))


def _share(waits: "NDArray[np.float64]", seconds: float) -> float | None:
    return float(np.searchsorted(waits, seconds, side="right")) / len(waits) if len(waits) else None


def _over_time(runs: "Sequence[JobResults]") -> Table:
    end = max((float(run.whole["finish_time"].max()) for run in runs if len(run.whole)), default=1)
    edges = np.linspace(0.0, max(end, 1.0), _STRETCHES + 1)
    lines = [timeline(run, edges) for run in runs]
    rows = tuple(
        (
            f"{edges[place] / DAY:.1f}",
            *(
                percent(float(line.processors_in_use[place]) / max(1, run.processors))
                for run, line in zip(runs, lines, strict=True)
            ),
            *(number(float(line.jobs_waiting[place]), 1) for line in lines),
            *(number(float(line.processors_waited_for[place])) for line in lines),
        )
        for place in range(_STRETCHES)
    )
    columns = (
        "from day",
        *(
            f"{what}, {run.name}"
            for what in ("in use", "jobs waiting", "processors waited for")
            for run in runs
        ),
    )
    note = f"Means over {spoken(float(edges[1]))} each, counted from the first submission."
    return Table("Machine and queue over time", columns, rows, note=note)
