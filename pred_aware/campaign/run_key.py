"""The key of a run in a campaign."""

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.log.copies import Copy, Resample, Shake


class RunKey(msgspec.Struct, frozen=True, gc=False):
    """A run of a campaign.

    Raises
    ------
    PredAwareError
        The seed of its perturbed copy or resample is below 1.
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
    def copy_told(self) -> str:
        """The copy of the log, in words."""
        return "as it is" if self.copy is None else str(self.copy)

    @property
    def in_order(self) -> tuple[int, int, int, int]:
        """Sort key of runs: log, then unperturbed, perturbed copies and resamples, then policy."""
        return self.log, self.resample or 0, self.shake or 0, self.policy

    def under(self, policy: int) -> "RunKey":
        """Return the run of the same copy under another policy."""
        return RunKey(self.log, policy, self.copy)
