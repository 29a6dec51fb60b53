"""Make the twin of a log."""

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
    TwinSession,
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
"""The fields whose texts a twin replaces by numbers."""

UNTOLD = (
    *("wait_time", "used_memory", "requested_processors", "allocated_processors"),
    *("preceding_job", "think_time", "array", "array_limit", "soft_walltime", "eligible_time"),
    *("reservation", "licences"),
)
"""Fields that a twin omits: results on the real machine, and references to other jobs."""

RARE = "{} requested by fewer than {} users: replaced by a common value"
RARE_STATE = "state that fewer than {} users had: removed"
NO_USER = "no user: exchanged with other jobs without a user"

WEEK = 7 * 86400
LONGEST_JITTER = 3650 * 86400.0
"""Upper limit of the option `jitter`, in seconds."""
_A_MONDAY = 946857600  # 3 January 2000, 0:00 UTC


class TwinOptionError(InputError):
    """An option of a twin is invalid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinOptions:
    """Options of the twin model.

    Raises
    ------
    TwinOptionError
        An option is out of range.
    """

    seed: int = 1
    """Random seed; the same seed gives the same twin."""
    pause: float = PAUSE
    """Pause between two submissions of a user, in seconds, after which a new session begins."""
    alike: int = 8
    """Number of similar sessions of a user that exchange their jobs; 1 means no exchange."""
    few: int = 3
    """Users with fewer sessions than this exchange them with each other.

    A size or walltime that fewer than `few` users request is replaced by a common value. With
    1, nothing is exchanged or replaced for these reasons.
    """
    noise: float = 0.1
    """Standard deviation of the logarithm of a random factor on run times; 0 for no factor."""
    jitter: float = 600.0
    """Largest shift of a session's start, in seconds."""
    keeps_dates: bool = False
    """If True, the twin keeps the original's start date, time zone and header.

    If False, the twin begins in January 2000, on the original's weekday and hour.
    """

    def __post_init__(self) -> None:
        """Check the ranges of the options."""
        least = {"seed": 0, "pause": 0.0, "alike": 1, "few": 1, "noise": 0.0, "jitter": 0.0}
        for name, lowest in least.items():
            value = getattr(self, name)
            if not lowest <= value < math.inf:
                raise TwinOptionError(
                    f"option '{name}' of the twin", f"is {value}; it must be at least {lowest:g}"
                )
        if self.jitter > LONGEST_JITTER:
            raise TwinOptionError(
                "option 'jitter' of the twin",
                f"is {self.jitter:g}; it must be at most {LONGEST_JITTER:g} s (ten years)",
            )


@dataclass(frozen=True, slots=True)
class TwinPair:
    """A job of a twin, and the original job from which the twin's job was derived."""

    original: Job
    twin: Job
    """The two jobs, both with dates in seconds after second 0 of the original log."""
    submitter: str | None
    """Name in the original of the user who submits the twin's job."""
    moved: bool
    """True if the twin's job is in another session than the original job."""


class TwinLog:
    """A twin of a log: the same users submit other, changed jobs at about the same times.

    See `docs/how-to/twin.md` for the model. When the first job is requested, the original is read
    completely into memory.

    Parameters
    ----------
    log
        The original, which has not been read yet.
    options
        The options of the model.

    Attributes
    ----------
    pairs : list of TwinPair
        The twin's jobs by submission, each with its original job, for
        `workload_tools.changes.twin.closeness` and `disclosure`. The list is empty until the first
        job is yielded.
    """

    def __init__(self, log: "Log", *, options: TwinOptions) -> None:
        self.log = log
        self.options = options
        self.report: Report = log.report
        self.machine = Machine()
        self.pairs: list[TwinPair] = []

    def jobs(self) -> Iterator[Job]:
        """Yield the twin's jobs by submission; see `workload_tools.log.Log`."""
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
        machine.origin.append("Note: a synthetic twin of a log, without real jobs")


def _jittered(dealt: Sequence[TwinSession], jitter: float, rng: np.random.Generator) -> list[float]:
    """Return the sessions' starts after random shifts in whole seconds; the earliest is >= 0."""
    # abs turns -0 into 0, because numpy refuses a range from 0 to -0
    shifts = np.round(rng.uniform(-abs(jitter), abs(jitter), len(dealt)))
    starts = np.array([session.start_time for session in dealt]) + shifts
    earliest = float(starts.min()) if len(starts) else 0.0
    return [float(start) for start in starts - min(earliest, 0.0)]


def _in_2000(start_time: float, first: float, time_zone: str | None) -> float:
    """Return a new date of second 0 that moves the first submission to January 2000.

    UTC then shows the time of day that local time showed in the original.
    """
    local = start_time
    zone = known_zone(time_zone)
    if zone is not None:
        # dates outside Python's calendar have no offset from UTC
        with suppress(ValueError, OverflowError, OSError):
            offset = datetime.fromtimestamp(start_time + first, zone).utcoffset()
            local += offset.total_seconds() if offset is not None else 0.0
    return local - (local + first - _A_MONDAY) // WEEK * WEEK


class _Disguise:
    """Replaces the values of a job that could identify a user by the twin's values."""

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

    def twin_of(self, job: Job, session: TwinSession, start_time: float) -> Job:
        """Return the twin's job, still with the id of the original job."""
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
            # group and project are those of the twin's submitter, not those of the original job
            names["group"], names["project"] = self.groups[session.user]
            names["user"] = session.user
        if session.user is None:
            self.report.repaired[NO_USER] += 1
        walltime = changed.get("walltime", job.walltime)
        return replace(
            job,
            submit_time=start_time + job.submit_time - session.content.start_time,
            run_time=self._run_time(job, walltime),
            # jobs with a warm-up mark in the original may not be first in the twin
            warm_up=False,
            **{field: self.numbers[field].get(name) for field, name in names.items()},
            **changed,
        )

    def _run_time(self, job: Job, walltime: float | None) -> float:
        """Return a run time with random noise.

        A job that reaches its walltime in the original also reaches it in the twin. If a job uses
        more than half of its walltime, the noise is applied to the unused rest of the walltime. So
        jobs that end shortly before their walltime do so in the twin too.
        """
        noise = self.options.noise
        if noise == 0.0 and walltime == job.walltime:
            return job.run_time
        # the factor has mean 1, so that the total work stays the same
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
    """Return the states that are not rare, because a rare exit code could identify a user."""
    pairs = {(job.state, job.user) for job in jobs}
    counts = Counter(state for state, _ in pairs)
    return {state for state, count in counts.items() if count >= users}


def _numbered(jobs: Sequence[Job], field: str, rng: np.random.Generator) -> Mapping[object, str]:
    """Return a random number for each name; numbers in order would reveal who submitted first."""
    names = {getattr(job, field): None for job in jobs}
    names.pop(None, None)
    numbers = rng.permutation(len(names)) + 1
    return {name: str(number) for name, number in zip(names, numbers, strict=True)}
