"""Exchange the jobs of sessions: users start sessions at the same times, but submit other jobs."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from workload_tools.job import Job

PAUSE = 1200.0
"""Pause between two submissions of a user, in seconds, after which a new session begins."""


@dataclass(frozen=True, slots=True)
class Session:
    """A series of jobs of one user without a long pause between submissions."""

    user: str | None
    """The user's name; ``None`` for all jobs without a user."""
    jobs: tuple[Job, ...]
    """The jobs in order of submission."""

    @property
    def start_time(self) -> float:
        """Return the submission time of the first job, in seconds after the log's second 0."""
        return self.jobs[0].submit_time


def sessions_of(jobs: Iterable[Job], *, pause: float) -> dict[str | None, list[Session]]:
    """Split each user's jobs into sessions.

    Parameters
    ----------
    jobs
        The jobs, sorted by submission.
    pause
        Pause between two submissions of a user, in seconds, after which a new session begins.

    Returns
    -------
    dict
        The sessions of each user, sorted by start. Users are in the order of their first jobs.

    Notes
    -----
    After J. Zilber, O. Amit and D. Talby, "What is worth learning from parallel workloads? A user
    and session based analysis" (ICS 2005), who split sessions at pauses of 20 minutes.

    Examples
    --------
    >>> jobs = [Job(id=str(n), submit_time=t, processors=1, run_time=1.0, user="ann")
    ...         for n, t in enumerate((0.0, 100.0, 2000.0))]
    >>> [len(session.jobs) for session in sessions_of(jobs, pause=1200)["ann"]]
    [2, 1]
    """
    by_user: dict[str | None, list[list[Job]]] = {}
    for job in jobs:
        pieces = by_user.setdefault(job.user, [])
        if pieces and job.submit_time - pieces[-1][-1].submit_time <= pause:
            pieces[-1].append(job)
        else:
            pieces.append([job])
    return {
        user: [Session(user, tuple(piece)) for piece in pieces] for user, pieces in by_user.items()
    }


@dataclass(frozen=True, slots=True)
class TwinSession:
    """A session of the twin."""

    user: str | None
    """Name, in the original, of the user who submits the session."""
    start_time: float
    """Start of the session, at which the same user began a session in the original."""
    content: Session
    """The session of the original that provides the jobs."""

    @property
    def moved(self) -> bool:
        """Return True if the jobs come from another session."""
        origin = (self.content.user, self.content.start_time)
        return (self.user, self.start_time) != origin


def deal(
    sessions: Mapping[str | None, Sequence[Session]],
    *,
    few: int,
    alike: int,
    rng: np.random.Generator,
) -> Iterator[TwinSession]:
    """Exchange the jobs of sessions, and keep the times at which sessions begin.

    Sessions are exchanged if they are of the same user, are close in date, and have about the same
    work (processor-seconds) and number of jobs. Real users submit less while the queue is long. If
    very different sessions were exchanged, much work would be submitted to a long queue, and waits
    would become far too long. Each session is used once, so the log keeps its sizes, run times and
    work. Users with few sessions exchange them with each other.

    Parameters
    ----------
    sessions
        The sessions of each user, sorted by start.
    few
        Users with fewer sessions than this exchange them with each other.
    alike
        Number of similar sessions in one exchange. Each session moves, unless no other session
        is similar. If the number is 1, no sessions are exchanged.
    rng
        The random generator.

    Yields
    ------
    TwinSession
        One session of the twin for each session of the original.
    """
    pool: list[Session] = []
    for user_sessions in sessions.values():
        if len(user_sessions) < few:
            pool.extend(user_sessions)
        else:
            yield from _exchanged(user_sessions, alike, rng)
    yield from _exchanged(pool, alike, rng)


def _exchanged(
    sessions: Sequence[Session], alike: int, rng: np.random.Generator
) -> Iterator[TwinSession]:
    """Yield the sessions after exchanges among groups of `alike` similar sessions."""
    if alike == 1:
        yield from (TwinSession(session.user, session.start_time, session) for session in sessions)
        return
    for kind in _kinds(sessions):
        for group in _groups(kind, alike, rng):
            circle = [group[place] for place in rng.permutation(len(group))]
            for slot, content in zip(circle, circle[1:] + circle[:1], strict=True):
                yield TwinSession(slot.user, slot.start_time, content)


def _kinds(sessions: Sequence[Session]) -> Iterator[list[Session]]:
    """Yield groups of similar sessions.

    A session without a similar session joins a neighbouring group. Each group is sorted by date,
    because users' habits change over months.
    """
    part: list[Session] = []
    for _, alike in groupby(sorted(sessions, key=_kind), key=_kind):
        found = [*alike]
        if len(part) > 1 and len(found) > 1:
            yield sorted(part, key=_start_time)
            part = []
        part += found
    yield sorted(part, key=_start_time)


def _start_time(session: Session) -> float:
    return session.start_time


def _kind(session: Session) -> tuple[int, int]:
    """Return the work and the number of jobs as rounded logarithms to base 2."""
    work = sum(job.processors * job.run_time for job in session.jobs)
    return round(math.log2(max(work, 1.0))), len(session.jobs).bit_length()


def _groups(
    sessions: Sequence[Session], size: int, rng: np.random.Generator
) -> Iterator[Sequence[Session]]:
    """Yield groups of consecutive sessions of a given size.

    The first group is longer by a random number. The last group also contains the rest.
    """
    begin = 0
    end = size + int(rng.integers(size))
    while len(sessions) - end >= size:
        yield sessions[begin:end]
        begin, end = end, end + size
    yield sessions[begin:]


FIELDS = (
    *("processors", "walltime", "nodes", "gpus", "tasks", "memory"),
    *("tasks_per_node", "memory_per_node", "gpus_per_node"),
)
"""Fields with numbers that users choose in their requests."""


def replacements(
    jobs: Iterable[Job], field: str, *, users: int
) -> Mapping[float | None, float | None]:
    """Return a common number for each rare number of a field.

    A number is common if enough users request it. A rare walltime becomes the next longer common
    walltime, so that no additional job is killed. Any other rare number becomes the common number
    with the most similar logarithm. If all numbers are rare, no number is replaced.

    Parameters
    ----------
    jobs
        The jobs of the log.
    users
        A number is common if at least this many users request it.

    Returns
    -------
    mapping
        The common number for each rare number.

    Examples
    --------
    >>> user_sizes = {"ann": (4, 7), "bob": (4, 16), "eve": (16,)}
    >>> jobs = [Job(id=f"{user}{n}", submit_time=0.0, processors=n, run_time=1.0, user=user)
    ...         for user, sizes in user_sizes.items() for n in sizes]
    >>> dict(replacements(jobs, "processors", users=2))
    {7: 4}
    """
    who: dict[float, set[str | None]] = {}
    for job in jobs:
        number: float | None = getattr(job, field)
        if number is not None:
            # storing at most `users` names is enough, and saves memory
            asking = who.setdefault(number, set())
            if len(asking) < users:
                asking.add(job.user)
    common = sorted(number for number, asking in who.items() if len(asking) >= users)
    if not common:
        return {}
    choose = _next_longer if field == "walltime" else _nearest
    rare = (number for number, asking in who.items() if len(asking) < users)
    return _table(rare, common, choose)


def _table(
    rare: Iterable[float], common: list[float], choose: Callable[[float, list[float]], float]
) -> dict[float | None, float | None]:
    return {number: choose(number, common) for number in rare}


def _next_longer(number: float, common: list[float]) -> float:
    place = bisect_left(common, number)
    return common[min(place, len(common) - 1)]


def _nearest(number: float, common: list[float]) -> float:
    return min(common, key=lambda other: (abs(math.log((other or 0.5) / (number or 0.5))), other))
