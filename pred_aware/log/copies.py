"""Copies of a workload on which it is simulated as well: shakes and resamples."""

import msgspec

from pred_aware.log.workload import Workload

# structs, and no dataclasses, since they are keys of large dicts, and are written to files


class Shake(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A shake of a workload: its users' sessions a little earlier or later."""

    seed: int
    max_shift: float
    """By how many seconds a session is moved at most."""

    def of(self, workload: Workload) -> Workload:
        """Return this shake of a workload."""
        return workload.shaken(self.seed, self.max_shift)

    def __str__(self) -> str:
        """Name the shake, as in ``shake 3``."""
        return f"shake {self.seed}"


class Resample(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A resample of a workload: its users' weeks rearranged."""

    seed: int

    def of(self, workload: Workload) -> Workload:
        """Return this resample of a workload."""
        return workload.resampled(self.seed)

    def __str__(self) -> str:
        """Name the resample, as in ``resample 3``."""
        return f"resample {self.seed}"


Copy = Shake | Resample
