"""The day of Marconi100 that paper 001 schedules, on both of its machines."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from pred_aware.campaign import PolicyOfCampaign, kept, kept_file, make_folder
from reproductions.published import Outputs, figures_of, rebuild
from workload_tools import Platform

if TYPE_CHECKING:
    from pred_aware import Run, Workload

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
    """What is kept of a run."""

    figures: dict[str, float]
    """`FIGURES` in seconds, `WAITS` as shares of the jobs, and `LARGEST_LAST`: the share of the
    jobs of the largest size that are among the last 700 to start."""
    waits: tuple[float, ...]
    """Of each job, in the order of the workload, in seconds."""


@dataclass(frozen=True)
class Day:
    """The published outputs, the workload rebuilt from them, and what was simulated of it."""

    outputs: Outputs
    """All four."""
    folder: Path
    """Where workload and figures are kept."""

    @cached_property
    def file(self) -> Path:
        """The Batsim workload, rebuilt if it is not there."""
        table = next(iter(self.outputs.values()))
        file = kept_file(self.folder, table, suffix="/slurm_workload_24h.json")
        if not file.is_file():
            make_folder(file.parent)
            rebuild(table, file)
        return file

    def published(self, processors: int, scheduler: str) -> DayRun:
        """Return the authors' own run, as they published it.

        Raises
        ------
        PredAwareError
            The output cannot be read.
        """
        from pred_aware import read_run

        table = self.outputs[processors, scheduler]
        return _day_run(read_run(table, workload=self._workload), figures_of(table, FIGURES))

    @cached_property
    def _workload(self) -> "Workload":
        from pred_aware import read_workload

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
        delays: Literal["none", "batsim"] = "none",
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
            The workload cannot be read, or the folder cannot be written.
        """
        from pred_aware import simulate

        def make() -> DayRun:
            workload = self._workload if seed is None else self._workload.shaken(seed)
            platform = Platform.of(processors)
            run = simulate(workload, scheduler, options=options, platform=platform, delays=delays)
            return _day_run(run, run.summary)

        policy = PolicyOfCampaign("", scheduler, options or {})
        determining = (_FORMAT, self.file, policy, delays, processors, seed)
        return kept(self.folder, DayRun, make, *determining)


def _day_run(run: "Run", summary: Mapping[str, Any]) -> DayRun:
    import numpy as np

    waits = run.ran["waiting_time"].to_numpy(float)
    sizes = run.ran["requested_number_of_resources"].to_numpy()
    last = np.argsort(run.ran["starting_time"].to_numpy(), kind="stable")[-_LAST:]
    largest = sizes == sizes.max()
    figures = {name: float(summary[name]) for name in FIGURES}
    figures |= {name: float((waits < seconds).mean()) for name, seconds in WAITS.items()}
    figures[LARGEST_LAST] = float(largest[last].sum() / largest.sum())
    in_order = np.empty(len(waits))
    in_order[run.places_in_workload] = waits
    return DayRun(figures, tuple(in_order.tolist()))
