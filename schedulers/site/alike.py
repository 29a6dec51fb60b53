"""Waiting jobs that the same rules stop at the same dates."""

from typing import TYPE_CHECKING

from schedulers.site.counters import Counter
from schedulers.site.windows import OpenWindow

if TYPE_CHECKING:
    from schedulers.core.job import Job


class Alike:
    """Waiting jobs that no rule tells apart, and what stops them.

    That are counters that may be `stopping` such a job, and those `counting` it while it runs, each
    with how much it asks for, start windows, and freezes of its partition.
    """

    __slots__ = (
        "by_clock", "counting", "is_free", "jobs", "partition", "rule", "since", "stopping",
        "waited", "windows",
    )  # fmt: skip

    def __init__(
        self,
        stopping: tuple[tuple[Counter, float], ...],
        counting: tuple[tuple[Counter, float], ...],
        windows: tuple[OpenWindow, ...],
        partition: str,
    ) -> None:
        self.stopping = stopping
        self.counting = counting
        self.windows = windows
        self.partition = partition
        self.by_clock = any(window.by_clock for window in windows)
        """Whether what stops them may change at any date."""
        self.is_free = not (stopping or counting or windows)
        """Whether no limit or window is for them."""
        self.jobs: dict[int, Job] = {}
        """Those that wait, by number."""
        self.rule: str | None = None
        """What stops them since `since`; ``None``: nothing."""
        self.since = 0.0
        self.waited: dict[str, float] = {}
        """For how long each rule has stopped them before, in seconds."""

    def stopped_by(self, rule: str | None, now: float) -> bool:
        """Note what stops them from now on; say whether that is new."""
        known = self.rule
        if rule == known:
            return False
        if known is not None:
            self.waited[known] = self.waited.get(known, 0.0) + now - self.since
        self.rule, self.since = rule, now
        return True

    def waits(self, now: float) -> dict[str, float]:
        """Return for how long each rule has stopped them up to now, in seconds."""
        waited = dict(self.waited)
        if self.rule is not None:
            waited[self.rule] = waited.get(self.rule, 0.0) + now - self.since
        return waited
