"""Metrics that a campaign keeps of a run: measures, and those of groups of its jobs."""

import gzip
import io
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.campaign.messages import Figures
from pred_aware.campaign.specification import Classes, Specification
from pred_aware.errors import PredAwareError
from pred_aware.metrics import MEASURES, measures
from pred_aware.metrics.groups import measures_by

if TYPE_CHECKING:
    import pandas as pd

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
    counts = {"jobs": len(run.ran), "rejected": len(run.never_ran), "killed": run.killed}
    return {**counts, **measures(run, OF_A_RUN, tau=tau)}


def starts_of(run: "Run") -> Figures:
    """Return how a run's jobs were started, as shares of them."""
    return measures(run, OF_STARTS)


def groups_of(run: "Run", *, tau: float) -> dict[str, bytes]:
    """Return the files that tell of groups of a run's jobs, by users and by all else."""
    files = {}
    for name, groupings in ((USERS, ("user",)), (GROUPS, ("size", "length", "queue", "weekday"))):
        told: list[str] = []
        for by in groupings:
            # not every log tells it
            with suppress(PredAwareError):
                told += _rows(by, measures_by(run, by, tau=tau), header=not told)
        if told:
            files[name] = packed("".join(told).encode())
    return files


def classes_of(run: "Run", asked: Classes, *, tau: float) -> bytes:
    """Return the file that tells of a run's jobs in a campaign's own classes."""
    told: list[str] = []
    for by, edges in asked.edges.items():
        frame = measures_by(run, by, asked.measures, edges=edges, tau=tau)
        told += _rows(by, frame, header=not told)
    return packed("".join(told).encode())


def waits_of(run: "Run") -> bytes:
    """Return the file of the waits of a run's jobs in seconds, as NumPy writes it.

    In the order of the workload's jobs; NaN for those that did not run or do not count.
    """
    assert run.workload is not None
    waits = np.full(len(run.workload), np.nan)
    waits[run.places_in_workload] = run.ran["waiting_time"]
    content = io.BytesIO()
    np.save(content, waits, allow_pickle=False)
    return packed(content.getvalue())


def _rows(by: str, frame: "pd.DataFrame", *, header: bool) -> list[str]:
    named = frame.rename_axis("group").reset_index()
    named.insert(0, "by", by)
    return [named.to_csv(index=False, header=header, lineterminator="\n")]


def packed(content: bytes) -> bytes:
    """Compress what is kept, the same content to the same bytes."""
    # neither name nor date stand in the gzip's header; level 6 takes thrice as long
    return gzip.compress(content, 1, mtime=0)
