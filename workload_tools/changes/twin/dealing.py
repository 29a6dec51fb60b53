"""Dealing sessions anew: who submits when stays, what is submitted is exchanged."""

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
    """The user, by the name in the original, who submits it."""
    start_time: float
    """When it begins: when a session of this user began in the original."""
    content: Session
    """The session of the original whose jobs it has."""

    @property
    def moved(self) -> bool:
        """Whether the jobs are those of another session."""
        own = (self.content.user, self.content.start_time)
        return (self.user, self.start_time) != own


def deal(
    sessions: Mapping[str | None, Sequence[Session]],
    *,
    few: int,
    alike: int,
    rng: np.random.Generator,
) -> Iterator[Dealt]:
    """Deal what was submitted in each session to the times at which sessions began.

    A user's sessions are exchanged among those of about the same work (processor-seconds) and
    number of jobs, next to each other by date. Without that the work would come in heaps that no
    real machine sees, since people hold back when the queue is long, and waits would be far too
    long. Each session is dealt once, so that the log's sizes, times and work stay what they were.
    Users with few sessions exchange them with one another.

    Parameters
    ----------
    sessions
        By user, each user's by their start.
    few
        A user with fewer sessions than this exchanges them with others of this kind.
    alike
        How many sessions that are alike are exchanged with each other; none of them stays where
        it was, unless there is no other. With 1, all stay.
    rng
        The source of chance.

    Yields
    ------
    Dealt
        As many as there are sessions.
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
    """Exchange sessions among those that are alike."""
    if alike == 1:
        yield from (Dealt(own.user, own.start_time, own) for own in sessions)
        return
    for kind in _kinds(sessions):
        for group in _groups(kind, alike, rng):
            circle = [group[place] for place in rng.permutation(len(group))]
            for slot, content in zip(circle, circle[1:] + circle[:1], strict=True):
                yield Dealt(slot.user, slot.start_time, content)


def _kinds(sessions: Sequence[Session]) -> Iterator[list[Session]]:
    """Part sessions by their kind, each part by date; one alone joins the kind before or after.

    By date, for what people do changes over the months.
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
    """Return work and number of jobs in powers of two: what sessions that are alike share."""
    work = sum(job.processors * job.run_time for job in session.jobs)
    return round(math.log2(max(work, 1.0))), len(session.jobs).bit_length()


def _groups(
    sessions: Sequence[Session], size: int, rng: np.random.Generator
) -> Iterator[Sequence[Session]]:
    """Cut into groups of a size; the first is longer by chance, the last by what is left."""
    begin = 0
    end = size + int(rng.integers(size))
    while len(sessions) - end >= size:
        yield sessions[begin:end]
        begin, end = end, end + size
    yield sessions[begin:]
