"""The specification of a campaign as data classes, and a reader of amounts with units."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
"""Largest shift of a session in perturbed copies, in seconds."""

FEWEST_SHAKES = 10
MOST_SHAKES = 40


@dataclass(frozen=True, slots=True)
class Shakes:
    """Number and strength of a log's perturbed copies."""

    at_least: int = FEWEST_SHAKES
    at_most: int = MOST_SHAKES
    """Fewest and most perturbed copies for each policy; the precision determines how many are
    needed.
    """
    max_shift: float = MAX_SHIFT
    """Largest shift of a session, in seconds."""


@dataclass(frozen=True, slots=True)
class LogOfCampaign:
    """A log and all changes to it."""

    name: str
    """Name in tables."""
    file: Path
    """Path of the log."""
    clean: tuple[str, ...]
    """Cleaning recipes, including the time window."""
    load: float | None
    """Factor by which the load is changed, if any."""
    processors: int | None
    """The machine's size, if it replaces the log's."""
    platform: Path | None
    """The platform's XML file, if it replaces a cluster of equal hosts."""
    format: str | None
    missing_walltime: str | float | None
    options: Mapping[str, Any]
    """As in `pred_aware.read_log`."""
    shakes: Shakes
    """Number and strength of the perturbed copies."""
    resamples: int = 0
    """Number of resamples, in which each user's jobs move by whole weeks."""
    site: Mapping[str, Any] | None = None
    """Content of the site file; ``None`` for a machine without rules."""
    base_of: str = ""
    """The log that this entry repeats under other site rules; empty for an independent log."""

    @property
    def of_site(self) -> dict[str, Any]:
        """The site as an option of all policies on this log."""
        return {} if self.site is None else {"site": self.site}

    def shake(self, seed: int) -> Shake:
        """Return the perturbed copy with a seed."""
        return Shake(seed, self.shakes.max_shift)

    @property
    def copies(self) -> list[Copy | None]:
        """All possible copies: unperturbed, all resamples, and all `at_most` perturbed copies."""
        resamples = map(Resample, range(1, self.resamples + 1))
        return [None, *resamples, *map(self.shake, range(1, self.shakes.at_most + 1))]


@dataclass(frozen=True, slots=True)
class PolicyOfCampaign:
    """A policy with one value for each option."""

    name: str
    """Name in tables, with the values of varied options, if any."""
    scheduler: str
    """The scheduler's name, or ``module:Class``."""
    options: Mapping[str, Any]
    """As in `schedulers.make_policy`."""
    table: str = ""
    """Name of the policy's table in the campaign file: the name without varied options."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a single run."""

    memory: float | None = None
    """Memory of the process in bytes; ``None`` to divide the machine's memory among the workers."""
    seconds: float | None = None
    """Wall-clock seconds; ``None`` for no limit."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The campaign's own classes of jobs, and their measures."""

    edges: Mapping[str, tuple[float, ...]]
    """By ``size`` and ``length``: the largest value in each class except the last, in processors or
    seconds.
    """
    measures: tuple[str, ...]
    """Measures that are computed for the jobs of each class."""

    @property
    def file(self) -> str:
        """Name of the file stored with each run; it depends on classes and measures."""
        content = f"{sorted(self.edges.items())} {self.measures}"
        return f"classes-{hashlib.sha256(content.encode()).hexdigest()[:16]}.csv.gz"


@dataclass(frozen=True, slots=True)
class Specification:
    """A campaign: its runs, measures, precision and store."""

    name: str
    store: Path
    """The folder of the runs."""
    baseline: str
    """The policy with which all other policies are compared."""
    logs: tuple[LogOfCampaign, ...]
    policies: tuple[PolicyOfCampaign, ...]
    """Policies in the order of the file; each is run on each log."""
    measures: tuple[str, ...]
    """The measures in tables."""
    precision: Mapping[str, float]
    """By measure: requested precision of each difference, as a fraction of the baseline's mean."""
    delays: Delays
    """As in `pred_aware.simulate`."""
    tau: float
    """Shortest run time in bounded slowdowns, in seconds; shorter run times count as `tau`."""
    limits: Limits
    """Limits of a single run."""
    keep_jobs: bool
    """True to store the jobs of perturbed copies too, not only of unperturbed logs."""
    weeks: bool = False
    """True to show changes over the weeks of the unperturbed logs."""
    classes: Classes | None = None
    """The campaign's own classes of sizes and lengths; ``None`` for the usual classes."""
    predictors: Mapping[str, Any] = field(default_factory=dict)
    """Predictors that are replayed on each log, by label."""

    @property
    def unperturbed(self) -> "Specification":
        """The campaign without perturbed copies and resamples."""
        logs = (
            replace(log, shakes=Shakes(0, 0, log.shakes.max_shift), resamples=0)
            for log in self.logs
        )
        return replace(self, logs=tuple(logs))

    @property
    def resampled(self) -> bool:
        """Whether any log has resamples."""
        return any(log.resamples for log in self.logs)

    @property
    def against_baseline(self) -> tuple[str, ...]:
        """Measures that compare a run with the baseline's run."""
        return tuple(name for name in self.measures if MEASURES[name].needs_baseline)

    @property
    def of_a_run(self) -> tuple[str, ...]:
        """Measures of a single run."""
        return tuple(name for name in self.measures if not MEASURES[name].needs_baseline)


UNITS: Mapping[str, float] = MappingProxyType({"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12})


TIMES: Mapping[str, float] = MappingProxyType({"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0})


def amount(value: Any, units: Mapping[str, float], where: str) -> float:  # noqa: ANN401 - from a file
    """Convert a text of a number and a unit into a number.

    Parameters
    ----------
    value
        The text.
    units
        The known units with their factors.
    where
        The option or key of the text, for messages.

    Raises
    ------
    PredAwareError
        The text is not a number and a known unit, or is not above 0.

    Examples
    --------
    >>> amount("2 h", TIMES, "limits.time")
    7200.0
    """
    try:
        (number, unit) = str(value).split()
        found = float(number) * units[unit]
    except (ValueError, KeyError) as error:
        raise PredAwareError(
            f"{where} is {in_json(value)}; it must be a number and a unit ({' '.join(units)}), "
            f'such as "90 {next(iter(units))}"'
        ) from error
    if not 0 < found < math.inf:
        raise PredAwareError(f"{where} is {in_json(value)}: give more than 0")
    return found


class RunKey(msgspec.Struct, frozen=True, gc=False):
    """A run of a campaign.

    Raises
    ------
    PredAwareError
        The seed of the perturbed copy or resample is below 1.
    """

    log: int
    """Index of the log in the campaign."""
    policy: int
    """Index of the policy."""
    copy: Copy | None = None
    """The perturbed copy or resample; ``None`` for the unperturbed log."""

    def __post_init__(self) -> None:
        """Refuse seeds below 1."""
        if self.copy is not None and self.copy.seed < 1:
            kind, _, seed = str(self.copy).partition(" ")
            raise PredAwareError(f"the seed of a {kind} is {seed}; it must be 1 or more")

    @property
    def shake(self) -> int | None:
        """The seed of the perturbed copy; ``None`` for other runs."""
        return self.copy.seed if isinstance(self.copy, Shake) else None

    @property
    def resample(self) -> int | None:
        """The seed of the resample; ``None`` for other runs."""
        return self.copy.seed if isinstance(self.copy, Resample) else None

    @property
    def copy_name(self) -> str:
        """The copy of the log, in words."""
        return "unperturbed" if self.copy is None else str(self.copy)

    @property
    def in_order(self) -> tuple[int, int, int, int]:
        """Sort key of runs: log, then unperturbed, perturbed copies and resamples, then policy."""
        return self.log, self.resample or 0, self.shake or 0, self.policy

    def under(self, policy: int) -> "RunKey":
        """Return the run of the same copy under another policy."""
        return RunKey(self.log, policy, self.copy)
