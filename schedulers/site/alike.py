"""Groups of waiting jobs that the same rules stop at the same dates."""

from typing import TYPE_CHECKING

from schedulers.site.counters import Counter
from schedulers.site.windows import OpenWindow

if TYPE_CHECKING:
    from schedulers.core.job import Job


class Alike:
    """A group of waiting jobs that all rules treat equally, and these rules.

    `stopping` holds the counters that may stop a job of the group. `counting` holds the counters
    that count it while it runs. Each counter comes with the amount that one job requests. `windows`
    are the start windows. `partition` selects the freezes.
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
        """True if a window may stop the jobs or let them start at any date."""
        self.is_free = not (stopping or counting or windows)
        """True if no limit and no window applies to the jobs."""
        self.jobs: dict[int, Job] = {}
        """The waiting jobs, by number."""
        self.rule: str | None = None
        """The rule that stops the jobs since the date `since`, or ``None``."""
        self.since = 0.0
        self.waited: dict[str, float] = {}
        """The seconds for which each rule stopped the jobs before `since`."""

    def stopped_by(self, rule: str | None, now: float) -> bool:
        """Set the rule that stops the jobs from now on; return True if it is a new rule."""
        known = self.rule
        if rule == known:
            return False
        if known is not None:
            self.waited[known] = self.waited.get(known, 0.0) + now - self.since
        self.rule, self.since = rule, now
        return True

    def waits(self, now: float) -> dict[str, float]:
        """Return the seconds for which each rule has stopped the jobs up to now."""
        waited = dict(self.waited)
        if self.rule is not None:
            waited[self.rule] = waited.get(self.rule, 0.0) + now - self.since
        return waited
