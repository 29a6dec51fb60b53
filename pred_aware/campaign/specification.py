"""The specification of a campaign, as values, and amounts with units."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Copy, Resample, Shake
from pred_aware.metrics import MEASURES
from pred_aware.simulator.simulation import Delays
from workload_tools.printable import in_json

MAX_SHIFT = 600.0
"""How far a shake moves a session at most, in seconds."""

FEWEST_SHAKES = 10
MOST_SHAKES = 40


@dataclass(frozen=True, slots=True)
class Shakes:
    """How often a log is shaken."""

    at_least: int = FEWEST_SHAKES
    at_most: int = MOST_SHAKES
    """How many shaken copies of a log each policy is simulated on: as many as the precision needs,
    between these."""
    max_shift: float = MAX_SHIFT
    """How far a session is moved at most, in seconds."""


@dataclass(frozen=True, slots=True)
class LogOfCampaign:
    """A log, and what is done to it."""

    name: str
    """What it is called in tables."""
    file: Path
    """Where it is."""
    clean: tuple[str, ...]
    """Recipes of cleaning, the window's too."""
    load: float | None
    """What its load is multiplied by, if anything."""
    processors: int | None
    """The machine's size, in place of what the log says."""
    platform: Path | None
    """The machine's XML file, in place of a cluster of equal hosts."""
    format: str | None
    missing_walltime: str | float | None
    options: Mapping[str, Any]
    """As `pred_aware.read_log` takes them."""
    shakes: Shakes
    """How often it is shaken."""
    resamples: int = 0
    """How often its users' weeks are rearranged."""
    site: Mapping[str, Any] | None = None
    """The content of its site's file; ``None`` for a machine without rules."""
    base_of: str = ""
    """The log that it is another base of; empty for a log of its own."""

    @property
    def of_site(self) -> dict[str, Any]:
        """The site as an option, which each policy has on this log."""
        return {} if self.site is None else {"site": self.site}

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
    """A policy, with one value for each of its options."""

    name: str
    """What it is called in tables; of a policy that is swept with the values of its own."""
    scheduler: str
    """The scheduler's name, or ``module:Class``."""
    options: Mapping[str, Any]
    """As `schedulers.make_policy` takes them."""
    table: str = ""
    """The table of the file that it is one of: its name, without the values that are swept."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a single run may take."""

    memory: float | None = None
    """Bytes of the process that makes it; ``None`` for the machine's, shared by its workers."""
    seconds: float | None = None
    """In wall-clock seconds; ``None`` for as long as it takes."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes of jobs of a campaign's own, and what is measured of each."""

    edges: Mapping[str, tuple[float, ...]]
    """By ``size`` and ``length``: the largest value of each class but the last, in processors or
    seconds."""
    measures: tuple[str, ...]
    """Of a single run, and made of jobs."""

    @property
    def file(self) -> str:
        """What stands beside a run's record is called, by what it tells."""
        told = f"{sorted(self.edges.items())} {self.measures}"
        return f"classes-{hashlib.sha256(told.encode()).hexdigest()[:16]}.csv.gz"


@dataclass(frozen=True, slots=True)
class Specification:
    """A campaign: which runs, what is asked of them, and where they are kept."""

    name: str
    store: Path
    """The folder of the runs."""
    baseline: str
    """The policy that the others are compared with."""
    logs: tuple[LogOfCampaign, ...]
    policies: tuple[PolicyOfCampaign, ...]
    """Each with each; the first policies are those of the file."""
    measures: tuple[str, ...]
    """What tables show."""
    precision: Mapping[str, float]
    """By measure: to which share of the baseline's mean each difference is to be known."""
    delays: Delays
    """As for `pred_aware.simulate`."""
    tau: float
    """Run times below this many seconds count as this in bounded slowdowns."""
    limits: Limits
    """What a single run may take."""
    keep_jobs: bool
    """Whether the jobs of shaken runs are kept, too, and not of the logs as they are alone."""
    weeks: bool = False
    """Whether tables tell what changes from week to week of the logs as they are."""
    classes: Classes | None = None
    """Classes of sizes and lengths of its own; ``None`` for the usual ones."""
    predictors: Mapping[str, Any] = field(default_factory=dict)
    """What is replayed on each log, by label."""

    @property
    def against_baseline(self) -> tuple[str, ...]:
        """Those of the measures that are of a run against the baseline's."""
        return tuple(name for name in self.measures if MEASURES[name].needs_baseline)

    @property
    def of_a_run(self) -> tuple[str, ...]:
        """Those of the measures that are of a single run."""
        return tuple(name for name in self.measures if not MEASURES[name].needs_baseline)


UNITS: Mapping[str, float] = MappingProxyType({"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12})


TIMES: Mapping[str, float] = MappingProxyType({"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0})


def amount(value: Any, units: Mapping[str, float]) -> float:  # noqa: ANN401 - of a file
    """Return what a number with one of some units says.

    Raises
    ------
    PredAwareError
        It says nothing, or not more than 0; begins with "is".

    Examples
    --------
    >>> amount("2 h", TIMES)
    7200.0
    """
    known = " ".join(units)
    try:
        (number, unit) = str(value).split()
        found = float(number) * units[unit]
    except (ValueError, KeyError) as error:
        least = next(iter(units))
        told = f'is a number and a unit ({known}), such as "90 {least}", not {in_json(value)}'
        raise PredAwareError(told) from error
    if not 0 < found < math.inf:
        raise PredAwareError(f"is {in_json(value)}: give more than 0")
    return found


class RunKey(msgspec.Struct, frozen=True, gc=False):
    """A run of a campaign.

    Raises
    ------
    PredAwareError
        The seed of its shake or resample is not from 1 on.
    """

    log: int
    """The place of its log in the campaign."""
    policy: int
    """That of its policy."""
    copy: Copy | None = None
    """The shake or resample of the log; none for the log as it is."""

    def __post_init__(self) -> None:
        """Refuse seeds that no campaign has."""
        if self.copy is not None and self.copy.seed < 1:
            kind, _, seed = str(self.copy).partition(" ")
            raise PredAwareError(f"the seed of a {kind} is {seed}; it must be 1 or more")

    @property
    def shake(self) -> int | None:
        """The seed of the shake, if it is one."""
        return self.copy.seed if isinstance(self.copy, Shake) else None

    @property
    def resample(self) -> int | None:
        """The seed of the resample, if it is one."""
        return self.copy.seed if isinstance(self.copy, Resample) else None

    @property
    def copy_told(self) -> str:
        """What of the log it runs on, in words."""
        return "as it is" if self.copy is None else str(self.copy)

    @property
    def in_order(self) -> tuple[int, int, int, int]:
        """By which runs are sorted: by log, the log as it is, shakes, resamples, then policy."""
        return self.log, self.resample or 0, self.shake or 0, self.policy

    def under(self, policy: int) -> "RunKey":
        """Return the run of the same copy under another policy."""
        return RunKey(self.log, policy, self.copy)
