"""The name and type of each job field in a Batsim workload.

Names follow paper 001 ("Job runtime prediction and runtime-aware scheduling in HPC systems",
section 2, "Simulation inputs"). Fields that paper 001 lacks have their name in
:class:`~workload_tools.job.Job`.
"""

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from workload_tools.job import Job

BATSIM_NAMES = MappingProxyType(
    {
        "submit_time": "subtime",
        "processors": "res",
        "user": "user_id",
        "nodes": "node",
        "gpus": "gpu",
        "requested_processors": "cpu",
        "memory": "mem",
    }
)
"""For each `Job` field with another name in a workload, its name in the workload."""

JOB_NAMES = MappingProxyType(
    {batsim_name: field_name for field_name, batsim_name in BATSIM_NAMES.items()}
)
"""The reverse of `BATSIM_NAMES`: the `Job` field for each name in a workload."""


AFTERWARDS = ("wait_time", "state", "status", "used_memory")
"""Fields of a workload, besides the run time, that are unknown when a job is submitted."""

_LARGEST = 2**53
"""Larger numbers are ignored, because no machine has such amounts."""


def _of(*types: object) -> frozenset[str]:
    return frozenset(field.name for field in msgspec.structs.fields(Job) if field.type in types)


TEXTS = _of(str | None)
"""Fields that contain a text; a workload may have an integer instead."""

COUNTS = _of(int | None)
"""Fields that contain a whole number or None. (`processors` is never None, so not included.)"""

NUMBERS = _of(float, float | None)
"""Fields that contain a floating-point number, or None if it is optional."""


def text_of(value: object) -> str:
    """Return a name as text, because a workload may contain a number as a name.

    Examples
    --------
    >>> text_of(7), text_of("ann")
    ('7', 'ann')

    pandas turns a column of integers with gaps into floats.

    >>> text_of(7.0)
    '7'
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def forget_what_came(fields: dict[str, Any]) -> dict[str, Any]:
    """Remove the fields of `AFTERWARDS` from a job's JSON in place, and return the JSON.

    Examples
    --------
    >>> forget_what_came({"user_id": 7, "wait_time": 60.0, "state": "TIMEOUT"})
    {'user_id': 7}
    """
    for name in AFTERWARDS:
        fields.pop(name, None)
    return fields


_A_NUMBER = (int, float)


def known(fields: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Read some fields of a job from its JSON.

    Parameters
    ----------
    fields
        The job's JSON.
    names
        Names of `Job` fields, each in `TEXTS`, `COUNTS` or `NUMBERS`.

    Returns
    -------
    dict
        The known fields by their names in `Job`. Missing fields, and numbers that are invalid or
        too large, are left out.

    Examples
    --------
    >>> wanted = frozenset({"user", "memory", "nodes"})
    >>> known({"user_id": 7, "mem": 2, "node": None, "res": 4}, wanted)
    {'user': '7', 'memory': 2.0}
    """
    wanted = _by_key(names)
    found: dict[str, Any] = {}
    for key, value in fields.items():
        if value is None or (meant := wanted.get(key)) is None:
            continue
        name, kind = meant
        if kind is str:
            found[name] = value if type(value) is str else text_of(value)
        elif isinstance(value, _A_NUMBER) and -_LARGEST <= value <= _LARGEST:
            found[name] = kind(value)
    return found


@functools.lru_cache(maxsize=16)
def _by_key(names: frozenset[str]) -> Mapping[str, tuple[str, type]]:
    """Return the field name and type for each key that a workload may use for a field."""
    wanted = {}
    for name in names:
        kind = str if name in TEXTS else int if name in COUNTS else float
        wanted[name] = wanted[BATSIM_NAMES.get(name, name)] = (name, kind)
    return wanted
