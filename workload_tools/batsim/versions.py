"""Conversion of workloads between the forms of Batsim 4 and Batsim 5.

A workload is of version 5 if its profiles have type names of version 5. Batsim 5 uses this rule
too. In version 5, all job fields that Batsim does not read are inside the field ``extra_data``,
which is an object or the JSON text of an object.
"""

import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from workload_tools.expected import UNREADABLE

TYPES = MappingProxyType(
    {
        "DelayProfile": "delay",
        "ParallelTaskDataStagingBetweenStoragesProfile": "data_staging",
        "ParallelTaskHomogeneousProfile": "parallel_homogeneous",
        "ParallelTaskOnStorageHomogeneousProfile": "parallel_homogeneous_pfs",
        "ParallelTaskProfile": "parallel",
        "SequentialCompositionProfile": "composed",
    }
)
"""For each profile type name of version 5, the name in version 4."""

_TYPES_5 = {four: five for five, four in TYPES.items()}
_TRACES = {"SMPI": "smpi", "FractionalComputation": "usage_trace"}
_TRACES_5 = {four: five for five, four in _TRACES.items()}
_SPREAD = "DefinedAmountsSpreadUniformly"
_TOTAL = "parallel_homogeneous_total"

JOB_FIELDS = frozenset({"id", "subtime", "res", "profile", "walltime"})
"""The fields of a job that Batsim itself reads."""

_PROFILE_FIELDS = frozenset(
    {
        "bytes_to_read", "bytes_to_write", "com", "cpu", "delay", "filename", "from",
        "generation_strategy", "nb_bytes", "repeat", "ret", "seq", "storage", "to", "trace",
        "trace_type", "type",
    }
)  # fmt: skip
_OF_VERSION_5 = re.compile(rb'"type"\s*:\s*"[A-Za-z]+Profile"')


def is_version_5(content: bytes) -> bool:
    """Return True if a workload's JSON has profiles of version 5."""
    return b'Profile"' in content and _OF_VERSION_5.search(content) is not None


def to_version_4(content: bytes) -> bytes:
    """Convert a workload's JSON from version 5 to 4; return other content unchanged."""
    if not is_version_5(content):
        return content
    return _converted(content, lambda job: unfolded(job, JOB_FIELDS), profile_4)


def to_version_5(content: bytes) -> bytes:
    """Convert a workload's JSON from version 4 to 5; return content of version 5 unchanged."""
    if is_version_5(content):
        return content
    return _converted(content, job_5, profile_5)


_Change: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


def _converted(content: bytes, job: _Change, profile: _Change) -> bytes:
    try:
        workload = msgspec.json.decode(content)
        workload["jobs"] = [*map(job, workload["jobs"])]
        workload["profiles"] = {name: profile(one) for name, one in workload["profiles"].items()}
        return msgspec.json.encode(workload)
    except (*UNREADABLE, AttributeError, KeyError, TypeError):
        # the content is invalid; the code that reads it next reports the error
        return content


def job_5(job: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a job of a workload from version 4 to 5.

    Examples
    --------
    >>> job_5({"id": 1, "subtime": 0, "res": 2, "profile": "p", "walltime": -1, "user_id": 7})
    {'id': 1, 'subtime': 0, 'res': 2, 'profile': 'p', 'extra_data': {'user_id': 7}}
    """
    fields = folded(job, JOB_FIELDS)
    if fields.get("walltime") in (None, -1):
        fields.pop("walltime", None)
    return fields


def profile_4(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a profile from version 5 to 4.

    Examples
    --------
    >>> profile_4({"type": "SequentialCompositionProfile", "seq": ["a"], "repeat": 2})
    {'type': 'composed', 'seq': ['a'], 'repeat': 2}
    """
    fields = unfolded(profile, _PROFILE_FIELDS)
    kind = fields["type"]
    if kind == "TraceReplayProfile":
        trace = fields.pop("filename", None)
        kind = _TRACES.get(str(fields.pop("trace_type", "")), kind)
        return {**fields, "type": kind, "trace": trace}
    if fields.pop("generation_strategy", None) == _SPREAD and kind in TYPES:
        return {**fields, "type": kind if "Storage" in kind else _TOTAL}
    return {**fields, "type": TYPES.get(kind, kind)}


def profile_5(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a profile from version 4 to 5.

    Examples
    --------
    >>> profile_5({"type": "delay", "delay": 9, "np": 4})
    {'type': 'DelayProfile', 'delay': 9, 'extra_data': {'np': 4}}
    """
    fields = folded(profile, _PROFILE_FIELDS)
    kind = fields["type"]
    if kind in _TRACES_5:
        file = fields.pop("trace", None)
        replay = {"type": "TraceReplayProfile", "trace_type": _TRACES_5[kind], "filename": file}
        return {**fields, **replay}
    if kind == _TOTAL:
        fields |= {"type": "parallel_homogeneous", "generation_strategy": _SPREAD}
    return {**fields, "type": _TYPES_5.get(fields["type"], kind)}


def folded(fields: Mapping[str, Any], members: Collection[str]) -> dict[str, Any]:
    """Return the fields in `members`, and an ``extra_data`` that contains all other fields.

    If ``extra_data`` is the only other field, the fields stay unchanged.
    """
    free = {name: value for name, value in fields.items() if name not in members}
    if free.keys() == {"extra_data"}:
        return dict(fields)
    kept = {name: value for name, value in fields.items() if name in members}
    return {**kept, "extra_data": free} if free else kept


def unfolded(fields: Mapping[str, Any], members: Collection[str]) -> dict[str, Any]:
    """Return the fields, after those inside ``extra_data`` were moved to the top level.

    ``extra_data`` stays unchanged if it is not an object or has a field in `members`.

    Examples
    --------
    >>> unfolded({"id": "1", "extra_data": '{"user_id": 7}'}, {"id"})
    {'id': '1', 'user_id': 7}
    >>> unfolded({"id": "1", "extra_data": "0-3"}, {"id"})
    {'id': '1', 'extra_data': '0-3'}
    """
    found = fields.get("extra_data")
    if isinstance(found, str):
        try:
            found = msgspec.json.decode(found)
        except UNREADABLE:
            return dict(fields)
    if not isinstance(found, dict) or any(name in members for name in found):
        return dict(fields)
    kept = {name: value for name, value in fields.items() if name != "extra_data"}
    return {**kept, **{name: value for name, value in found.items() if name not in kept}}
