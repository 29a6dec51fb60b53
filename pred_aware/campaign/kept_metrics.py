"""Metrics that a campaign keeps of a run: measures, and those of groups of its jobs."""

import csv
import gzip
import io
import math
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
"""Beside the jobs, of a run on a site."""
"""As `pred-aware compare` takes them, too."""
WAITS = "waits.npy.gz"
"""What is measured against the baseline is made of these."""

STARTS = "starts.json"
"""How its jobs were started."""

_OF_THE_DAY = "scheduling_time"

OF_STARTS = (
    "started_as_head",
    "started_as_queue",
    "started_as_backfilled",
    "started_without_trust",
)
"""The measures that a run has where a campaign asks for one of them; older stores have none."""

OF_A_RUN = tuple(
    name
    for name, one in MEASURES.items()
    if not one.needs_baseline and name not in (_OF_THE_DAY, *OF_STARTS)
)
"""The measures that every run has: those that need no baseline, and are the same on every day."""


def asked_for(campaign: Specification) -> set[str]:
    """Return the names of files that a campaign keeps of each run beside what every run has."""
    asked = {
        JOBS: campaign.keep_jobs,
        WAITS: bool(campaign.against_baseline),
        STARTS: not set(OF_STARTS).isdisjoint(campaign.measures),
    }
    classes = campaign.classes
    return {name for name, kept in asked.items() if kept} | ({classes.file} if classes else set())


def figures_of(run: "Run", *, tau: float) -> Figures:
    """Return measures of a run that are the same on every day and need no baseline."""
    return {**counts_of(run), **measures(run, OF_A_RUN, tau=tau)}


def starts_of(run: "Run") -> Figures:
    """Return how a run's jobs were started, as shares of them."""
    return measures(run, OF_STARTS)


def groups_of(run: "Run", *, tau: float) -> dict[str, bytes]:
    """Return the files that tell of groups of a run's jobs, by users and by all else."""
    files, jobs = {}, OfJobs(run, tau=tau)
    for name, groupings in ((USERS, ("user",)), (GROUPS, ("size", "length", "queue", "weekday"))):
        told = _Rows()
        for by in groupings:
            # not every log tells it
            with suppress(PredAwareError):
                told.add(by, measured_groups(by, jobs=jobs))
        if told.text:
            files[name] = packed(told.text.encode())
    return files


def classes_of(run: "Run", asked: Classes, *, tau: float) -> bytes:
    """Return the file that tells of a run's jobs in a campaign's own classes."""
    told, jobs = _Rows(), OfJobs(run, tau=tau)
    for by, edges in asked.edges.items():
        told.add(by, measured_groups(by, asked.measures, jobs=jobs, edges=edges))
    return packed(told.text.encode())


def waits_of(run: "Run") -> bytes:
    """Return the file of the waits of a run's jobs in seconds, as NumPy writes it.

    In the order of the workload's jobs; NaN for those that did not run or do not count.
    """
    assert run.workload is not None
    waits = np.full(len(run.workload), np.nan)
    waits[run.places_in_workload] = run.column("waiting_time")
    content = io.BytesIO()
    np.save(content, waits, allow_pickle=False)
    return packed(content.getvalue())


class _Rows:
    """A file of groups."""

    def __init__(self) -> None:
        self._text = io.StringIO()
        self._writer = csv.writer(self._text, lineterminator="\n")

    @property
    def text(self) -> str:
        return self._text.getvalue()

    def add(self, by: str, found: MeasuredGroups) -> None:
        """Add a row for each group."""
        if not self.text:
            self._writer.writerow(("by", "group", "jobs", *found.columns))
        columns = ([_number(value) for value in values] for values in found.columns.values())
        rows = zip(repeat(by), found.names, found.jobs, *columns, strict=False)
        self._writer.writerows(rows)


def _number(value: float | None) -> float | None:
    """Return what is written: of nothing, and of what is no number, nothing."""
    return None if value is None or math.isnan(value) else value


def packed(content: bytes) -> bytes:
    """Compress what is kept, the same content to the same bytes."""
    # neither name nor date stand in the gzip's header; level 6 takes thrice as long
    return gzip.compress(content, 1, mtime=0)
