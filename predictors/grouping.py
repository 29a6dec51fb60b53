"""Jobs grouped by what is known of them at submission."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import fields

from predictors.errors import OptionError
from predictors.registry import nearest
from predictors.submission import Submission

# each job has its own: they group nothing
NO_GROUP = ("id", "submit_time")


def fields_of(option: str, names: Sequence[str]) -> Callable[[Submission], Any]:
    """Return a function that reads some fields of a submission: one value, or a tuple of several.

    `option` is the one that names them, for messages.

    Raises
    ------
    OptionError
        No name, or one that is no field of `Submission`, or ``id`` or ``submit_time``.

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
