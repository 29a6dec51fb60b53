"""Predictions of anybody's for the jobs of a log."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.prediction.candidate import Candidate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Timing:
    """What predicting and learning took."""

    predict_median: float | None
    learn_median: float | None
    """Median microseconds of a call; ``None`` where there was none."""
    predict_total: float
    learn_total: float
    """Seconds of all calls together, fits included."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """What somebody predicted."""

    candidate: Candidate
    """Who predicted."""
    places: "NDArray[np.intp]"
    """The places in the log of the jobs that were predicted and count, shape (n,)."""
    estimates: "NDArray[np.float64]"
    """In seconds, at submission: between 1 s and the walltime."""
    at_start: "NDArray[np.float64]"
    """The same, but of a job whose prediction was too old when it started, the one made then."""
    asked_again: "NDArray[np.bool_]"
    """Whether it was."""
    timing: Timing
    """What it took."""
