"""The key of a run in its campaign."""

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.log.copies import Copy, Resample, Shake


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
