"""The day of Marconi100 that paper 001 schedules, on both of its machines."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.campaign.identity import digest_of_file, of_policy
from pred_aware.campaign.specification import PolicyOfCampaign
from pred_aware.errors import PredAwareError
from pred_aware.simulator.simulation import Delays
from workload_tools.files import written_whole
from workload_tools.platform.platform import Platform

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
        from pred_aware.inputs.workload import read_workload

        policy = of_policy(PolicyOfCampaign("", scheduler, options or {}), delays=delays)
        told = f"{_FORMAT}\n{self._digest}\n{policy.digest}\n{processors}\n{seed}\n".encode()
        kept = self.folder / f"{hashlib.sha256(told).hexdigest()}.json"
        if not kept.is_file():
            workload = read_workload(self.file)
            if seed is not None:
                workload = workload.shaken(seed)
            run = simulate(
                workload,
                scheduler,
                options=options,
                platform=Platform.of(processors),
                delays=delays,
            )
            waits = run.ran["waiting_time"]
            found = {name: float(run.summary[name]) for name in FIGURES}
            found["short_waits"] = float((waits < _SHORT).mean())
            try:
                kept.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise PredAwareError(
                    f"{kept.parent}: can't be written: {error.strerror}"
                ) from error
            with written_whole(kept) as file:
                file.write(msgspec.json.encode(found))
        return msgspec.json.decode(kept.read_bytes(), type=dict[str, float])
