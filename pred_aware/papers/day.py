"""The day of Marconi100 that paper 001 schedules, on both of its machines."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.identity import digest_of_file, of_policy
from pred_aware.campaign.specification import PolicyOfCampaign
from pred_aware.papers.kept import keep, kept_file, read_kept
from pred_aware.simulator.simulation import Delays
from workload_tools.platform.platform import Platform

if TYPE_CHECKING:
    from pred_aware.inputs.workload import Workload

_FORMAT = 1
"""Raised when what is kept of a run is another."""
_SHORT = 600.0
FIGURES = (
    "makespan", "mean_waiting_time", "mean_turnaround_time", "mean_slowdown", "max_waiting_time",
    "max_turnaround_time", "max_slowdown",
)  # fmt: skip
"""Rows of the paper's tables that a schedule determines."""


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
        from pred_aware.inputs.workload import read_workload

        return read_workload(self.file)

    def figures(
        self,
        processors: int,
        scheduler: str,
        options: Mapping[str, Any] | None = None,
        *,
        seed: int | None = None,
        delays: Delays = "none",
    ) -> dict[str, float]:
        """Return the figures of a run: those of `FIGURES`, and ``short_waits``.

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

        Returns
        -------
        dict
            Seconds; ``short_waits`` is the share of jobs that wait for less than 10 min.

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
            waits = run.ran["waiting_time"]
            found = {name: float(run.summary[name]) for name in FIGURES}
            found["short_waits"] = float((waits < _SHORT).mean())
            keep(kept, found)
        return read_kept(kept, dict[str, float])
