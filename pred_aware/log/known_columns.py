"""The features of a workload's jobs that predictors see, as a list for each feature."""

from typing import Any

from predictors import Submission
from workload_tools.batsim.fields import BATSIM_NAMES, TEXTS, known
from workload_tools.batsim.workload import RawWorkload
from workload_tools.expected import UNREADABLE

_REQUEST = frozenset({"id", "submit_time", "processors", "walltime"})
_OTHERS = tuple(name for name in Submission.__struct_fields__ if name not in _REQUEST)


def known_columns(raw: RawWorkload) -> dict[str, list[Any]] | None:
    """Return the features of a workload's jobs, by the field's name in `Submission`.

    ``None`` stands for a missing or invalid value.

    Returns
    -------
    dict of list or None
        A list with one value per job for each feature. ``None`` if each job must be read singly,
        because a field cannot be read, or the workload has two fields for one feature.
    """
    names = {BATSIM_NAMES.get(name, name): name for name in _OTHERS}
    try:
        columns = raw.details.columns(*names, *(name for name in _OTHERS if name not in names))
    except UNREADABLE:
        return None
    ours = [names.get(name, name) for name in columns]
    if len({*ours}) < len(ours):
        return None
    return {
        name: _column(field, values, name)
        for name, (field, values) in zip(ours, columns.items(), strict=True)
    }


def _column(field: str, values: list[Any], name: str) -> list[Any]:
    """Return the values of a field as `known` returns them."""
    kinds = {*map(type, values)} - {type(None)}
    if name in TEXTS and kinds <= {str}:
        return values
    wanted = frozenset({name})
    if not kinds <= {str, int}:
        return [known({field: value}, wanted).get(name) for value in values]
    # a text never equals an integer, so one conversion for each distinct value is enough
    found = {value: known({field: value}, wanted).get(name) for value in {*values}}
    return [found[value] for value in values]
