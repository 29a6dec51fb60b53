"""Waiting of runs on a site by its reasons: the rules, and room."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pred_aware.report.table import Cell, Table, duration, number, percent
from pred_aware.runs.run import Run
from schedulers.site.in_words import without_people

ROOM = "processors"
"""What a job waits for that no rule stops."""

TITLE = "What jobs waited for"


def site_of_run(run: Run) -> Mapping[str, Any] | None:
    """Return the content of the site that a run was made on, if it was on one."""
    if run.recipe is not None:
        options: Mapping[str, Any] = run.recipe.options
    else:
        options = ((run.provenance or {}).get("scheduler") or {}).get("options") or {}
    return options.get("site")


def stops_by_job(run: Run) -> Mapping[str, Mapping[str, float]]:
    """Return for how long which rules stopped each job, in seconds; empty without a site."""
    stops, found = run.stops, defaultdict[str, dict[str, float]](dict)
    if stops is not None:
        for job, rule, seconds in stops.itertuples(index=False):
            found[job][rule] = seconds
    return found


def waiting_by_rule(run: Run) -> Mapping[str, tuple[int, float]] | None:
    """Return how many jobs of a run each rule of its site stopped, and their seconds together.

    The last is `ROOM`, with the jobs that waited for that. ``None`` for a run without a site.
    """
    stops = run.stops
    if stops is None:
        return None
    import pandas as pd

    # as `isin`, which goes through texts one by one
    stops = stops[run.ids_in_workload.get_indexer(pd.Index(stops["job_id"])) >= 0]
    found = {
        str(rule): (len(rows), float(rows["seconds"].sum()))
        for rule, rows in stops.groupby("rule", sort=False)
    }
    found = dict(sorted(found.items(), key=lambda one: -one[1][1]))
    waits = run.ran["waiting_time"].set_axis(run.ids_in_workload)
    left = waits - stops.groupby("job_id")["seconds"].sum().reindex(waits.index, fill_value=0.0)
    # the seconds of files have six decimals
    return {**found, ROOM: (int((left > 1e-3).sum()), float(left.clip(lower=0.0).sum()))}  # noqa: PLR2004


def waiting_tables(runs: Sequence[Run], *, names: bool = False) -> list[Table]:
    """Return what the jobs of runs waited for: a table, and none where no run is on a site.

    Parameters
    ----------
    runs
        The runs.
    names
        Whether users, groups and projects are named whom a rule is for.
    """
    found = {run.name: told for run in runs if (told := waiting_by_rule(run)) is not None}
    rules = dict.fromkeys(rule for told in found.values() for rule in told if rule != ROOM)
    if not found:
        return []
    rows = tuple(
        (
            rule if names else without_people(rule),
            *(cell for told in found.values() for cell in _cells(told, rule)),
        )
        for rule in (*rules, ROOM)
    )
    what = ("jobs", "together", "of the waiting")
    columns = ("for", *(f"{name}: {one}" for name in found for one in what))
    return [Table(TITLE, columns, rows)]


def _cells(told: Mapping[str, tuple[int, float]], rule: str) -> tuple[Cell, Cell, Cell]:
    jobs, seconds = told.get(rule, (0, 0.0))
    every = sum(one for _, one in told.values())
    return number(jobs), duration(seconds), percent(seconds / every if every else None)
