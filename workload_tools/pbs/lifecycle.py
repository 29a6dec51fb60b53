"""Jobs without an end in the log, and the reasons."""

from enum import IntFlag, auto

NOT_STARTED = "only queued: no start in the log"
NOT_ENDED = "only started: no end in the log"
REQUEUED = "only started: requeued and not started again"
DELETED_WAITING = "deleted while waiting"
DELETED_RUNNING = "deleted while running: no end in the log"
ABORTED = "aborted by the server: no end in the log"
MOVED = "moved to another server"
NO_LIFE = "no record of queueing, start or end"


class Seen(IntFlag):
    """The relevant types of records of a job so far."""

    NOTHING = 0
    QUEUED = auto()
    STARTED = auto()
    WAITS_AGAIN = auto()
    DELETED = auto()
    DELETED_WAITING = auto()
    ABORTED = auto()
    MOVED = auto()
    WAS_REQUEUED = auto()
    SUSPENDED = auto()


_STARTS = frozenset("ST")
_UNDONE_BY_A_START = Seen.WAITS_AGAIN | Seen.DELETED_WAITING | Seen.ABORTED | Seen.MOVED
_REQUEUED = Seen.STARTED | Seen.WAITS_AGAIN | Seen.WAS_REQUEUED
_ADDED = {
    "Q": Seen.QUEUED,
    "R": _REQUEUED,
    "C": _REQUEUED,
    "A": Seen.ABORTED,
    "M": Seen.MOVED,
    "z": Seen.SUSPENDED,
}


def after(seen: Seen, record_type: str) -> Seen:
    """Return the flags of a job after one more record.

    Examples
    --------
    >>> seen = Seen.NOTHING
    >>> for record_type in "QSRD":
    ...     seen = after(seen, record_type)
    >>> why_not_ended(seen)
    'deleted while waiting'
    """
    if record_type == "D":
        ran = Seen.STARTED in seen and Seen.WAITS_AGAIN not in seen
        return seen | (Seen.DELETED if ran else Seen.DELETED_WAITING)
    if record_type in _STARTS:
        return (seen | Seen.STARTED) & ~_UNDONE_BY_A_START
    return seen | _ADDED.get(record_type, Seen.NOTHING)


def why_not_ended(seen: Seen) -> str:
    """Return why a job without an end is left out, from the last event that is known."""
    for flag, reason in (
        (Seen.MOVED, MOVED),
        (Seen.DELETED, DELETED_RUNNING),
        (Seen.DELETED_WAITING, DELETED_WAITING),
        (Seen.ABORTED, ABORTED),
        (Seen.WAITS_AGAIN, REQUEUED),
        (Seen.STARTED, NOT_ENDED),
        (Seen.QUEUED, NOT_STARTED),
    ):
        if flag in seen:
            return reason
    return NO_LIFE
