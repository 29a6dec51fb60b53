"""Checks of options, run times and installed libraries."""

import math
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from operator import attrgetter
from typing import Any

from msgspec.structs import fields

from predictors.errors import MissingLibraryError, OptionError, PredictorError
from predictors.registry import nearest
from predictors.submission import Submission

LARGEST_SEED = 2**32 - 1


def require_count(option: str, value: object, *, least: int = 1, most: int | None = None) -> int:
    """Return `value` if it is a whole number from `least` to `most`.

    Raises
    ------
    OptionError
        `value` is not a whole number from `least` to `most`.

    Examples
    --------
    >>> require_count("jobs", 5)
    5
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise OptionError(f"{option} must be a whole number of at least {least}, not {value!r}")
    if most is not None and value > most:
        raise OptionError(f"{option} must be at most {most}, not {value}")
    return value


def require_number(
    option: str,
    value: object,
    *,
    least: float = 0.0,
    most: float = math.inf,
    open_ends: bool = False,
    unit: str = "",
) -> float:
    """Return `value` as a float if it is a finite number from `least` to `most`.

    With `open_ends`, the value must differ from `least` and `most`. Error messages contain the
    `unit`.

    Raises
    ------
    OptionError
        `value` is not a finite number from `least` to `most`.

    Examples
    --------
    >>> require_number("percentile", 80, most=100.0)
    80.0
    >>> require_number("margin", -5, unit="seconds")
    Traceback (most recent call last):
    ...
    predictors.errors.OptionError: margin must be a number of seconds, at least 0, not -5
    """
    # comparisons with NaN are false, so NaN is refused
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
    """Return `value` if it is one of the choices.

    Raises
    ------
    OptionError
        The value is not one of the choices.

    Examples
    --------
    >>> require_choice("target", "log", ("seconds", "log", "fraction"))
    'log'
    """
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{option} {value!r} is not known: {nearest(str(value), choices)}")
    return value


def require_run_time(submission: Submission, run_time: float) -> None:
    """Check the run time of a job before a predictor learns it.

    Raises
    ------
    PredictorError
        The run time is negative or not a finite number of seconds.

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


def require_extra(extra: str) -> None:
    """Check, without an import, that a library is installed; its extra has the same name.

    Raises
    ------
    MissingLibraryError
        The library is not installed.

    Examples
    --------
    >>> require_extra("msgspec")
    >>> require_extra("lacking")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
        ...
    predictors.errors.MissingLibraryError: needs lacking, which is not installed;
    add it with: pip install --no-deps --require-hashes -r requirements-lacking.lock
    """
    if find_spec(extra) is None:
        raise MissingLibraryError(
            f"needs {extra}, which is not installed; add it with: "
            f"pip install --no-deps --require-hashes -r requirements-{extra}.lock"
        )


# each job has its own value of these fields, so they cannot form groups
NO_GROUP = ("id", "submit_time")


def fields_of(option: str, names: Sequence[str]) -> Callable[[Submission], Any]:
    """Return a function that reads fields of a submission: the value, or a tuple of values.

    Error messages name the `option` that has the field names.

    Raises
    ------
    OptionError
        There is no name, or a name is not a field of `Submission`, or is ``id`` or ``submit_time``.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> fields_of("by", ["user", "processors"])(job)
    ('ann', 4)
    """
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise OptionError(f"{option} must be a list of at least one field, not {names!r}")
    known = [field.name for field in fields(Submission) if field.name not in NO_GROUP]
    for name in names:
        if name not in known:
            raise OptionError(f"{option}: unknown field {name!r}: {nearest(str(name), known)}")
    return attrgetter(*names)
