"""The specification of a campaign, as values."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pred_aware.log.copies import Copy, Resample, Shake
from pred_aware.metrics import MEASURES
from pred_aware.simulator.simulation import Delays

MAX_SHIFT = 600.0
"""How far a shake moves a session at most, in seconds."""

FEWEST_SHAKES = 10
MOST_SHAKES = 40


@dataclass(frozen=True, slots=True)
class Shakes:
    """How often a log is shaken.

    Parameters
    ----------
    at_least, at_most
        How many shaken copies of a log each policy is simulated on: as many as the precision
        needs, between these.
    max_shift
        How far a session is moved at most, in seconds.
    """

    at_least: int = FEWEST_SHAKES
    at_most: int = MOST_SHAKES
    max_shift: float = MAX_SHIFT


@dataclass(frozen=True, slots=True)
class LogOfCampaign:
    """A log, and what is done to it.

    Parameters
    ----------
    name
        What it is called in tables.
    file
        Where it is.
    clean
        Recipes of cleaning, the window's too.
    load
        What its load is multiplied by, if anything.
    processors
        The machine's size, in place of what the log says.
    platform
        The machine's XML file, in place of a cluster of equal hosts.
    format, missing_walltime, options
        As `pred_aware.read_log` takes them.
    shakes
        How often it is shaken.
    resamples
        How often its users' weeks are rearranged.
    """

    name: str
    file: Path
    clean: tuple[str, ...]
    load: float | None
    processors: int | None
    platform: Path | None
    format: str | None
    missing_walltime: str | float | None
    options: Mapping[str, Any]
    shakes: Shakes
    resamples: int = 0

    def shake(self, seed: int) -> Shake:
        """Return a shake as far as the log's are."""
        return Shake(seed, self.shakes.max_shift)

    @property
    def copies(self) -> list[Copy | None]:
        """What it may be simulated as: as it is, all of its resamples, and the most shakes."""
        resamples = map(Resample, range(1, self.resamples + 1))
        return [None, *resamples, *map(self.shake, range(1, self.shakes.at_most + 1))]


@dataclass(frozen=True, slots=True)
class PolicyOfCampaign:
    """A policy, with one value for each of its options.

    Parameters
    ----------
    name
        What it is called in tables; of a policy that is swept with the values of its own.
    scheduler
        The scheduler's name, or ``module:Class``.
    options
        As `schedulers.make_policy` takes them.
    table
        The table of the file that it is one of: its name, without the values that are swept.
    """

    name: str
    scheduler: str
    options: Mapping[str, Any]
    table: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a single run may take.

    Parameters
    ----------
    memory
        Bytes of the process that makes it; ``None`` for the machine's, shared by its workers.
    seconds
        In wall-clock seconds; ``None`` for as long as it takes.
    """

    memory: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes of jobs of a campaign's own, and what is measured of each.

    Parameters
    ----------
    edges
        By ``size`` and ``length``: the largest value of each class but the last, in processors or
        seconds.
    measures
        Of a single run, and made of jobs.
    """

    edges: Mapping[str, tuple[float, ...]]
    measures: tuple[str, ...]

    @property
    def file(self) -> str:
        """What stands beside a run's record is called, by what it tells."""
        told = f"{sorted(self.edges.items())} {self.measures}"
        return f"classes-{hashlib.sha256(told.encode()).hexdigest()[:16]}.csv.gz"


@dataclass(frozen=True, slots=True)
class Specification:
    """A campaign: which runs, what is asked of them, and where they are kept.

    Parameters
    ----------
    name
        What it is called.
    store
        The folder of the runs.
    baseline
        The policy that the others are compared with.
    logs, policies
        Each with each; the first policies are those of the file.
    measures
        What tables show.
    precision
        By measure: to which share of the baseline's mean each difference is to be known.
    delays
        As for `pred_aware.simulate`.
    tau
        Run times below this many seconds count as this in bounded slowdowns.
    limits
        What a single run may take.
    keep_jobs
        Whether the jobs of shaken runs are kept, too, and not of the logs as they are alone.
    weeks
        Whether tables tell what changes from week to week of the logs as they are.
    classes
        Classes of sizes and lengths of its own; ``None`` for the usual ones.
    predictors
        What is replayed on each log, by label.
    """

    name: str
    store: Path
    baseline: str
    logs: tuple[LogOfCampaign, ...]
    policies: tuple[PolicyOfCampaign, ...]
    measures: tuple[str, ...]
    precision: Mapping[str, float]
    delays: Delays
    tau: float
    limits: Limits
    keep_jobs: bool
    weeks: bool = False
    classes: Classes | None = None
    predictors: Mapping[str, Any] = field(default_factory=dict)

    @property
    def against_baseline(self) -> tuple[str, ...]:
        """Those of the measures that are of a run against the baseline's."""
        return tuple(name for name in self.measures if MEASURES[name].needs_baseline)

    @property
    def of_a_run(self) -> tuple[str, ...]:
        """Those of the measures that are of a single run."""
        return tuple(name for name in self.measures if not MEASURES[name].needs_baseline)
