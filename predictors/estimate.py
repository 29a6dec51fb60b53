"""Turn a prediction into the estimate that a scheduler plans with."""

import math
from collections.abc import Iterable, Sequence

from predictors.errors import PredictorError
from predictors.submission import Submission

SHORTEST = 1.0
DEFAULT = 86400.0


def clamp(prediction: float | None, submission: Submission, *, default: float = DEFAULT) -> float:
    """Return the estimate for a prediction, in seconds: at least 1 and at most the walltime.

    If the walltime is below 1 s, the estimate is at most the walltime. If there is no prediction,
    the estimate is the walltime; if there is no walltime either, it is `default`.

    Raises
    ------
    PredictorError
        The prediction is not a number, or it is infinite and the job has no walltime.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0)
    >>> [clamp(prediction, job) for prediction in (None, 0.2, 60.0, 7200.0)]
    [3600.0, 1.0, 60.0, 3600.0]
    >>> clamp(None, Submission(id="8", submit_time=0.0, processors=4))
    86400.0
    """
    walltime = submission.walltime
    if prediction is None:
        return walltime if walltime is not None else default
    try:
        estimate = float(prediction)
    except (TypeError, ValueError) as error:
        raise _refusal(prediction, submission) from error
    longest = math.inf if walltime is None else walltime
    # comparisons with NaN are false, so NaN is refused
    if not -math.inf < estimate <= longest:
        if not estimate > longest:
            raise _refusal(prediction, submission)
        return longest
    if estimate == math.inf:
        raise _refusal(prediction, submission)
    return estimate if estimate >= SHORTEST else min(SHORTEST, longest)


def geometric_mean(estimates: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted geometric mean of at least one estimate; 0 if an estimate is 0.

    Examples
    --------
    >>> round(geometric_mean([60.0, 3600.0], [2.0, 1.0]), 9)
    234.89205847
    """
    # if a job requests 0 s, its estimate is 0, which has no logarithm
    if min(estimates) <= 0.0:
        return 0.0
    logarithms = [w * math.log(one) for one, w in zip(estimates, weights, strict=True)]
    return math.exp(in_turn(logarithms) / in_turn(weights))


def _refusal(prediction: object, submission: Submission) -> PredictorError:
    return PredictorError(
        f"job '{submission.id}': the predictor returned {prediction!r}; "
        "it must be a finite number of seconds, or None for the walltime"
    )


def in_turn(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added from first to last; `sum` rounds differently since 3.12.

    Examples
    --------
    >>> in_turn([1e16, 1.0, 1.0])
    1e+16
    """
    total = 0.0
    for number in numbers:
        total += number
    return total
