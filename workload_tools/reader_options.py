"""Check the reader options that a user gives, before the reader is created."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args, get_origin

from workload_tools.expected import in_words
from workload_tools.hints import did_you_mean
from workload_tools.missing_walltime import WithWalltimes
from workload_tools.printable import in_json

OF_EVERY_FORMAT = "missing_walltime"
"""An option of every format: what happens to jobs without a walltime."""
HIDDEN_USER = "hidden_user"
"""An option of every format: the user name that stands for several unknown users."""

_ABOVE_0 = (
    "machine_processors",
    "missing_walltime",
    "window_hours",
    "largest",
    "threads_per_core",
)
_LEAST = 0


def check_options(reader: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Check the names and values of a reader's options.

    Parameters
    ----------
    reader
        The reader's class. Its keyword-only parameters are the options, and the annotations of the
        parameters define the allowed values. Every format also has `missing_walltime` and
        `hidden_user`.
    options
        Values by option name.

    Raises
    ------
    ValueError
        An option is unknown, or its value has the wrong type.

    Examples
    --------
    >>> from workload_tools.swf.log import SwfLog
    >>> check_options(SwfLog, {"processors_from": "allocated"})
    >>> check_options(SwfLog, {"processors_from": "used"})
    Traceback (most recent call last):
    ValueError: option 'processors_from' is 'used'; it must be one of requested, allocated
    """
    parameters = inspect.signature(reader).parameters.values()
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters)
    known = option_names(reader)
    known += [name for name in (OF_EVERY_FORMAT, HIDDEN_USER) if name not in known]
    of_every = hints_of(WithWalltimes)[OF_EVERY_FORMAT]
    hints = {**hints_of(reader), OF_EVERY_FORMAT: of_every, HIDDEN_USER: str | int}
    for name, value in options.items():
        if name not in known:
            if takes_all:
                continue
            raise ValueError(f"has no option '{name}': {did_you_mean(name, known)}")
        if name in hints:
            _check(name, value, hints[name])
        if name in _ABOVE_0 and isinstance(value, int | float) and not value > _LEAST:
            raise ValueError(f"option '{name}' is {in_json(value)}; it must be above {_LEAST}")


def option_names(reader: Callable[..., Any]) -> list[str]:
    """Return the names of a reader's own options."""
    parameters = inspect.signature(reader).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


def hints_of(reader: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotation of each reader parameter; empty if one cannot be resolved."""
    try:
        parameters = inspect.signature(reader, eval_str=True).parameters.values()
    except NameError:
        # an annotation names a type that the other package imports only for type checking
        return {}
    return {one.name: one.annotation for one in parameters if one.annotation is not one.empty}


def _check(name: str, value: object, hint: Any) -> None:  # noqa: ANN401 - any annotation
    import msgspec

    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        words = _words(hint)
        wanted = (
            f"it must be one of {', '.join(words)}"
            if words
            else in_words(error).replace("expected", "it must be", 1)
        )
        raise ValueError(f"option '{name}' is {in_json(value)}; {wanted}") from None
    except TypeError:
        # an annotation that only the reader itself can check
        return


def _words(hint: Any) -> list[str]:  # noqa: ANN401 - any annotation
    """Return the allowed words of an option, and "a number" or "null" if those are allowed too."""
    if get_origin(hint) is Literal:
        return [str(word) for word in get_args(hint)]
    parts = [_words(part) for part in get_args(hint)]
    if not any(parts):
        return []
    others = ["a number" if part in (int, float) else "null" for part in get_args(hint)]
    return [word for words, other in zip(parts, others, strict=True) for word in words or [other]]
