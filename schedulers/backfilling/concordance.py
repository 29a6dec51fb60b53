"""The concordance of estimates with the run times of the jobs that have ended."""

from collections import deque

from mypy_extensions import mypyc_attr

NEIGHBOURS = 32
"""Each job is compared with so many that ended before it."""

APART = 2.0
"""Only jobs are compared of which one ran so many times as long as the other."""

SHORT = 10.0
"""Run times below this count as this, in seconds, as in bounded slowdowns."""

UNKNOWN = 0.5
"""The concordance while too little is known, as of random estimates."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Concordance:
    """The share of pairs of ended jobs whose estimates stand in the order of their run times.

    The concordance index of Harrell et al. [1]_, over pairs of jobs of which one ran at least twice
    as long: 1 where all are in the right order, 0.5 where the estimates are equal or say nothing,
    less where they are wrong. A pair is compared once the second of the two has ended, with the 32
    that ended before it, and forgotten `jobs` ends later. With fewer than `pairs` nothing is known.
    That of the walltimes is taken over the same pairs, to compare with.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the yield
       of medical tests", JAMA 247(18), 1982.

    Examples
    --------
    >>> seen = Concordance(pairs=1)
    >>> for estimate, run_time in ((60.0, 100.0), (600.0, 3600.0), (30.0, 900.0)):
    ...     seen.ended(estimate, run_time, walltime=7200.0)
    >>> round(seen.of_estimates, 3)  # the third was taken for the shortest, and was not
    0.667
    >>> seen.of_walltimes
    0.5
    """

    def __init__(self, *, jobs: int = 1000, pairs: int = 1000) -> None:
        self._jobs = jobs
        self._least = max(pairs, 1)
        self._last: deque[tuple[float, float, float]] = deque(maxlen=NEIGHBOURS)
        self._counted: deque[tuple[int, int, int]] = deque()
        self._pairs = 0
        # a tie counts as half a pair in the right order, so right ones count as two
        self._right = 0
        self._right_of_walltimes = 0

    def ended(self, estimate: float, run_time: float, *, walltime: float) -> None:
        """Learn from a job that has ended; all in seconds."""
        run_time = max(run_time, SHORT)
        pairs = right = of_walltimes = 0
        for other_estimate, other_walltime, other in self._last:
            if run_time >= APART * other:
                pairs += 1
                right += (estimate > other_estimate) + (estimate >= other_estimate)
                of_walltimes += (walltime > other_walltime) + (walltime >= other_walltime)
            elif other >= APART * run_time:
                pairs += 1
                right += (estimate < other_estimate) + (estimate <= other_estimate)
                of_walltimes += (walltime < other_walltime) + (walltime <= other_walltime)
        self._last.append((estimate, walltime, run_time))
        self._counted.append((pairs, right, of_walltimes))
        self._pairs += pairs
        self._right += right
        self._right_of_walltimes += of_walltimes
        if len(self._counted) > self._jobs:
            pairs, right, of_walltimes = self._counted.popleft()
            self._pairs -= pairs
            self._right -= right
            self._right_of_walltimes -= of_walltimes

    @property
    def of_estimates(self) -> float:
        """The share in the right order; 0.5 while nothing is known."""
        return UNKNOWN if self._pairs < self._least else self._right / (2 * self._pairs)

    @property
    def of_walltimes(self) -> float:
        """The same of the walltimes."""
        known = self._pairs >= self._least
        return self._right_of_walltimes / (2 * self._pairs) if known else UNKNOWN
