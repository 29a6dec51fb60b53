"""Batsim's protocol, version 4: requests and replies as JSON."""

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TypeAlias

import msgspec

from pred_aware.simulator.errors import PeerError
from pred_aware.simulator.messages import (
    Begins,
    Ends,
    Event,
    EventsAt,
    Killed,
    NoMoreJobs,
    in_decimals,
)
from pred_aware.simulator.registration import CONTINUED, FINISHED
from workload_tools.batsim.decisions import (
    CallLater,
    Decision,
    Execute,
    Kill,
    Notify,
    RegisterJob,
    RegisterProfile,
    Reject,
    SetMetadata,
)
from workload_tools.batsim.intervals import format_intervals, parse_intervals
from workload_tools.batsim.protocol import (
    SHOWN,
    JobCompleted,
    Message,
    Message5,
    ProtocolError,
    read,
)
from workload_tools.batsim.workload import LATEST
from workload_tools.expected import in_words

_logger = logging.getLogger(__name__)
_ENCODER = msgspec.json.Encoder()


def encode_request(
    now: float,
    events: list[Event],
    *,
    forward_profiles: bool = False,
    scheduler_configuration: str = "",
    decimals: int | None = None,
) -> bytes:
    """Return the request that Batsim would send at a date (in seconds).

    With `forward_profiles`, each submitted job comes with its profile. The configuration is sent
    when the simulation begins. Numbers are written with `decimals` decimals; ``None`` means no
    rounding.
    """
    wire: list[dict[str, Any]] = []
    for event in events:
        match event:
            case EventsAt():
                wire += _events_at(event, forward_profiles=forward_profiles)
            case NoMoreJobs(date):
                data: dict[str, Any] = {"type": "no_more_static_job_to_submit"}
                wire.append({"timestamp": date, "type": "NOTIFY", "data": data})
            case Killed(date, job_ids, stopped):
                data = {
                    "job_ids": job_ids,
                    "job_progress": {
                        job.id: {"profile_name": job.profile, "progress": round(progress, 6)}
                        for job, progress in stopped
                    },
                }
                wire.append({"timestamp": date, "type": "JOB_KILLED", "data": data})
            case Ends(date):
                wire.append({"timestamp": date, "type": "SIMULATION_ENDS", "data": {}})
            case Begins(date):
                data = _begins(
                    event,
                    forward_profiles=forward_profiles,
                    scheduler_configuration=scheduler_configuration,
                )
                wire.append({"timestamp": date, "type": "SIMULATION_BEGINS", "data": data})
    message = {"now": now, "events": wire}
    return _ENCODER.encode(message if decimals is None else in_decimals(message, decimals))


def _events_at(events: EventsAt, *, forward_profiles: bool) -> Iterator[dict[str, Any]]:
    date = events.date
    for job in events.ended:
        alloc = format_intervals(job.intervals)
        completed = JobCompleted(job.id, job.state.name, job.return_code, alloc)
        yield {"timestamp": date, "type": "JOB_COMPLETED", "data": completed}
    for _ in events.calls:
        yield {"timestamp": date, "type": "REQUESTED_CALL", "data": {}}
    for job in events.submitted:
        data = {"job_id": job.id, "job": job.fields()}
        if forward_profiles:
            data["profile"] = job.profile_fields()
        yield {"timestamp": date, "type": "JOB_SUBMITTED", "data": data}


def _begins(
    begins: Begins, *, forward_profiles: bool, scheduler_configuration: str
) -> dict[str, Any]:
    hosts = begins.platform.hosts
    return {
        "nb_resources": len(hosts),
        "nb_compute_resources": len(hosts),
        "nb_storage_resources": 0,
        "allow_compute_sharing": False,
        "allow_storage_sharing": True,
        "config": {
            "redis-enabled": False,
            "redis-hostname": "127.0.0.1",
            "redis-port": 6379,
            "redis-prefix": "default",
            "profiles-forwarded-on-submission": forward_profiles,
            "dynamic-jobs-enabled": begins.dynamic_jobs,
            "dynamic-jobs-acknowledged": begins.acknowledged,
            "profile-reuse-enabled": False,
            "sched-config": scheduler_configuration,
            "forward-unknown-events": False,
        },
        "compute_resources": [
            {
                "id": number,
                "name": name,
                "state": "idle",
                "properties": {"role": ""},
                "zone_properties": {},
            }
            for number, name in enumerate(hosts)
        ],
        "storage_resources": [],
        "workloads": {name: workload.name for name, workload in begins.workloads.items()},
        "profiles": {
            name: workload.profile_objects() for name, workload in begins.workloads.items()
        },
    }


def decode_reply(
    message: bytes, now: float, *, earliest: float = 0.0
) -> tuple[list[Decision], float]:
    """Return the decisions of a reply, in the same order, and the reply's date in seconds.

    A decision's date must not be before the first event of the request. (batsched uses the date of
    the last event, which may be before `now`.) Raise a `PeerError` if the message violates Batsim's
    protocol.
    """
    return decisions_of(message, Message, _READERS, now, earliest=earliest)


Reader: TypeAlias = Callable[[float, dict[str, Any]], Decision | None]
"""Returns the decision for an event's date and data, or ``None`` if the event has no effect."""


def decisions_of(
    message: bytes,
    kind: type[Message] | type[Message5],
    readers: Mapping[str, Reader],
    now: float,
    *,
    earliest: float,
) -> tuple[list[Decision], float]:
    """Return the decisions of a reply, with a reader for each event type; see `decode_reply`."""
    try:
        reply: Message | Message5 = (
            read(message, Message) if kind is Message else read(message, Message5)
        )
    except ProtocolError as error:
        raise PeerError(
            f"at {now} s the decision process sent an invalid message of Batsim's protocol: {error}"
        ) from error
    if not now <= reply.now:
        raise PeerError(
            f"the decision process answered the request of {now} s with the earlier date "
            f"{reply.now} s"
        )
    if reply.now > max(now, LATEST):
        raise PeerError(
            f"the decision process answered the request of {now} s with the date {reply.now} s; "
            f"the latest date with exact milliseconds is {LATEST:g} s"
        )
    decisions = []
    latest = -math.inf
    for event in reply.events:
        if event.timestamp < latest:
            raise PeerError(
                f"at {now} s the decision process sent a {event.type} dated {event.timestamp} s "
                f"after an event dated {latest} s; events must be sorted by date"
            )
        latest = event.timestamp
        if event.timestamp < earliest:
            raise PeerError(
                f"at {now} s the decision process dated an event of the type {event.type} "
                f"{event.timestamp} s, before the events of the request; the past cannot be changed"
            )
        if event.timestamp > reply.now:
            raise PeerError(
                f"the decision process dated an event of the type {event.type} {event.timestamp} s,"
                f" later than its reply's date {reply.now} s"
            )
        understand = readers.get(event.type)
        if understand is None:
            known = ", ".join(sorted(readers))
            raise PeerError(
                f"at {now} s the decision process sent an event of the type "
                f"{_short(repr(event.type))}, which is not known here; known: {known}"
            )
        try:
            decision = understand(event.timestamp, event.data)
        except (
            KeyError, TypeError, ValueError, OverflowError, msgspec.ValidationError
        ) as error:  # fmt: skip
            what = f"lacks {error}" if isinstance(error, KeyError) else _short(in_words(error))
            raise PeerError(
                f"at {now} s the decision process sent a {event.type} whose data cannot be "
                f"understood: {what}"
            ) from error
        if decision is not None:
            decisions.append(decision)
    return decisions, reply.now


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _seconds(value: object, what: str) -> float:
    """Read a number of seconds. JSON's true and false are not numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not {what}")
    return float(value)


def _number(value: object) -> int:
    """Read the number of an executor or of its position, a text of digits as Batsim documents."""
    text = _text(value)
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{value!r} is not a number of an executor or of its position")
    return int(text)


def _execute(date: float, data: dict[str, Any]) -> Execute:
    for key in ("storage_mapping", "additional_io_job"):
        if key in data:
            raise ValueError(f"{key} needs storage or profiles that are not simulated here")
    mapping = data.get("mapping")
    intervals = parse_intervals(_text(data["alloc"]))
    executors = 0
    one_each = True
    if mapping is not None:
        mapping = _object(mapping)
        executors = len(mapping)
        if sorted(map(_number, mapping)) != list(range(executors)):
            raise ValueError("the executors of the mapping are not numbered from 0")
        size = sum(last - first + 1 for first, last in intervals)
        places = [_number(place) for place in mapping.values()]
        one_each = executors == size and len(set(places)) == size
        if not all(place < size for place in places):
            raise ValueError(f"the mapping has a position outside the {size} processors of alloc")
    return Execute(date, _text(data["job_id"]), intervals, executors, one_each)


def _kill(date: float, data: dict[str, Any]) -> Kill:
    job_ids = data["job_ids"]
    if not isinstance(job_ids, list):
        raise TypeError(f"{job_ids!r} is not a list of jobs")
    return Kill(date, [_text(job_id) for job_id in job_ids])


def _call_later(date: float, data: dict[str, Any]) -> CallLater:
    at = _seconds(data["timestamp"], "a date")
    if at > LATEST:
        raise ValueError(
            f"{at} s is too late: the latest date with exact milliseconds is {LATEST:g} s"
        )
    return CallLater(date, at)


def _notify(date: float, data: dict[str, Any]) -> Notify:
    kind = _text(data["type"])
    if kind not in (FINISHED, CONTINUED):
        raise ValueError(f"{kind!r} is neither {FINISHED} nor {CONTINUED}")
    return Notify(date, kind)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is not an object")
    return value


def _register_profile(date: float, data: dict[str, Any]) -> RegisterProfile:
    return RegisterProfile(
        date, _text(data["workload_name"]), _text(data["profile_name"]), _object(data["profile"])
    )


def _query(date: float, data: dict[str, Any]) -> NoReturn:  # noqa: ARG001 - a `Reader`
    requests = _object(data["requests"])
    if set(requests) == {"consumed_energy"}:
        raise ValueError("energy is not simulated, so that consumed_energy cannot be answered")
    raise ValueError(f"Batsim answers consumed_energy only, not {', '.join(sorted(requests))}")


def _answer(date: float, data: dict[str, Any]) -> None:  # noqa: ARG001 - a `Reader`
    """Check an answer. As in Batsim, it has no effect, because the simulator asks nothing."""
    for kind, answer in data.items():
        if kind != "estimate_waiting_time":
            raise ValueError(f"{kind!r} is not estimate_waiting_time, the only possible answer")
        _text(_object(answer)["job_id"])
        _seconds(answer["estimated_waiting_time"], "a number of seconds")
    _logger.warning("the decision process sent an ANSWER, but the simulator has asked nothing")


_READERS: dict[str, Reader] = {
    "ANSWER": _answer,
    "CALL_ME_LATER": _call_later,
    "EXECUTE_JOB": _execute,
    "KILL_JOB": _kill,
    "NOTIFY": _notify,
    "QUERY": _query,
    "REGISTER_JOB": lambda date, data: RegisterJob(
        date, _text(data["job_id"]), _object(data["job"])
    ),
    "REGISTER_PROFILE": _register_profile,
    "REJECT_JOB": lambda date, data: Reject(date, _text(data["job_id"])),
    "SET_JOB_METADATA": lambda date, data: SetMetadata(
        date, _text(data["job_id"]), _text(data["metadata"])
    ),
}
