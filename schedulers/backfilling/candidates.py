"""The order in which a backfilling tries the jobs that may overtake."""

from collections.abc import Callable
from operator import attrgetter

from predictors import OptionError
from schedulers.job import Job

KEYS: dict[str, Callable[[Job], float] | None] = {
    "queue": None,
    "shortest": attrgetter("backfilling"),
    "smallest": attrgetter("processors"),
    "best_fit": lambda job: -job.processors,
}


class Candidates:
    """Sorts candidates; equal ones stay as they wait.

    The `order` is ``queue`` (as they wait), ``shortest`` (by the estimate for backfilling: SJBF, as
    in EASY++), ``smallest`` (by processors) or ``best_fit`` (the largest first, which leaves the
    fewest processors free).
    """

    def __init__(self, order: object) -> None:
        if not isinstance(order, str) or order not in KEYS:
            raise OptionError(f"candidates is {order!r}; it must be one of {', '.join(KEYS)}")
        self._key = KEYS[order]
        self.differ = self._key is not None
        """Whether they are tried in another order than they wait in."""

    def sorted(self, jobs: list[Job]) -> list[Job]:
        """Return the jobs in the order in which to try them."""
        return jobs if self._key is None else sorted(jobs, key=self._key)
