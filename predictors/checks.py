"""What options and run times may be; the errors say which is not."""

import math
from collections.abc import Sequence

from predictors.errors import OptionError, PredictorError
from predictors.registry import nearest
from predictors.submission import Submission

LARGEST_SEED = 2**32 - 1


def require_count(option: str, value: object, *, least: int = 1) -> int:
    """Return a whole number, or say that it must be one.

    Parameters
    ----------
    option, value
        The option's name and what it was given.
    least
        The smallest that it may be.

    Raises
    ------
    OptionError
        It is no whole number, or below `least`.

    Examples
    --------
    >>> require_count("jobs", 5)
    5
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise OptionError(f"{option} must be a whole number of at least {least}, not {value!r}")
    return value


def require_seed(value: object) -> int:
    """Return a seed that scikit-learn and river take, or say that it must be one.

    Raises
    ------
    OptionError
        It is no whole number from 0 to 2^32 - 1.

    Examples
    --------
    >>> require_seed(13)
    13
    """
    seed = require_count("seed", value, least=0)
    if seed > LARGEST_SEED:
        raise OptionError(f"seed must be at most {LARGEST_SEED}, not {seed}")
    return seed


def require_number(
    option: str,
    value: object,
    *,
    least: float = 0.0,
    most: float = math.inf,
    open_ends: bool = False,
    unit: str = "",
) -> float:
    """Return a finite number, or say that it must be one.

    Parameters
    ----------
    option, value
        The option's name and what it was given.
    least, most
        Between which it must lie; by default, any that is not negative.
    open_ends
        Whether it may not be `least` or `most` itself.
    unit
        What it is a number of, for the message.

    Raises
    ------
    OptionError
        It is no finite number, or lies elsewhere.

    Examples
    --------
    >>> require_number("percentile", 80, most=100.0)
    80.0
    >>> require_number("margin", -5, unit="seconds")
    Traceback (most recent call last):
    ...
    predictors.errors.OptionError: margin must be a number of seconds, at least 0, not -5
    """
    # written so that NaN fails the comparisons
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and least <= value <= most
        and -math.inf < value < math.inf
        and not (open_ends and value in (least, most))
    ):
        return float(value)
    what = f"a number of {unit}," if unit else "a number"
    if least == -math.inf:
        what = f"a finite number of {unit}" if unit else "a finite number"
        limits = ""
    elif most == math.inf:
        limits = f" above {least:g}" if open_ends else f" {'' if unit else 'of '}at least {least:g}"
    elif open_ends:
        limits = f" above {least:g} and below {most:g}"
    else:
        limits = f" from {least:g} to {most:g}"
    raise OptionError(f"{option} must be {what}{limits}, not {value!r}")


def require_choice(option: str, value: object, choices: Sequence[str]) -> str:
    """Return a value that must be one of some words.

    Raises
    ------
    OptionError
        It is another.

    Examples
    --------
    >>> require_choice("target", "log", ("seconds", "log", "fraction"))
    'log'
    """
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{option} {value!r} is not known: {nearest(str(value), choices)}")
    return value


def require_run_time(submission: Submission, run_time: float) -> None:
    """Refuse a run time that nothing can be learned from.

    Raises
    ------
    PredictorError
        The run time is no finite number of seconds, or negative.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4)
    >>> require_run_time(job, float("nan"))
    Traceback (most recent call last):
    ...
    predictors.errors.PredictorError: job '7': run time nan is not a finite number of seconds
    """
    if not 0 <= run_time < math.inf:
        words = "is negative" if run_time < 0 else "is not a finite number of seconds"
        raise PredictorError(f"job '{submission.id}': run time {run_time} {words}")
