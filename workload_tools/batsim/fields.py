"""The one table of a job's fields: what a Batsim workload calls each, and what stands in it.

The names follow paper 001 ("Job runtime prediction and runtime-aware scheduling in HPC systems",
section 2, "Simulation inputs"); where it has none for a field, the name is that of
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
"""What a workload calls fields of `Job`, where it does not call them the same."""

JOB_NAMES = MappingProxyType({theirs: ours for ours, theirs in BATSIM_NAMES.items()})
"""The other way round."""


AFTERWARDS = ("wait_time", "state", "status", "used_memory")
"""What a workload tells of a job that nobody knew when it was submitted, beside its run time."""

_LARGEST = 2**53
"""What is beyond is no amount of any machine."""


def _of(*types: object) -> frozenset[str]:
    return frozenset(field.name for field in msgspec.structs.fields(Job) if field.type in types)


TEXTS = _of(str | None)
"""The fields that hold a name; a workload may have an integer there."""

COUNTS = _of(int | None)
"""The fields that hold a whole number, but for `processors`, which every job has."""

NUMBERS = _of(float, float | None)
"""The fields that hold a number."""


def text_of(value: object) -> str:
    """Return the text of a name, which in a workload may be a number.

    Examples
    --------
    >>> text_of(7), text_of("ann")
    ('7', 'ann')

    A table's column of integers that has gaps comes out of pandas as floats.

    >>> text_of(7.0)
    '7'
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def forget_what_came(fields: dict[str, Any]) -> dict[str, Any]:
    """Take out of a job's JSON what nobody knew at its submission, and return it.

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
    """Take fields out of what a workload tells of a job.

    Parameters
    ----------
    fields
        The job's JSON.
    names
        Which fields of `Job`, each one of `TEXTS`, `COUNTS` or `NUMBERS`.

    Returns
    -------
    dict
        The fields by the names of `Job`; those left out that the workload does not tell, or where
        something else than a number, or one that no machine has, stands for a number.

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
    """Return the name and the type of each field by the keys that a workload may have for it."""
    wanted = {}
    for name in names:
        kind = str if name in TEXTS else int if name in COUNTS else float
        wanted[name] = wanted[BATSIM_NAMES.get(name, name)] = (name, kind)
    return wanted
