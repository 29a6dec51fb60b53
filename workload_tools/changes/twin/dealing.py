"""Exchange of sessions: users submit at the same times as before, but other jobs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from workload_tools.changes.twin.sessions import Session


@dataclass(frozen=True, slots=True)
class Dealt:
    """A session of the twin."""

    user: str | None
    """The user who submits it, by the name in the original."""
    start_time: float
    """Its start: the start of a session of this user in the original."""
    content: Session
    """The original's session that provides its jobs."""

    @property
    def moved(self) -> bool:
        """Return True if the jobs come from another session."""
        own = (self.content.user, self.content.start_time)
        return (self.user, self.start_time) != own


def deal(
    sessions: Mapping[str | None, Sequence[Session]],
    *,
    few: int,
    alike: int,
    rng: np.random.Generator,
) -> Iterator[Dealt]:
    """Exchange the content of sessions, and keep the times at which sessions begin.

    An exchange is among sessions of the same user with about the same work (processor-seconds) and
    number of jobs, and close in date. Otherwise work would accumulate unrealistically, because real
    users submit less while the queue is long, and waits would be far too long. Each session is used
    once, so the log keeps its sizes, times and work. Users with few sessions exchange them with
    each other.

    Parameters
    ----------
    sessions
        By user; each user's sessions by start.
    few
        A user with fewer sessions than this exchanges them with other such users.
    alike
        Number of similar sessions in one exchange. None stays in place unless it is alone. 1 means
        no exchange.
    rng
        The random generator.

    Yields
    ------
    Dealt
        One for each session.
    """
    pool: list[Session] = []
    for own in sessions.values():
        if len(own) < few:
            pool.extend(own)
        else:
            yield from _exchanged(own, alike, rng)
    yield from _exchanged(pool, alike, rng)


def _exchanged(
    sessions: Sequence[Session], alike: int, rng: np.random.Generator
) -> Iterator[Dealt]:
    """Exchange similar sessions."""
    if alike == 1:
        yield from (Dealt(own.user, own.start_time, own) for own in sessions)
        return
    for kind in _kinds(sessions):
        for group in _groups(kind, alike, rng):
            circle = [group[place] for place in rng.permutation(len(group))]
            for slot, content in zip(circle, circle[1:] + circle[:1], strict=True):
                yield Dealt(slot.user, slot.start_time, content)


def _kinds(sessions: Sequence[Session]) -> Iterator[list[Session]]:
    """Yield groups of similar sessions, each sorted by date.

    A session without a similar one joins a neighbouring group.

    Sorted by date, because users' habits change over months.
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
    """Return work and number of jobs as powers of two. Similar sessions share them."""
    work = sum(job.processors * job.run_time for job in session.jobs)
    return round(math.log2(max(work, 1.0))), len(session.jobs).bit_length()


def _groups(
    sessions: Sequence[Session], size: int, rng: np.random.Generator
) -> Iterator[Sequence[Session]]:
    """Cut into groups of a given size.

    The first has a random extra length, the last gets the rest.
    """
    begin = 0
    end = size + int(rng.integers(size))
    while len(sessions) - end >= size:
        yield sessions[begin:end]
        begin, end = end, end + size
    yield sessions[begin:]
