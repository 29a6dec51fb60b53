"""Check requests of Batsim before pybatsim handles them.

pybatsim does not check messages. A message that violates Batsim's protocol would cause a traceback
or a meaningless schedule.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from schedulers.errors import SchedulerError
from schedulers.pybatsim.batprotocol import as_version_4
from workload_tools.batsim.protocol import (
    SHOWN,
    Event,
    JobCompleted,
    Message,
    Message5,
    ProtocolError,
    read,
)
from workload_tools.batsim.workload import MOST_PROCESSORS
from workload_tools.expected import in_words

_ENDED = frozenset(
    {"COMPLETED_SUCCESSFULLY", "COMPLETED_FAILED", "COMPLETED_WALLTIME_REACHED", "COMPLETED_KILLED"}
)
_NOTIFICATIONS = frozenset({"no_more_static_job_to_submit", "no_more_external_event_to_occur"})


class _Configuration(msgspec.Struct, rename=lambda name: name.replace("_", "-")):
    profiles_forwarded_on_submission: bool
    dynamic_jobs_enabled: bool
    dynamic_jobs_acknowledged: bool
    forward_unknown_events: bool
    redis_enabled: bool = False


class _Resource(msgspec.Struct):
    id: int


class _Begins(msgspec.Struct):
    nb_resources: int
    nb_compute_resources: int
    nb_storage_resources: int
    allow_compute_sharing: bool
    allow_storage_sharing: bool
    config: _Configuration
    compute_resources: list[_Resource]
    storage_resources: list[_Resource]
    workloads: dict[str, Any]
    profiles: dict[str, dict[str, dict[str, Any]]]


class _Job(msgspec.Struct, gc=False):
    id: str
    subtime: float
    res: int
    profile: str
    walltime: float | None = None


class _Submitted(msgspec.Struct, gc=False):
    job_id: str
    job: _Job
    profile: dict[str, Any] | None = None


class _ImpossibleError(Exception):
    """An event is not possible now. The text says why."""


class RequestError(SchedulerError):
    """Batsim sent a message that its protocol forbids, or that no scheduler here supports."""


_EARLY = 1e-6
"""A call may come this many seconds earlier than requested, because dates are rounded."""


class Requests:
    """Reads Batsim's requests and checks them against the decisions so far.

    Requests of version 5 are translated to version 4.
    """

    def __init__(self, version: int = 4) -> None:
        self.version = version
        """The version of Batsim's protocol: 4 or 5."""
        self._now = 0.0
        self.begun = False
        """Whether the simulation has begun."""
        self._ended = False
        self._waiting: set[str] = set()
        self._running: set[str] = set()
        self._seen: set[str] = set()
        self._calls: dict[str, float] = {}
        self._number = 0
        self._profiles: dict[str, set[str]] = {}

    def read(self, text: str | bytes) -> dict[str, Any]:
        """Return a request as ``json.loads`` does; raise a `RequestError` if it is invalid."""
        try:
            message: Message | Message5 = (
                read(text, Message) if self.version == 4 else read(text, Message5)  # noqa: PLR2004
            )
        except ProtocolError as error:
            raise RequestError(
                f"Batsim sent what is not a message of its protocol: {error}"
            ) from error
        now = message.now
        if now < self._now:
            raise RequestError(
                f"Batsim sent a request of {now} s after one of {self._now} s; time cannot go back"
            )
        self._now = now
        latest = 0.0
        events: list[Event] = []
        for event in message.events:
            if not latest <= event.timestamp <= now:
                reason = f"it is dated {event.timestamp} s, not from {latest} to {now} s"
                raise self._refusal(event, reason)
            latest = event.timestamp
            events.append(self._checked(event))
        if not self.begun:
            raise RequestError("Batsim's first request does not begin with SIMULATION_BEGINS")
        return {
            "now": now,
            "events": [
                {"timestamp": event.timestamp, "type": event.type, "data": event.data}
                for event in events
            ],
        }

    def started(self, job_id: str) -> None:
        """Record that a job was started."""
        self._waiting.discard(job_id)
        self._running.add(job_id)

    def rejected(self, job_id: str) -> None:
        """Record that a job was rejected."""
        self._waiting.discard(job_id)

    def register_call(self, at: float) -> str:
        """Record the date of a requested call, and return a name for the call."""
        self._number += 1
        name = str(self._number)
        self._calls[name] = at
        return name

    def _checked(self, said: Event) -> Event:
        """Return an event in the form of version 4; raise a `RequestError` if it is invalid."""
        try:
            event = said if self.version == 4 else as_version_4(said)  # noqa: PLR2004
            self._check(event)
        except msgspec.ValidationError as error:
            raise self._refusal(said, in_words(error)) from error
        except _ImpossibleError as error:
            raise self._refusal(said, str(error)) from error
        return event

    def _check(self, event: Event) -> None:
        if self.begun == (event.type == "SIMULATION_BEGINS") or self._ended:
            raise _ImpossibleError(
                "a simulation must begin with this event once, and nothing may come after its end"
            )
        if event.type not in _CHECKS:
            raise _ImpossibleError("no scheduler here understands it")
        _CHECKS[event.type](self, event)

    def _refusal(self, event: Event, reason: str) -> RequestError:
        kind = event.type if len(event.type) <= SHOWN else f"{event.type[:SHOWN]}..."
        return RequestError(f"Batsim sent {kind} at {self._now} s, which cannot be: {reason}")

    def _begins(self, event: Event) -> None:
        begins = msgspec.convert(event.data, _Begins)
        hosts = begins.nb_compute_resources
        if hosts < 1 or hosts != len(begins.compute_resources):
            raise _ImpossibleError(
                f"it states {hosts} hosts, but lists {len(begins.compute_resources)}"
            )
        if begins.config.redis_enabled:
            raise _ImpossibleError("Redis is enabled, which is not supported here")
        self._profiles = {name: set(profiles) for name, profiles in begins.profiles.items()}
        self.begun = True

    def _ends(self, event: Event) -> None:
        left = self._waiting or self._running
        if left:
            raise _ImpossibleError(f"job {min(left)!r} has neither ended nor been rejected")
        self._ended = True

    def _submitted(self, event: Event) -> None:
        submitted = msgspec.convert(event.data, _Submitted)
        job = submitted.job
        job_id = submitted.job_id
        workload, mark, name = job_id.partition("!")
        if not (mark and workload and name) or job.id != job_id:
            raise _ImpossibleError(
                f"the job's id is {job_id!r} and its description has {job.id!r}; both must be the "
                "same WORKLOAD!JOB"
            )
        if job_id in self._seen:
            raise _ImpossibleError(f"job {job_id!r} was submitted before")
        if not 1 <= job.res <= MOST_PROCESSORS or job.subtime < 0.0:
            raise _ImpossibleError(
                f"job {job_id!r} asks for {job.res} processors and was submitted at {job.subtime} s"
            )
        known = self._profiles.setdefault(workload, set())
        if submitted.profile is not None:
            known.add(job.profile)
        elif job.profile not in known:
            raise _ImpossibleError(f"the profile {job.profile!r} of job {job_id!r} is unknown")
        self._seen.add(job_id)
        self._waiting.add(job_id)

    def _completed(self, event: Event) -> None:
        completed = msgspec.convert(event.data, JobCompleted)
        if completed.job_state not in _ENDED:
            raise _ImpossibleError(f"{completed.job_state!r} is not how a job ends")
        if completed.job_id not in self._running:
            raise _ImpossibleError(f"job {completed.job_id!r} does not run")
        self._running.remove(completed.job_id)

    def _called(self, event: Event) -> None:
        if self.version == 4:  # noqa: PLR2004
            # calls have no names in version 4, so assume that it is the earliest one
            name = min(self._calls, key=self._calls.__getitem__, default="")
        else:
            name = event.data["id"]
        at = self._calls.pop(name, None)
        if at is None:
            raise _ImpossibleError("no such call was requested, or it has already come")
        if event.timestamp < at - _EARLY:
            raise _ImpossibleError(f"the call was requested for {at} s")

    def _notified(self, event: Event) -> None:
        kind = event.data.get("type")
        if not isinstance(kind, str):
            raise _ImpossibleError("it has no type")
        if kind not in _NOTIFICATIONS:
            raise _ImpossibleError(f"no scheduler here can handle {kind[:SHOWN]!r}")


_CHECKS: Mapping[str, Callable[[Requests, Event], None]] = {
    "SIMULATION_BEGINS": Requests._begins,  # noqa: SLF001 - of the class above
    "SIMULATION_ENDS": Requests._ends,  # noqa: SLF001
    "JOB_SUBMITTED": Requests._submitted,  # noqa: SLF001
    "JOB_COMPLETED": Requests._completed,  # noqa: SLF001
    "REQUESTED_CALL": Requests._called,  # noqa: SLF001
    "NOTIFY": Requests._notified,  # noqa: SLF001
}
