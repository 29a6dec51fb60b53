"""Options that are one of some words."""

from collections.abc import Sequence

from predictors.errors import OptionError
from predictors.registry import nearest


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
