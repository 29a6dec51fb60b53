"""Decide whether a simulated queue is like the recorded queue; see docs/explanation/baseline.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from pred_aware.recorded_queue.waits import Similarity
from pred_aware.report.durations import timespan

if TYPE_CHECKING:
    from pred_aware.recorded_queue.waits import Waits

RATIOS = (0.5, 2.0)
"""The allowed range of mean simulated wait / mean recorded wait."""
CLOSE = 0.85
"""The minimum rank correlation of the waits, unless `EXPLAINED` applies."""
EXPLAINED = 0.02
"""The maximum share of waiting without an explanation in a queue with known order, for which
`FAIRLY_CLOSE` and `APART` are used instead of `CLOSE`. In such a queue, chance decides which jobs
wait, because one late start moves all later starts.
"""
FAIRLY_CLOSE, APART = 0.6, 0.1
"""The minimum rank correlation and the maximum distance of the distributions for a queue to which
`EXPLAINED` applies."""

Verdict = Literal["fitted", "none"]


def verdict_of(
    test: Similarity, *, whole: float | None = None, unexplained: float | None = None
) -> Verdict:
    """Return whether simulated changes of the waits are valid for the site.

    Parameters
    ----------
    test
        The comparison of the waits in a part of the log on which no rule was fitted.
    whole
        Mean simulated wait / mean recorded wait in the whole log, if known.
    unexplained
        The share of the waiting that had free processors and that no rule explains, if the order of
        the queue is known.

    Returns
    -------
    str
        ``fitted``: changes are right to within `ERROR_BAR`; ``none``: changes are not valid.
    """
    near = is_near(test.ratio) and (whole is None or is_near(whole))
    alike = test.correlation >= FAIRLY_CLOSE and test.distance <= APART
    explained = unexplained is not None and unexplained <= EXPLAINED and alike
    return "fitted" if near and (test.correlation >= CLOSE or explained) else "none"


def is_near(ratio: float | None) -> bool:
    """Return whether mean simulated wait / mean recorded wait is within `RATIOS`."""
    return ratio is not None and RATIOS[0] <= ratio <= RATIOS[1]


CONSEQUENCES: Mapping[Verdict | None, str] = MappingProxyType(
    {"fitted": "the change", "none": "nothing", None: "not known"}
)
"""What a simulation can show about the site, for a table."""

ERROR_BAR = 7.0
"""On nine of ten sites, the error of a simulated change is at most this many percentage points.

The value is the second largest of 19 errors on sites that another simulator simulated (split
conformal prediction: Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005).
See docs/how-to/infer-site.md."""

WITHIN = (
    f"Simulated changes are right for this site to within about {ERROR_BAR:.0f} percentage points, "
    f"so a change below {ERROR_BAR:.0f} % could go either way."
)
"""The error of changes on a fitted baseline, in a sentence."""


UNKNOWN_CHANGE = "How much another scheduler would change this site's waits is unknown."


def waits_of(test: Similarity, part: str = "second half of the log") -> str:
    """Return a clause with the recorded and the simulated mean wait in a part of the log."""
    if test.simulated is None:
        return f"in the {part}, no job waited"
    return (
        f"in the {part}, the mean wait is {timespan(test.simulated)} in the simulation and "
        f"{timespan(test.recorded)} in the log (rank correlation {test.correlation:.2f})"
    )


def sentence_of(verdict: Verdict, test: Similarity) -> str:
    """Return a sentence with the verdict, the mean waits, and what simulated changes are worth."""
    if verdict == "none":
        return (
            f"The simulated queue differs too much from yours: {waits_of(test)}. {UNKNOWN_CHANGE}"
        )
    return f"The simulated queue is similar enough to yours: {waits_of(test)}. {WITHIN}"


Answer = Literal["alike", "shorter", "longer", "others", "little", "impossible", "unknown"]

KNOWN = 0.95
"""The minimum share of jobs whose wait is known, as in `pred_aware.inspection.load`."""
FEWEST = 100
"""The minimum number of compared jobs; the mean wait of fewer jobs depends too much on single
jobs."""
MOST_BEYOND = 0.01
"""The maximum share of the recorded work above the machine's size."""
ALIKE_MEAN = 1.25
"""The maximum factor between the mean waits of queues that are alike."""
ALIKE_RANKS = 0.6
"""The minimum rank correlation of the waits of queues that are alike."""
ALIKE_SHARES = 0.1
"""The maximum Kolmogorov distance of the waits of queues that are alike."""
HARDLY = 60.0
"""If both mean waits are below this many seconds, jobs wait too little for a comparison."""


def answer_of(
    real: "Waits", simulated: "Waits", *, ranks: float | None, apart: float, work_beyond: float
) -> Answer:
    """Return the answer of a comparison; see `BaselineCheck.answer`.

    Parameters
    ----------
    real, simulated
        Recorded and simulated waits of the same jobs.
    ranks
        Rank correlation of the waits.
    apart
        Kolmogorov's distance of the distributions of the waits.
    work_beyond
        Share of the recorded work above the machine's size.
    """
    if work_beyond > MOST_BEYOND:
        return "impossible"
    if max(real.mean, simulated.mean) < HARDLY:
        return "little"
    if simulated.mean * ALIKE_MEAN < real.mean:
        return "shorter"
    if simulated.mean > real.mean * ALIKE_MEAN:
        return "longer"
    return "alike" if (ranks or 0.0) >= ALIKE_RANKS and apart <= ALIKE_SHARES else "others"
