"""Jobs and profiles that the decision process registers while the simulation runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pred_aware.simulator.errors import DecisionError
from pred_aware.simulator.job import SimulatedJob
from pred_aware.simulator.sources import JobSource, make_job, unwritable
from workload_tools.batsim.decisions import RegisterJob, RegisterProfile
from workload_tools.batsim.workload import LATEST, RawJob, RawProfile, resolve
from workload_tools.expected import in_words

FINISHED, CONTINUED = "registration_finished", "continue_registration"
"""The notifications of a decision process about its registrations."""


@dataclass(frozen=True, slots=True)
class _Registered:
    """The fields of a registered job and of its profile."""

    job_values: Mapping[str, Any]
    profile: Mapping[str, Any]

    def fields(self, job: SimulatedJob) -> dict[str, Any]:
        return {**self.job_values, "id": job.id}

    def profile_fields(self, job: SimulatedJob) -> dict[str, Any]:
        return dict(self.profile)


class Registration:
    """The registered jobs and profiles, and whether more may come.

    Registered jobs may also use the profiles of the workloads. `enabled` is true if the
    decision process may register jobs, and `acknowledged` if the simulator reports submissions of
    these jobs. An invalid registration raises a `DecisionError`.
    """

    def __init__(
        self, sources: list[JobSource], *, enabled: bool = False, acknowledged: bool = False
    ) -> None:
        self.enabled = enabled
        self.acknowledged = acknowledged
        self.finished = not enabled
        """True if the decision process has no more jobs to register, or may not register any."""
        self._sources = {source.name: source for source in sources}
        self._profiles: dict[str, dict[str, tuple[RawProfile, Mapping[str, Any]]]] = {}
        self._ids: set[str] = set()

    def known(self, job_id: str) -> bool:
        """Return whether a job was registered."""
        return job_id in self._ids

    def notify(self, what: str) -> None:
        """Handle a notification of the decision process."""
        if self.enabled:
            self.finished = what == FINISHED

    def add_profile(self, decision: RegisterProfile, now: float) -> None:
        """Register a profile that can be simulated, under a new name."""
        what = f"profile '{decision.name}' of the workload '{decision.workload}'"
        self._require_open(what, now)
        _require_writable(what, decision.name, now)
        static = self._sources.get(decision.workload)
        profiles = self._profiles.setdefault(decision.workload, {})
        if decision.name in profiles or (
            static is not None and decision.name in static.workload.profiles
        ):
            raise _refusal(what, now, "this name already exists")
        try:
            named = {decision.name: msgspec.convert(decision.profile, RawProfile)}
        except msgspec.ValidationError as error:
            raise _refusal(what, now, in_words(error)) from error
        known = {} if static is None else static.workload.profiles
        resolve(named, {**known, **{name: parsed for name, (parsed, _) in profiles.items()}})
        profile = named[decision.name]
        reason = profile.why_not()
        if reason is not None:
            raise _refusal(what, now, f"it {reason}")
        profiles[decision.name] = (profile, decision.profile)

    def add_job(self, decision: RegisterJob, now: float) -> SimulatedJob:
        """Register a job with a new id and a known profile, and return it. It is submitted now."""
        what = f"job '{decision.job_id}'"
        self._require_open(what, now)
        workload, mark, name = decision.job_id.partition("!")
        if not mark or not workload or not name:
            raise _refusal(what, now, "its id must be WORKLOAD!NAME")
        _require_writable(what, decision.job_id, now)
        static = self._sources.get(workload)
        if decision.job_id in self._ids or (
            static is not None and static.submitted(decision.job_id, now) is not None
        ):
            raise _refusal(what, now, "this id already exists")
        try:
            # a registered job may leave out its date: it is submitted now
            job = msgspec.convert({"subtime": now, **decision.job}, RawJob)
        except msgspec.ValidationError as error:
            raise _refusal(what, now, in_words(error)) from error
        if str(job.id).removeprefix(f"{workload}!") != name:
            raise _refusal(what, now, f"its description has another id, {job.id!r}")
        profile, fields = self._profile(workload, job.profile, what, now)
        _check(job, what, now)
        self._ids.add(decision.job_id)
        return make_job(workload, job, profile, place=-1, source=_Registered(decision.job, fields))

    def _profile(
        self, workload: str, name: str, what: str, now: float
    ) -> tuple[RawProfile, Mapping[str, Any]]:
        if "!" in name:
            # in version 5 a job may have another workload's profile
            workload, _, name = name.partition("!")
        registered = self._profiles.get(workload, {}).get(name)
        if registered is not None:
            return registered
        static = self._sources.get(workload)
        if static is not None and name in static.workload.profiles:
            profile = static.workload.profiles[name]
            reason = profile.why_not()
            if reason is None:
                return profile, static.workload.profile_objects()[name]
            raise _refusal(what, now, f"its profile '{name}' {reason}")
        raise _refusal(
            what, now, f"its profile '{name}' is unknown; register profiles before their jobs"
        )

    def _require_open(self, what: str, now: float) -> None:
        if not self.enabled:
            raise _refusal(
                what, now, "registrations are not enabled; --enable-dynamic-jobs enables them"
            )
        if self.finished:
            raise _refusal(what, now, "it has already sent registration_finished")


def _require_writable(what: str, name: str, now: float) -> None:
    reason = unwritable([name])
    if reason is not None:
        raise _refusal(what, now, f"the name {reason}")


def _check(job: RawJob, what: str, now: float) -> None:
    if job.res < 1:
        raise _refusal(what, now, f"it asks for {job.res} processors; it must be 1 or more")
    if not 0.0 <= job.subtime <= LATEST:
        raise _refusal(
            what, now, f"its subtime is {job.subtime} s; it must be from 0 to {LATEST:g} s"
        )
    walltime = job.walltime
    if walltime is not None and walltime != -1.0 and not 0.0 < walltime < float("inf"):
        raise _refusal(what, now, f"its walltime is {walltime} s; it must be above 0, or left out")


def _refusal(what: str, now: float, reason: str) -> DecisionError:
    return DecisionError(
        f"at {now} s the decision process asked to register {what}, which is impossible: {reason}"
    )
