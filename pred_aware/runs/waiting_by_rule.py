"""The waits of a run on a site by reason: the site's rules, or missing processors."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pred_aware.report.table import Cell, Table, duration, number, percent
from pred_aware.runs.run import Run
from schedulers.site.in_words import without_people

ROOM = "processors"
"""Name of the reason for waits that no rule causes."""

TITLE = "What jobs waited for"


def site_of_run(run: Run) -> Mapping[str, Any] | None:
    """Return the content of a run's site, or ``None`` if the run had no site."""
    if run.recipe is not None:
        options: Mapping[str, Any] = run.recipe.options
    else:
        options = ((run.provenance or {}).get("scheduler") or {}).get("options") or {}
    return options.get("site")


def stops_by_job(run: Run) -> Mapping[str, Mapping[str, float]]:
    """Return by job how many seconds each rule delayed it; empty without a site."""
    stops, found = run.stops, defaultdict[str, dict[str, float]](dict)
    if stops is not None:
        for job, rule, seconds in stops.itertuples(index=False):
            found[job][rule] = seconds
    return found


def waiting_by_rule(run: Run) -> Mapping[str, tuple[int, float]] | None:
    """Return for each rule how many jobs it delayed, and for how many seconds in total.

    The last item is `ROOM`, for jobs that waited for processors. ``None`` for a run without a site.
    """
    stops = run.stops
    if stops is None:
        return None
    import pandas as pd

    # this has the same result as `isin`, but is faster
    stops = stops[run.ids_in_workload.get_indexer(pd.Index(stops["job_id"])) >= 0]
    found = {
        str(rule): (len(rows), float(rows["seconds"].sum()))
        for rule, rows in stops.groupby("rule", sort=False)
    }
    found = dict(sorted(found.items(), key=lambda item: -item[1][1]))
    waits = run.ran["waiting_time"].set_axis(run.ids_in_workload)
    left = waits - stops.groupby("job_id")["seconds"].sum().reindex(waits.index, fill_value=0.0)
    # differences up to 1e-3 s are rounding errors of the six decimals in files
    return {**found, ROOM: (int((left > 1e-3).sum()), float(left.clip(lower=0.0).sum()))}  # noqa: PLR2004


def waiting_tables(runs: Sequence[Run], *, names: bool = False) -> list[Table]:
    """Return a table of the reasons why jobs waited, in a list; empty if no run has a site.

    Parameters
    ----------
    runs
        The runs.
    names
        True to show the names of users, groups and projects in rules.
    """
    found = {run.name: delays for run in runs if (delays := waiting_by_rule(run)) is not None}
    rules = dict.fromkeys(rule for delays in found.values() for rule in delays if rule != ROOM)
    if not found:
        return []
    rows = tuple(
        (
            rule if names else without_people(rule),
            *(cell for delays in found.values() for cell in _cells(delays, rule)),
        )
        for rule in (*rules, ROOM)
    )
    what = ("jobs", "total", "of all waiting")
    columns = ("for", *(f"{name}: {one}" for name in found for one in what))
    return [Table(TITLE, columns, rows)]


def _cells(delays: Mapping[str, tuple[int, float]], rule: str) -> tuple[Cell, Cell, Cell]:
    jobs, seconds = delays.get(rule, (0, 0.0))
    every = sum(one for _, one in delays.values())
    return number(jobs), duration(seconds), percent(seconds / every if every else None)
