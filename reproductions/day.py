"""The day of Marconi100 that paper 001 schedules, on both of its machines."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.run_digest import digest_of_file, of_policy
from pred_aware.campaign.specification import PolicyOfCampaign
from pred_aware.simulator.simulation import Delays
from reproductions.kept import keep, kept_file, read_kept
from workload_tools.platform.platform import Platform

if TYPE_CHECKING:
    from pred_aware.log.workload import Workload
    from pred_aware.runs.run import Run

_FORMAT = 2
"""Raised when what is kept of a run is another."""
_LAST = 700
WAITS: Mapping[str, float] = MappingProxyType(
    {
        "waits under 1 min": 60.0,
        "waits under 10 min": 600.0,
        "waits under 1 h": 3600.0,
        "waits under 6 h": 21600.0,
        "waits under 24 h": 86400.0,
    }
)
"""Rows of the paper's tables of waits: shares of the jobs, and under how many seconds they wait."""
LARGEST_LAST = "largest jobs among the last"
FIGURES = (
    "makespan", "mean_waiting_time", "mean_turnaround_time", "mean_slowdown", "max_waiting_time",
    "max_turnaround_time", "max_slowdown",
)  # fmt: skip
"""Rows of the paper's tables that a schedule determines."""


@dataclass(frozen=True, slots=True)
class DayRun:
    """What is kept of a run.

    Parameters
    ----------
    figures
        `FIGURES` in seconds, `WAITS` as shares of the jobs, and `LARGEST_LAST`: the share of the
        jobs of the largest size that are among the last 700 to start.
    waits
        Of each job, in the order of the workload, in seconds.
    """

    figures: dict[str, float]
    waits: tuple[float, ...]


@dataclass(frozen=True)
class Day:
    """The workload, and what was simulated of it.

    Parameters
    ----------
    file
        The Batsim workload.
    folder
        Where figures are kept.
    """

    file: Path
    folder: Path

    @cached_property
    def _digest(self) -> str:
        return digest_of_file(self.file)

    @cached_property
    def _workload(self) -> "Workload":
        from pred_aware.log.workload import read_workload

        return read_workload(self.file)

    @cached_property
    def counts(self) -> dict[str, float]:
        """How many ``jobs`` and ``profiles`` there are, and jobs of the ``largest`` size."""
        raw, sizes = self._workload.raw, self._workload.jobs["processors"]
        return {
            "jobs": float(len(sizes)),
            "profiles": float(len(raw.profiles)),
            "largest size": float(sizes.max()),
            "largest": float((sizes == sizes.max()).sum()),
        }

    def run(
        self,
        processors: int,
        scheduler: str,
        options: Mapping[str, Any] | None = None,
        *,
        seed: int | None = None,
        delays: Delays = "none",
    ) -> DayRun:
        """Return a run, simulated if it is not there.

        Parameters
        ----------
        processors
            512 or 15,680.
        scheduler, options
            What schedules.
        seed
            Of a shake; ``None`` for the day as it is.
        delays
            As for `pred_aware.simulate`.

        Raises
        ------
        PredAwareError
            The workload can't be read, or the folder can't be written.
        """
        from pred_aware.execution.simulate import simulate

        policy = of_policy(PolicyOfCampaign("", scheduler, options or {}), delays=delays)
        kept = kept_file(self.folder, _FORMAT, self._digest, policy.digest, processors, seed)
        if not kept.is_file():
            run = simulate(
                self._workload if seed is None else self._workload.shaken(seed),
                scheduler,
                options=options,
                platform=Platform.of(processors),
                delays=delays,
            )
            keep(kept, asdict(_kept(run)))
        return read_kept(kept, DayRun)


def _kept(run: "Run") -> DayRun:
    import numpy as np

    waits = run.ran["waiting_time"].to_numpy(float)
    sizes = run.ran["requested_number_of_resources"].to_numpy()
    last = np.argsort(run.ran["starting_time"].to_numpy(), kind="stable")[-_LAST:]
    largest = sizes == sizes.max()
    figures = {name: float(run.summary[name]) for name in FIGURES}
    figures |= {name: float((waits < seconds).mean()) for name, seconds in WAITS.items()}
    figures[LARGEST_LAST] = float(largest[last].sum() / largest.sum())
    in_order = np.empty(len(waits))
    in_order[run.places_in_workload] = waits
    return DayRun(figures, tuple(in_order.tolist()))
