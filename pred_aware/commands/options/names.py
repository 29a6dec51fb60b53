"""Names of schedulers and predictors: completed by a shell, and looked up."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pred_aware.errors import PredAwareError

One = TypeVar("One")


def scheduler_names(begun: str) -> list[str]:
    """Return the schedulers whose names begin so."""
    from schedulers import scheduler_names as known

    return [name for name in known() if name.startswith(begun)]


def predictor_names(begun: str) -> list[str]:
    """Return the predictors whose names begin so."""
    from predictors.registry import PREDICTORS

    return [name for name in PREDICTORS.names() if name.startswith(begun)]


def looked_up(what: str, found: Mapping[str, One], names: Sequence[str]) -> dict[str, One]:
    """Return those of what is known that somebody named; all where nothing is named.

    Parameters
    ----------
    what
        What they are.
    found
        All, by name.
    names
        The names.

    Raises
    ------
    PredAwareError
        One is not known.
    """
    from predictors.registry import nearest

    for name in names:
        if name not in found:
            raise PredAwareError(f"no {what} is called '{name}'; {nearest(name, found)}")
    return {name: one for name, one in found.items() if not names or name in names}
