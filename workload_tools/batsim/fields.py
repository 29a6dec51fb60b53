"""The one table of a job's fields: what a Batsim workload calls each, and what stands in it.

The names follow paper 001 ("Job runtime prediction and runtime-aware scheduling in HPC systems",
section 2, "Simulation inputs"); where it has none for a field, the name is that of
:class:`~workload_tools.job.Job`.
"""

from collections.abc import Container, Mapping
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


def known(fields: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
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
    >>> known({"user_id": 7, "mem": 2, "node": None, "res": 4}, {"user", "memory", "nodes"})
    {'user': '7', 'memory': 2.0}
    """
    found: dict[str, Any] = {}
    for key, value in fields.items():
        name = JOB_NAMES.get(key, key)
        if value is None or name not in names:
            continue
        if name in TEXTS:
            found[name] = text_of(value)
        elif isinstance(value, int | float) and -_LARGEST <= value <= _LARGEST:
            found[name] = int(value) if name in COUNTS else float(value)
    return found
