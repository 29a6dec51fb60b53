"""Translate messages of Batsim 5 to requests, and decisions to messages of Batsim 5."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from workload_tools.batsim.batprotocol import (
    VERSION,
    Features,
    Hello,
    WireJob,
    WireProfile,
    job_fields,
    profile_fields,
)
from workload_tools.batsim.decisions import CallLater, Execute, Reject
from workload_tools.batsim.intervals import format_intervals
from workload_tools.batsim.protocol import Event, hello_frame

_PLACEMENT = MappingProxyType(
    {
        "executor_placement_type": "PredefinedExecutorPlacementStrategyWrapper",
        "executor_placement": {"strategy": "SpreadOverHostsFirst"},
    }
)


def hello(name: str, version: str) -> dict[str, Any]:
    """Return the data of a scheduler's first event. It requests the profiles of jobs."""
    features = Features(
        dynamic_registration=False,
        profile_reuse=False,
        acknowledge_dynamic_jobs=False,
        forward_profiles_on_job_submission=True,
        forward_profiles_on_jobs_killed=False,
        forward_profiles_on_simulation_begins=False,
    )
    fields: dict[str, Any] = msgspec.to_builtins(Hello(VERSION, name, version, "", features))
    return {member: value for member, value in fields.items() if value is not None}


def first_frame(name: str, version: str) -> bytes:
    """Return the frame that answers the first frame of Batsim 5."""
    event = {"timestamp": 0.0, "event_type": "EDCHelloEvent", "event": hello(name, version)}
    return hello_frame(msgspec.json.encode({"now": 0.0, "events": [event]}))


def event_of(decision: Execute | Reject | CallLater, call_id: str) -> dict[str, Any]:
    """Return a decision as an event of Batsim 5.

    The date of a call is rounded up to whole milliseconds.
    """
    data: dict[str, Any]
    match decision:
        case Execute(job_id=job_id, intervals=intervals):
            kind = "ExecuteJobEvent"
            allocation = {"host_allocation": format_intervals(intervals), **_PLACEMENT}
            data = {"job_id": job_id, "allocation": allocation}
        case Reject(job_id=job_id):
            kind, data = "RejectJobEvent", {"job_id": job_id}
        case CallLater(at=at):
            kind = "CallMeLaterEvent"
            when = {"time": milliseconds(at), "time_unit": "Millisecond"}
            data = {"call_me_later_id": call_id, "when_type": "OneShot", "when": when}
    return {"timestamp": decision.date, "event_type": kind, "event": data}


def milliseconds(date: float) -> int:
    """Return a date in seconds, rounded up to whole milliseconds.

    Examples
    --------
    >>> milliseconds(12.3456), milliseconds(12.345), milliseconds(8.0)
    (12346, 12345, 8000)
    """
    whole = round(date * 1e3)
    return whole if whole / 1e3 >= date else whole + 1


class _Host(msgspec.Struct):
    id: int
    name: str


class _Workload(msgspec.Struct):
    name: str
    filename: str


class _Begins(msgspec.Struct):
    batprotocol_version: str
    batsim_version: str
    computation_host_number: int
    computation_hosts: list[_Host]
    workloads: list[_Workload]
    storage_host_number: int = 0


class _Submitted(msgspec.Struct):
    job_id: str
    job: WireJob
    submission_time: float
    profile: WireProfile | None = None


class _Completed(msgspec.Struct):
    job_id: str
    state: str
    return_code: int


class _Called(msgspec.Struct):
    call_me_later_id: str


def _begins(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    begins = msgspec.convert(data, _Begins)
    flags = ("dynamic-jobs-enabled", "dynamic-jobs-acknowledged", "forward-unknown-events")
    return "SIMULATION_BEGINS", {
        "nb_resources": begins.computation_host_number + begins.storage_host_number,
        "nb_compute_resources": begins.computation_host_number,
        "nb_storage_resources": begins.storage_host_number,
        "allow_compute_sharing": False,
        "allow_storage_sharing": True,
        "config": {"profiles-forwarded-on-submission": True, **dict.fromkeys(flags, False)},
        "compute_resources": msgspec.to_builtins(begins.computation_hosts),
        "storage_resources": [],
        "workloads": {workload.name: workload.filename for workload in begins.workloads},
        "profiles": {workload.name: {} for workload in begins.workloads},
    }


def _submitted(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    submitted = msgspec.convert(data, _Submitted)
    job_id, profile = submitted.job_id, submitted.profile
    job = job_fields(job_id, submitted.job)
    content: dict[str, Any] = {
        "job_id": job_id,
        "job": {**job, "subtime": submitted.submission_time},
    }
    if profile is not None:
        content["profile"] = profile_fields(job_id.partition("!")[0], profile)
    return "JOB_SUBMITTED", content


def _completed(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    completed = msgspec.convert(data, _Completed)
    content = {"job_state": completed.state, "return_code": completed.return_code, "alloc": ""}
    return "JOB_COMPLETED", {"job_id": completed.job_id, **content}


_EVENTS: Mapping[str, Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "AllStaticExternalEventsHaveBeenInjectedEvent": lambda _: (
        "NOTIFY", {"type": "no_more_external_event_to_occur"},
    ),
    "AllStaticJobsHaveBeenSubmittedEvent": lambda _: (
        "NOTIFY", {"type": "no_more_static_job_to_submit"},
    ),
    "JobCompletedEvent": _completed,
    "JobSubmittedEvent": _submitted,
    "RequestedCallEvent": lambda data: (
        "REQUESTED_CALL", {"id": msgspec.convert(data, _Called).call_me_later_id},
    ),
    "SimulationBeginsEvent": _begins,
    "SimulationEndsEvent": lambda _: ("SIMULATION_ENDS", {}),
}  # fmt: skip


def as_version_4(event: Event) -> Event:
    """Return the event of version 4 with the same meaning as an event of Batsim 5.

    The type of an event without an equivalent is empty. Invalid data raise a `ValidationError`.
    """
    understand = _EVENTS.get(event.type)
    if understand is None:
        return Event(event.timestamp, "", event.data)
    return Event(event.timestamp, *understand(event.data))
