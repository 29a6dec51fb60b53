"""A twin of a log, as a log."""

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from workload_tools.changes.twin.dealing import (
    FIELDS,
    PAUSE,
    Dealt,
    deal,
    replacements,
    sessions_of,
)
from workload_tools.errors import InputError
from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.time_zone import known_zone

if TYPE_CHECKING:
    from workload_tools.log import Log
    from workload_tools.report import Report

NAMES = (
    *("user", "group", "project", "queue", "partition", "executable", "name", "qos"),
    *("features", "gpu_type"),
)
"""The fields that become numbers."""

UNTOLD = (
    *("wait_time", "used_memory", "requested_processors", "allocated_processors"),
    *("preceding_job", "think_time", "array", "array_limit", "soft_walltime", "eligible_time"),
    *("reservation", "licences"),
)
"""The fields that a twin does not have: what became of a job on the real machine, or links."""

RARE = "{} asked for by fewer than {} users: a common one taken"
RARE_STATE = "state of fewer than {} users' jobs: left out"
NO_USER = "no user: dealt among all jobs without one"

WEEK = 7 * 86400
LONGEST_JITTER = 3650 * 86400.0
"""Seconds: beyond it, dates are of no log."""
_A_MONDAY = 946857600  # 3 January 2000, 0:00 UTC


class TwinOptionError(InputError):
    """An option of a twin that makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinOptions:
    """How a twin is made.

    Raises
    ------
    TwinOptionError
        An option makes no sense.
    """

    seed: int = 1
    """The same seed gives the same twin."""
    pause: float = PAUSE
    """Seconds between two submissions of a user from which on another session begins."""
    alike: int = 8
    """How many sessions of a user, alike in work and number of jobs, are exchanged with each
    other; with 1 all stay where they were."""
    few: int = 3
    """A user with fewer sessions than this exchanges them with other such users; a size or
    walltime that fewer users than this ask for is replaced by a common one. 1 does neither."""
    noise: float = 0.1
    """Standard deviation of the natural logarithm of the factor that each run time is multiplied
    with; 0 leaves run times as they are."""
    jitter: float = 600.0
    """By how many seconds a session begins at most earlier or later than in the original."""
    keeps_dates: bool = False
    """Whether the date of the first submission, the time zone and the header stay; else the twin
    begins in January 2000, on the same weekday and hour."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        least = {"seed": 0, "pause": 0.0, "alike": 1, "few": 1, "noise": 0.0, "jitter": 0.0}
        for name, lowest in least.items():
            value = getattr(self, name)
            if not lowest <= value < math.inf:
                raise TwinOptionError(
                    f"option '{name}' of the twin", f"is {value}; it must be {lowest:g} or more"
                )
        if self.jitter > LONGEST_JITTER:
            raise TwinOptionError(
                "option 'jitter' of the twin",
                f"is {self.jitter:g}; it must be {LONGEST_JITTER:g} s (ten years) or less",
            )


@dataclass(frozen=True, slots=True)
class TwinPair:
    """A job of a twin with the job that it was made of."""

    original: Job
    twin: Job
    """The jobs; dates are in seconds of the original's log."""
    submitter: str | None
    """Who submits the twin, by the name in the original."""
    moved: bool
    """Whether the job was dealt to another session than its own."""


class TwinLog:
    """A twin of a log: the same users at the same times, with jobs exchanged and blurred.

    See `docs/how-to/twin.md` for the model. The original is read to its end when the first job is
    asked for, and kept.

    Parameters
    ----------
    log
        The original, of which nothing was read yet.
    options
        How the twin is made.

    Attributes
    ----------
    pairs : list of TwinPair
        The twin's jobs by submission, each with the one that it was made of; for
        `workload_tools.changes.twin.closeness` and `disclosure`. Filled when the first job was
        given.
    """

    def __init__(self, log: "Log", *, options: TwinOptions) -> None:
        self.log = log
        self.options = options
        self.report: Report = log.report
        self.machine = Machine()
        self.pairs: list[TwinPair] = []

    def jobs(self) -> Iterator[Job]:
        """Yield the twin's jobs by submission, as `workload_tools.log.Log` has it."""
        options = self.options
        originals = sorted(self.log.jobs(), key=lambda job: job.submit_time)
        rng = np.random.default_rng(options.seed)
        sessions = sessions_of(originals, pause=options.pause)
        dealt = list(deal(sessions, few=options.few, alike=options.alike, rng=rng))
        starts = _jittered(dealt, options.jitter, rng)
        disguise = _Disguise(originals, options, self.report, rng)
        pairs = [
            TwinPair(job, disguise.twin_of(job, session, start), session.user, session.moved)
            for session, start in zip(dealt, starts, strict=True)
            for job in session.content.jobs
        ]
        pairs.sort(key=lambda pair: pair.twin.submit_time)
        self.pairs = [
            dataclasses.replace(pair, twin=replace(pair.twin, id=str(number)))
            for number, pair in enumerate(pairs, 1)
        ]
        self._tell_machine(first=originals[0].submit_time if originals else 0.0)
        yield from (pair.twin for pair in self.pairs)

    def _tell_machine(self, *, first: float) -> None:
        original, machine = self.log.machine, self.machine
        machine.processors, machine.nodes = original.processors, original.nodes
        machine.guessed = original.guessed
        if self.options.keeps_dates:
            machine.start_time, machine.time_zone = original.start_time, original.time_zone
            machine.origin = [*original.origin]
        elif original.start_time is not None:
            machine.start_time = _in_2000(original.start_time, first, original.time_zone)
            machine.time_zone = "UTC"
        machine.origin.append("Note: a twin of a log, no real jobs")


def _jittered(dealt: Sequence[Dealt], jitter: float, rng: np.random.Generator) -> list[float]:
    """Return when the sessions begin, in whole seconds apart from the original, none before 0."""
    # numpy refuses a range from 0 to -0
    shifts = np.round(rng.uniform(-abs(jitter), abs(jitter), len(dealt)))
    starts = np.array([session.start_time for session in dealt]) + shifts
    earliest = float(starts.min()) if len(starts) else 0.0
    return [float(start) for start in starts - min(earliest, 0.0)]


def _in_2000(start_time: float, first: float, time_zone: str | None) -> float:
    """Move second 0 so that the first submission is in January 2000 and local time becomes UTC."""
    local = start_time
    zone = known_zone(time_zone)
    if zone is not None:
        # a date beyond the calendar has no offset that anybody knows
        with suppress(ValueError, OverflowError, OSError):
            offset = datetime.fromtimestamp(start_time + first, zone).utcoffset()
            local += offset.total_seconds() if offset is not None else 0.0
    return local - (local + first - _A_MONDAY) // WEEK * WEEK


class _Disguise:
    """What a job looks like in the twin."""

    def __init__(
        self,
        originals: Sequence[Job],
        options: TwinOptions,
        report: "Report",
        rng: np.random.Generator,
    ) -> None:
        self.options = options
        self.report = report
        self.rng = rng
        self.numbers = {field: _numbered(originals, field, rng) for field in NAMES}
        self.common = {
            field: replacements(originals, field, users=options.few)
            for field in FIELDS
            if options.few > 1
        }
        self.states = _common_states(originals, users=options.few)
        self.groups = {job.user: (job.group, job.project) for job in reversed(originals)}

    def twin_of(self, job: Job, session: Dealt, start_time: float) -> Job:
        """Return the twin of a job, with the original's id."""
        changed: dict[str, float | None] = dict.fromkeys(UNTOLD)
        for field, common in self.common.items():
            number = getattr(job, field)
            if number in common:
                changed[field] = common[number]
                self.report.repaired[RARE.format(field, self.options.few)] += 1
        if job.state is not None and job.state not in self.states:
            changed["state"] = None
            self.report.repaired[RARE_STATE.format(self.options.few)] += 1
        names = {field: getattr(job, field) for field in NAMES}
        if session.user != job.user:
            # the group is the submitter's, not the job's
            names["group"], names["project"] = self.groups[session.user]
            names["user"] = session.user
        if session.user is None:
            self.report.repaired[NO_USER] += 1
        walltime = changed.get("walltime", job.walltime)
        return replace(
            job,
            submit_time=start_time + job.submit_time - session.content.start_time,
            run_time=self._run_time(job, walltime),
            # the marked jobs are no longer the first
            warm_up=False,
            **{field: self.numbers[field].get(name) for field, name in names.items()},
            **changed,
        )

    def _run_time(self, job: Job, walltime: float | None) -> float:
        """Blur a run time; a job reaches its walltime in the twin if it did in the original.

        A run time of more than half of its walltime is blurred by what is missing to it, so that
        the many jobs that end shortly before their walltime still do.
        """
        noise = self.options.noise
        if noise == 0.0 and walltime == job.walltime:
            return job.run_time
        # its mean is 1, so that work is neither gained nor lost
        blur = math.exp(noise * self.rng.standard_normal() - noise * noise / 2.0)
        if walltime is None or job.walltime is None:
            return max(1.0, float(round(job.run_time * blur)))
        if job.run_time >= job.walltime:
            excess = (job.run_time / job.walltime - 1.0) * blur
            return float(round(walltime * (1.0 + excess)))
        if job.run_time <= walltime / 2.0:
            blurred = min(job.run_time * blur, walltime - 1.0)
        else:
            blurred = walltime - max((walltime - job.run_time) * blur, 1.0)
        return max(1.0, float(round(blurred)))


def _common_states(jobs: Sequence[Job], *, users: int) -> set[str | None]:
    """Return the ways of ending that jobs of several users had; some have the exit code in it."""
    pairs = {(job.state, job.user) for job in jobs}
    counts = Counter(state for state, _ in pairs)
    return {state for state, count in counts.items() if count >= users}


def _numbered(jobs: Sequence[Job], field: str, rng: np.random.Generator) -> Mapping[object, str]:
    """Give the names of a field numbers by chance, for their order would tell who came first."""
    names = {getattr(job, field): None for job in jobs}
    names.pop(None, None)
    numbers = rng.permutation(len(names)) + 1
    return {name: str(number) for name, number in zip(names, numbers, strict=True)}
