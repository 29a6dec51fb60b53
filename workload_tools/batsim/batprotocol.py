"""Jobs and profiles in messages of Batsim 5, whose protocol is called batprotocol.

Everywhere else in pred-aware, jobs and profiles have the form of Batsim 4.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from workload_tools.batsim.versions import JOB_FIELDS, folded, profile_4, profile_5, unfolded

VERSION = "1.0.0"
"""Version of batprotocol."""

_WIRE = MappingProxyType(
    {
        "DelayProfile": {"delay": "delay"},
        "ParallelTaskDataStagingBetweenStoragesProfile": {
            "nb_bytes": "bytes_to_transfer", "from": "emitter_storage_name",
            "to": "receiver_storage_name",
        },
        "ParallelTaskHomogeneousProfile": {
            "cpu": "computation_amount", "com": "communication_amount",
            "generation_strategy": "generation_strategy",
        },
        "ParallelTaskOnStorageHomogeneousProfile": {
            "bytes_to_read": "bytes_to_read", "bytes_to_write": "bytes_to_write",
            "storage": "storage_name", "generation_strategy": "generation_strategy",
        },
        "ParallelTaskProfile": {"cpu": "computation_vector", "com": "communication_matrix"},
        "SequentialCompositionProfile": {"repeat": "repetition_count", "seq": "profile_ids"},
        "TraceReplayProfile": {"trace_type": "trace_type", "filename": "filename"},
    }
)  # fmt: skip
"""For each profile type, each member's name in a workload and its name in messages."""


def members_of(kind: str) -> frozenset[str]:
    """Return the members that a profile of this type may have in a message."""
    return frozenset(_WIRE.get(kind, {}).values())


class Hello(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """The members of EDCHelloEvent. Batsim 5 requires all except `batprotocol_commit`."""

    batprotocol_version: str
    decision_component_name: str
    decision_component_version: str
    decision_component_commit: str
    requested_simulation_features: "Features"
    batprotocol_commit: str | None = None


class Features(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """The features that a decision process requests from Batsim 5."""

    dynamic_registration: bool
    profile_reuse: bool
    acknowledge_dynamic_jobs: bool
    forward_profiles_on_job_submission: bool
    forward_profiles_on_jobs_killed: bool
    forward_profiles_on_simulation_begins: bool


class WireProfile(msgspec.Struct, gc=False, omit_defaults=True):
    """A profile in a message; `id` is the profile's full name, such as ``w0!D_4_90``."""

    id: str
    profile_type: str
    profile: dict[str, Any]
    extra_data: str | None = None


class WireJob(msgspec.Struct, gc=False, omit_defaults=True):
    """A job in a message."""

    resource_request: int
    profile_id: str
    walltime: float | None = None
    extra_data: str | None = None


def full_name(workload: str, name: str) -> str:
    """Return a profile's name with its workload's name and ``!`` in front."""
    return name if "!" in name else f"{workload}!{name}"


def own_name(workload: str, name: str) -> str:
    """Return a profile's name without the workload's name and ``!`` in front."""
    return name.removeprefix(f"{workload}!")


def wire_job(workload: str, fields: Mapping[str, Any]) -> WireJob:
    """Convert a job to the form of messages.

    Parameters
    ----------
    workload
        The workload's name in Batsim.
    fields
        The job's fields in the workload.
    """
    extra = folded(fields, JOB_FIELDS).get("extra_data", "")
    walltime = fields.get("walltime")
    return WireJob(
        fields["res"],
        full_name(workload, fields["profile"]),
        None if walltime is None or walltime <= 0.0 else walltime,
        _text(extra),
    )


def job_fields(job_id: str, job: WireJob) -> dict[str, Any]:
    """Return the workload fields of a job in a message, except the submission time."""
    wire_fields: dict[str, Any] = {
        "id": job_id,
        "res": job.resource_request,
        "profile": own_name(job_id.partition("!")[0], job.profile_id),
    }
    if job.walltime is not None:
        wire_fields["walltime"] = job.walltime
    extra = {"extra_data": job.extra_data} if job.extra_data else {}
    return {**wire_fields, **unfolded(extra, JOB_FIELDS)}


def wire_profile(workload: str, name: str, fields: Mapping[str, Any]) -> WireProfile:
    """Convert a profile to the form of messages.

    Parameters
    ----------
    workload, name
        The workload's name in Batsim, and the profile's name.
    fields
        The profile in the form of version 4.

    Examples
    --------
    >>> wire_profile("w0", "d", {"type": "delay", "delay": 5})
    WireProfile(id='w0!d', profile_type='DelayProfile', profile={'delay': 5}, extra_data=None)
    """
    converted = profile_5(fields)
    kind, extra = converted["type"], converted.get("extra_data")
    names = _WIRE.get(kind, {})
    profile = {names[member]: value for member, value in converted.items() if member in names}
    if "profile_ids" in profile:
        profile["profile_ids"] = [full_name(workload, part) for part in profile["profile_ids"]]
    return WireProfile(
        full_name(workload, name), kind, profile, None if extra is None else _text(extra)
    )


def profile_fields(workload: str, profile: WireProfile) -> dict[str, Any]:
    """Convert a profile of a message to the form of version 4."""
    kind = profile.profile_type
    names = {wire_name: name for name, wire_name in _WIRE.get(kind, {}).items()}
    members = {names.get(member, member): value for member, value in profile.profile.items()}
    if isinstance(members.get("seq"), list):
        members["seq"] = [own_name(workload, f"{part}") for part in members["seq"]]
    if profile.extra_data is not None:
        members["extra_data"] = profile.extra_data
    return profile_4({**members, "type": kind})


def _text(extra: object) -> str:
    """Return ``extra_data`` as text, because Batsim 5 only transmits text in this field."""
    return extra if isinstance(extra, str) else msgspec.json.encode(extra).decode()
