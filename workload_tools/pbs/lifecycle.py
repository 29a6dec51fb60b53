"""Reasons why a job has no end in the log."""

from enum import IntFlag, auto

NOT_STARTED = "only queued: no start in the log"
NOT_ENDED = "only started: no end in the log"
REQUEUED = "only started: requeued and not started again"
DELETED_WAITING = "deleted while waiting"
DELETED_RUNNING = "deleted while running: no end in the log"
ABORTED = "aborted by the server: no end in the log"
MOVED = "moved to another server"
NO_LIFE = "no record of queueing, start or end"


class RecordTypes(IntFlag):
    """Flags for the types of records that a job has had so far."""

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
_UNDONE_BY_A_START = (
    RecordTypes.WAITS_AGAIN | RecordTypes.DELETED_WAITING | RecordTypes.ABORTED | RecordTypes.MOVED
)
_REQUEUED = RecordTypes.STARTED | RecordTypes.WAITS_AGAIN | RecordTypes.WAS_REQUEUED
_ADDED = {
    "Q": RecordTypes.QUEUED,
    "R": _REQUEUED,
    "C": _REQUEUED,
    "A": RecordTypes.ABORTED,
    "M": RecordTypes.MOVED,
    "z": RecordTypes.SUSPENDED,
}


def after(seen: RecordTypes, record_type: str) -> RecordTypes:
    """Return the flags of a job after a further record of the given type.

    Examples
    --------
    >>> seen = RecordTypes.NOTHING
    >>> for record_type in "QSRD":
    ...     seen = after(seen, record_type)
    >>> why_not_ended(seen)
    'deleted while waiting'
    """
    if record_type == "D":
        ran = RecordTypes.STARTED in seen and RecordTypes.WAITS_AGAIN not in seen
        return seen | (RecordTypes.DELETED if ran else RecordTypes.DELETED_WAITING)
    if record_type in _STARTS:
        return (seen | RecordTypes.STARTED) & ~_UNDONE_BY_A_START
    return seen | _ADDED.get(record_type, RecordTypes.NOTHING)


def why_not_ended(seen: RecordTypes) -> str:
    """Return the reason why a job without an end is left out: the last event that is known."""
    for flag, reason in (
        (RecordTypes.MOVED, MOVED),
        (RecordTypes.DELETED, DELETED_RUNNING),
        (RecordTypes.DELETED_WAITING, DELETED_WAITING),
        (RecordTypes.ABORTED, ABORTED),
        (RecordTypes.WAITS_AGAIN, REQUEUED),
        (RecordTypes.STARTED, NOT_ENDED),
        (RecordTypes.QUEUED, NOT_STARTED),
    ):
        if flag in seen:
            return reason
    return NO_LIFE
