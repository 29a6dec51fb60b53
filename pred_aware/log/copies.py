"""Copies of a workload for additional simulations: perturbed copies and resamples."""

import msgspec

from pred_aware.log.workload import Workload

# structs instead of dataclasses, because they are keys of large dicts and are stored


class Shake(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A perturbed copy of a workload: its users' sessions are a little earlier or later."""

    seed: int
    max_shift: float
    """Largest shift of a session, in seconds."""

    def of(self, workload: Workload) -> Workload:
        """Return this perturbed copy of a workload."""
        return workload.shaken(self.seed, self.max_shift)

    def __str__(self) -> str:
        """Return the name, such as ``shake 3``."""
        return f"shake {self.seed}"


class Resample(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A resample of a workload, with its users' weeks in another order."""

    seed: int

    def of(self, workload: Workload) -> Workload:
        """Return this resample of a workload."""
        return workload.resampled(self.seed)

    def __str__(self) -> str:
        """Return the name, such as ``resample 3``."""
        return f"resample {self.seed}"


Copy = Shake | Resample
