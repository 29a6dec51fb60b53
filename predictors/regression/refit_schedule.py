"""The dates at which a regression is fitted again."""

import math
from dataclasses import dataclass

from predictors.checks import require_count, require_number


@dataclass(frozen=True, slots=True)
class RefitSchedule:
    """Decides with which job that ends a new fit is due.

    The first is due with job number `minimum`. Then one is due when `every` seconds have passed
    since the last, when `jobs` more were learned, and whenever the number learned has doubled, so
    that a simulation that begins with nothing need not wait. With neither `every` nor `jobs` there
    is one fit only: of the history or, where there is none, of the first `minimum` jobs.

    Examples
    --------
    >>> schedule = RefitSchedule(every=86400.0)
    >>> schedule.due(3, 2, now=100.0, since=50.0), schedule.due(4, 2, now=100.0, since=50.0)
    (False, True)
    """

    every: float | None = None
    """In seconds."""
    jobs: int | None = None
    minimum: int = 1

    def __post_init__(self) -> None:
        """Check the options."""
        if self.every is not None:
            require_number("refit_every", self.every, open_ends=True)
        if self.jobs is not None:
            require_count("refit_jobs", self.jobs)
        require_count("min_jobs", self.minimum)

    def due(self, learned: int, known: int, *, now: float, since: float = -math.inf) -> bool:
        """Say whether a fit is due: `known` of the jobs `learned` were in the last, at `since`."""
        if learned < self.minimum:
            return False
        if known == 0:
            return True
        if self.every is None and self.jobs is None:
            return False
        return (
            learned >= 2 * known
            or (self.every is not None and now >= since + self.every)
            or (self.jobs is not None and learned >= known + self.jobs)
        )
