"""Logs read as lines of text, and what is measured of schedules, by the papers' definitions."""

import gzip
import math
from collections.abc import Iterator
from pathlib import Path

from own_easy import Job

T_OF_FIVE = 2.7764451051977987
"""How many standard errors a 95 % interval from five shakes reaches: Student's t, 4 degrees."""
Figures = tuple[float, float | None, float | None]
"""A value, and where its interval ends."""


def lines(path: Path) -> Iterator[list[str]]:
    """Yield the fields of each line of a log."""
    with gzip.open(path, "rt", errors="replace") as file:
        yield from (line.split() for line in file if line.strip() and not line.startswith(";"))


def jobs_of(path: Path) -> dict[str, Job]:
    """Return the jobs of a log, by id, as its lines say."""
    found = {}
    for row in lines(path):
        submitted, run_time = float(row[1]), float(row[3])
        size = int(row[7]) if int(row[7]) > 0 else int(row[4])
        found[row[0]] = Job(submitted, run_time, float(row[8]), size, row[11])
    return found


def ratio(baseline: list[float], other: list[float]) -> Figures:
    """Return what one figure is more than another, as a share: of means over the same shakes.

    The standard error is that of a ratio (Cochran 1977, section 6.4).
    """
    mean = sum(baseline) / len(baseline)
    more = sum(other) / len(other) / mean - 1.0
    rest = sum((new - (1.0 + more) * old) ** 2 for old, new in zip(baseline, other, strict=True))
    half = T_OF_FIVE * math.sqrt(rest / (len(baseline) - 1) / len(baseline)) / mean
    return more, more - half, more + half


def ran(job: Job) -> float:
    """Return how long a job runs: it is killed at its walltime."""
    return min(job.run_time, job.walltime)


def slowdown(job: Job, start: float, tau: float) -> float:
    """Return a bounded slowdown."""
    return max((start - job.submitted + ran(job)) / max(ran(job), tau), 1.0)
