"""Batsim's protocol, version 5 (batprotocol 1.0): requests and replies as JSON."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pred_aware.simulator.errors import PeerError
from pred_aware.simulator.job import SimulatedJob
from pred_aware.simulator.messages import (
    BATSIM_5,
    Begins,
    Ends,
    Event,
    EventsAt,
    Killed,
    NoMoreJobs,
    in_decimals,
)
from pred_aware.simulator.protocol import Reader, decisions_of
from pred_aware.simulator.registration import FINISHED
from workload_tools.batsim.batprotocol import (
    VERSION,
    Features,
    Hello,
    WireJob,
    WireProfile,
    job_fields,
    members_of,
    profile_fields,
    wire_job,
    wire_profile,
)
from workload_tools.batsim.decisions import (
    CallLater,
    Decision,
    Execute,
    Kill,
    Notify,
    RegisterJob,
    RegisterProfile,
    Reject,
)
from workload_tools.batsim.intervals import parse_intervals
from workload_tools.batsim.protocol import Message5, ProtocolError, hello_of
from workload_tools.batsim.workload import LATEST
from workload_tools.expected import in_words

_ENCODER = msgspec.json.Encoder()
_UNSIGNED = 0xFFFFFFFF


def decode_hello(frame: bytes) -> Features:
    """Return the features that a decision process requests in its first message.

    Raise a `PeerError` if the message is not a complete EDCHelloEvent. Batsim 5 would crash.
    """
    try:
        return msgspec.convert(hello_of(frame), Hello).requested_simulation_features
    except (ProtocolError, msgspec.ValidationError) as error:
        raise PeerError(
            "the decision process did not answer Batsim 5's first message with a valid hello: "
            f"{in_words(error)}"
        ) from error


def encode_request(
    now: float, events: list[Event], features: Features, *, decimals: int | None = None
) -> bytes:
    """Return the request that Batsim 5 would send at a date (in seconds), with a final NUL.

    Numbers are written with `decimals` decimals; ``None`` means as many decimals as a number needs.
    """
    wire = [
        {"timestamp": event.date, "event_type": kind, "event": data}
        for event in events
        for kind, data in _messages_of(event, features)
    ]
    message = msgspec.to_builtins({"now": now, "events": wire})
    return _ENCODER.encode(message if decimals is None else in_decimals(message, decimals)) + b"\0"


def decode_reply(
    message: bytes, now: float, *, earliest: float = 0.0
) -> tuple[list[Decision], float]:
    """Return the decisions of a reply, in the same order, and the reply's date in seconds.

    Raise a `PeerError` if the message violates Batsim's protocol.
    """
    return decisions_of(message, Message5, _READERS, now, earliest=earliest)


def _messages_of(event: Event, features: Features) -> Iterator[tuple[str, dict[str, Any]]]:
    match event:
        case EventsAt():
            for job in event.ended:
                code = job.return_code & _UNSIGNED
                content = {"job_id": job.id, "state": job.state.name, "return_code": code}
                yield "JobCompletedEvent", content
            for call in event.calls:
                yield "RequestedCallEvent", {"call_me_later_id": call, "last_periodic_call": False}
            for job in event.submitted:
                yield "JobSubmittedEvent", _submitted(job, features)
        case NoMoreJobs():
            yield "AllStaticJobsHaveBeenSubmittedEvent", {}
        case Killed(_, job_ids, stopped):
            yield "JobsKilledEvent", _killed(job_ids, stopped, features)
        case Ends():
            yield "SimulationEndsEvent", {}
        case Begins():
            yield "SimulationBeginsEvent", _begins(event, features)


def _submitted(job: SimulatedJob, features: Features) -> dict[str, Any]:
    content = {
        "job_id": job.id,
        "job": wire_job(job.workload, job.fields()),
        "submission_time": job.submit_time,
    }
    if features.forward_profiles_on_job_submission:
        content["profile"] = _profile(job)
    return content


def _profile(job: SimulatedJob) -> WireProfile:
    return wire_profile(job.workload, job.profile, job.profile_fields())


def _killed(
    job_ids: list[str], stopped: list[tuple[SimulatedJob, float]], features: Features
) -> dict[str, Any]:
    content: dict[str, Any] = {
        "job_ids": job_ids,
        "progresses": [
            {
                "job_id": job.id,
                "wrapper": {
                    "kill_progress_type": "KillProgressAtomicProfile",
                    "kill_progress": {"profile_id": _profile(job).id, "progress": progress},
                },
            }
            for job, progress in stopped
        ],
    }
    if features.forward_profiles_on_jobs_killed:
        profiles = [_profile(job) for job, _ in stopped]
        content["profiles"] = [*{profile.id: profile for profile in profiles}.values()]
    return content


def _begins(begins: Begins, features: Features) -> dict[str, Any]:
    platform = begins.platform
    hosts = len(platform.hosts)
    content: dict[str, Any] = {
        "batprotocol_version": VERSION,
        "batsim_version": BATSIM_5,
        "batsim_commit": "",
        "host_number": hosts,
        "computation_host_number": hosts,
        "computation_hosts": [
            {
                "id": number,
                "name": name,
                "pstate": 0,
                "pstate_count": 1,
                "state": "IDLE",
                "properties": [
                    {"key": key, "value": value} for key, value in platform.properties[name].items()
                ],
                "zone_properties": [],
                "core_count": 1,
                "computation_speed": [speed],
            }
            for number, (name, speed) in enumerate(
                zip(platform.hosts, platform.speeds, strict=True)
            )
        ],
        "storage_host_number": 0,
        "storage_hosts": [],
        "batsim_arguments": sys.argv,
        "batsim_execution_context_json": "{}",
        "workloads": [
            {"name": name, "filename": workload.name} for name, workload in begins.workloads.items()
        ],
        "external_event_lists": [],
    }
    if features.forward_profiles_on_simulation_begins:
        content["profiles"] = [
            wire_profile(workload, name, fields)
            for workload, raw in begins.workloads.items()
            for name, fields in raw.profile_objects().items()
        ]
    return content


# As in Batsim 5, an unknown member is an error.


class _Placement(msgspec.Struct, forbid_unknown_fields=True):
    host_allocation: str
    executor_placement_type: str
    executor_placement: dict[str, Any]


class _Execute(msgspec.Struct, forbid_unknown_fields=True):
    job_id: str
    allocation: _Placement
    profile_allocation_override: list[Any] = []
    storage_placement: list[Any] = []


class _Job(msgspec.Struct, forbid_unknown_fields=True):
    job_id: str


class _Jobs(msgspec.Struct, forbid_unknown_fields=True):
    job_ids: list[str]


class _OneShot(msgspec.Struct, forbid_unknown_fields=True):
    time: int
    time_unit: str = "Second"


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    call_me_later_id: str
    when_type: str
    when: dict[str, Any]


class _StrictJob(WireJob, forbid_unknown_fields=True):
    pass


class _StrictProfile(WireProfile, forbid_unknown_fields=True):
    pass


class _RegisterJob(msgspec.Struct, forbid_unknown_fields=True):
    job_id: str
    job: _StrictJob


class _RegisterProfile(msgspec.Struct, forbid_unknown_fields=True):
    profile: _StrictProfile


_UNITS = {"Second": 1.0, "Millisecond": 1e3}
_STRATEGIES = ("SpreadOverHostsFirst", "FillOneHostCoresFirst")


def _execute(date: float, data: dict[str, Any]) -> Execute:
    execute = msgspec.convert(data, _Execute)
    if execute.profile_allocation_override or execute.storage_placement:
        raise ValueError("placements of profiles and storage are not simulated")
    placement = execute.allocation
    intervals = parse_intervals(placement.host_allocation)
    if placement.executor_placement_type == "CustomExecutorToHostMapping":
        mapping = msgspec.convert(placement.executor_placement.get("mapping"), list[int])
        size = sum(last - first + 1 for first, last in intervals)
        if not all(0 <= place < size for place in mapping):
            raise ValueError(f"the mapping has a position outside the {size} processors")
        one_each = sorted(mapping) == list(range(size))
        return Execute(date, execute.job_id, intervals, len(mapping), one_each)
    strategy = placement.executor_placement.get("strategy", _STRATEGIES[0])
    if (
        placement.executor_placement_type != "PredefinedExecutorPlacementStrategyWrapper"
        or strategy not in _STRATEGIES
    ):
        raise ValueError(
            f"the placement {placement.executor_placement_type!r} with {strategy!r} is unknown"
        )
    return Execute(date, execute.job_id, intervals)


def _call_later(date: float, data: dict[str, Any]) -> CallLater:
    call = msgspec.convert(data, _Call)
    if call.when_type != "OneShot":
        raise ValueError(
            f"{call.when_type!r} is not OneShot; periodic calls are not simulated, so request each "
            "call when the previous one is due"
        )
    when = msgspec.convert(call.when, _OneShot)
    if when.time < 0 or when.time_unit not in _UNITS or not call.call_me_later_id:
        raise ValueError(
            f"{call.when} is not a date in seconds or milliseconds, or the call's id is empty"
        )
    at = when.time / _UNITS[when.time_unit]
    if at > LATEST:
        raise ValueError(
            f"{at} s is too late: the latest date with exact milliseconds is {LATEST:g} s"
        )
    return CallLater(date, at, call.call_me_later_id)


def _register_job(date: float, data: dict[str, Any]) -> RegisterJob:
    registration = msgspec.convert(data, _RegisterJob)
    return RegisterJob(date, registration.job_id, job_fields(registration.job_id, registration.job))


def _register_profile(date: float, data: dict[str, Any]) -> RegisterProfile:
    profile = msgspec.convert(data, _RegisterProfile).profile
    workload, mark, name = profile.id.partition("!")
    if not (workload and mark and name):
        raise ValueError(f"the id {profile.id!r} is not WORKLOAD!NAME")
    unknown = profile.profile.keys() - members_of(profile.profile_type)
    if unknown:
        raise ValueError(f"{profile.profile_type} has no member {min(unknown)!r}")
    return RegisterProfile(date, workload, name, profile_fields(workload, profile))


def _finished(date: float, data: dict[str, Any]) -> Notify:
    if data:
        raise ValueError(f"unknown member {min(data)!r}")
    return Notify(date, FINISHED)


_READERS: Mapping[str, Reader] = {
    "CallMeLaterEvent": _call_later,
    "ExecuteJobEvent": _execute,
    "FinishRegistrationEvent": _finished,
    "KillJobsEvent": lambda date, data: Kill(date, msgspec.convert(data, _Jobs).job_ids),
    "RegisterJobEvent": _register_job,
    "RegisterProfileEvent": _register_profile,
    "RejectJobEvent": lambda date, data: Reject(date, msgspec.convert(data, _Job).job_id),
}
