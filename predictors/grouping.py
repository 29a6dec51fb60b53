"""Group jobs by fields that are known at submission."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import fields

from predictors.errors import OptionError
from predictors.registry import nearest
from predictors.submission import Submission

# each job has its own value, so these fields cannot form groups
NO_GROUP = ("id", "submit_time")


def fields_of(option: str, names: Sequence[str]) -> Callable[[Submission], Any]:
    """Return a function that reads fields of a submission: one value, or a tuple of several.

    `option` is the name of the option with the field names, for messages.

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
