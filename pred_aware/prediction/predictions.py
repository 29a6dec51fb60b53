"""What somebody predicted for the jobs of a log."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.prediction.candidate import Candidate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Timing:
    """What predicting and learning took.

    Parameters
    ----------
    predict_median, learn_median
        Median microseconds of a call; ``None`` where there was none.
    predict_total, learn_total
        Seconds of all calls together, fits included.
    """

    predict_median: float | None
    learn_median: float | None
    predict_total: float
    learn_total: float


@dataclass(frozen=True, slots=True)
class Predictions:
    """What somebody predicted.

    Parameters
    ----------
    candidate
        Who predicted.
    places
        The places in the log of the jobs that were predicted and count, shape (n,).
    estimates
        In seconds, at submission: between 1 s and the walltime.
    at_start
        The same, but of a job whose prediction was too old when it started, the one made then.
    asked_again
        Whether it was.
    timing
        What it took.
    """

    candidate: Candidate
    places: "NDArray[np.intp]"
    estimates: "NDArray[np.float64]"
    at_start: "NDArray[np.float64]"
    asked_again: "NDArray[np.bool_]"
    timing: Timing
