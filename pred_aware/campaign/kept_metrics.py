"""The measures that a campaign stores for each run, also by groups of jobs."""

import csv
import gzip
import io
import math
from collections.abc import Mapping
from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.campaign.messages import Figures
from pred_aware.campaign.specification import Classes, Specification
from pred_aware.errors import PredAwareError
from pred_aware.metrics import MEASURES, measures
from pred_aware.metrics.groups import MeasuredGroups, measured_groups
from pred_aware.metrics.of_jobs import OfJobs
from pred_aware.runs.run_columns import counts_of

if TYPE_CHECKING:
    from pred_aware.runs.run import Run

USERS = "users.csv.gz"
GROUPS = "groups.csv.gz"
BASELINE = "baseline.json"
JOBS = "run_jobs.csv.gz"
STOPS = "run_stops.csv.gz"
"""File of the delay of each job by each rule, only for a run on a site."""
WAITS = "waits.npy.gz"
"""File of the jobs' waits, from which measures against the baseline are computed."""

STARTS = "starts.json"
"""File of the shares of jobs that started as head, from the queue, or backfilled."""

_OF_THE_DAY = "scheduling_time"

OF_STARTS = (
    "started_as_head",
    "started_as_queue",
    "started_as_backfilled",
    "started_without_trust",
)
"""Measures that are stored only if the campaign uses at least one of them."""

OF_A_RUN = tuple(
    name
    for name, one in MEASURES.items()
    if not one.needs_baseline and name not in (_OF_THE_DAY, *OF_STARTS)
)
"""Measures that every run has: they need no baseline, and a repeated run gives the same values."""


def extra_files(campaign: Specification) -> set[str]:
    """Return the names of additional files that a campaign stores for each run."""
    requested = {
        JOBS: campaign.keep_jobs,
        WAITS: bool(campaign.against_baseline),
        STARTS: not set(OF_STARTS).isdisjoint(campaign.measures),
    }
    classes = campaign.classes
    return {name for name, kept in requested.items() if kept} | (
        {classes.file} if classes else set()
    )


def figures_of(run: "Run", *, tau: float) -> Figures:
    """Return a run's measures that need no baseline and are equal when the run is repeated."""
    return {**counts_of(run), **measures(run, OF_A_RUN, tau=tau)}


def starts_of(run: "Run") -> Figures:
    """Return the shares of a run's jobs by the way in which they were started."""
    return measures(run, OF_STARTS)


def groups_of(run: "Run", *, tau: float) -> dict[str, bytes]:
    """Return the files with measures of groups of a run's jobs: by user, and by other groups."""
    files, jobs = {}, OfJobs(run, tau=tau)
    for name, groupings in ((USERS, ("user",)), (GROUPS, ("size", "length", "queue", "weekday"))):
        found = {}
        for by in groupings:
            # an error means that the log lacks this kind of group
            with suppress(PredAwareError):
                found[by] = measured_groups(by, jobs=jobs)
        if found:
            files[name] = _table(found)
    return files


def classes_of(run: "Run", classes: Classes, *, tau: float) -> bytes:
    """Return the file with measures of a run's jobs in the campaign's own classes."""
    jobs = OfJobs(run, tau=tau)
    return _table(
        {
            by: measured_groups(by, classes.measures, jobs=jobs, edges=edges)
            for by, edges in classes.edges.items()
        }
    )


def waits_of(run: "Run") -> bytes:
    """Return a file with the waits of a run's jobs in seconds, in NumPy's format.

    The waits are in the order of the workload; NaN for warm-up jobs and jobs that did not run.
    """
    assert run.workload is not None
    waits = np.full(len(run.workload), np.nan)
    waits[run.places_in_workload] = run.column("waiting_time")
    content = io.BytesIO()
    np.save(content, waits, allow_pickle=False)
    return packed(content.getvalue())


def _table(found: Mapping[str, MeasuredGroups]) -> bytes:
    """Return a compressed file with a row for each group of each grouping."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for by, groups in found.items():
        if not text.tell():
            writer.writerow(("by", "group", "jobs", *groups.columns))
        columns = (
            [None if value is None or math.isnan(value) else value for value in values]
            for values in groups.columns.values()
        )
        writer.writerows(zip(repeat(by), groups.names, groups.jobs, *columns, strict=False))
    return packed(text.getvalue().encode())


def packed(content: bytes) -> bytes:
    """Compress content; equal content gives equal bytes."""
    # mtime=0: no date in the header; level 1, because level 6 takes three times as long
    return gzip.compress(content, 1, mtime=0)
