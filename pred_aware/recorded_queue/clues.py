"""Why jobs wait that need not: what a schedule shows, with figures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.recorded_queue.labels import Labels
from pred_aware.recorded_queue.limit import ApparentLimit, waiting
from pred_aware.recorded_queue.limits import limits
from pred_aware.recorded_queue.limits_of_periods import Period, days

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.schedule import MachineSchedule

MUCH_ROOM = 0.5
"""Share of the waiting time that passed with room for the job."""
JUST_AFTER = 60.0
"""Seconds after the end of another job in which a start has to do with it."""
LONG_WAIT = 3600.0
"""Seconds: of a start after a shorter wait the hour tells when it was submitted."""
OF_ITS_USER = 0.2
"""Share of the waiting time of jobs that had room, and began when one of their user ended."""
ONE_HOUR = 0.2
"""Share of the starts after a wait that fall into the same hour of the day, of 24."""
MANY_STARTS = 100
"""Of fewer starts no hour is told."""
HOURS = 24
MORE = 1.5
"""So many times as frequent as in the baseline must a cause be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """What a schedule shows of why its jobs wait."""

    room: float | None
    """Share of all waiting time in which as many processors as the job asked for were free;
    ``None`` where nobody waits."""
    busy_with_room: float | None
    """Mean share of the processors that were busy then."""
    after_own: float | None
    """Share of the time waited by jobs that began within a minute after the end of another job of
    the same user that ran while they waited, although there was room before it ended; ``None``
    without users."""
    hour: int | None
    in_hour: float | None
    """In which hour of the day most jobs began that had waited for over an hour, and their share;
    ``None`` for fewer than 100."""
    limits: tuple[ApparentLimit, ...] = ()
    """What somebody was never above."""

    def sentences(self, baseline: "Clues | None" = None) -> list[str]:
        """Say which causes of waits other than a full machine these dates show.

        Parameters
        ----------
        baseline
            The same of a simulated baseline, to be told beside it. What is as frequent there is no
            cause.
        """
        return list(_sentences(self, baseline))


def clues(
    schedule: "MachineSchedule",
    *,
    labels: Mapping[str, Labels],
    memory: "NDArray[np.float64] | None" = None,
    hours: "NDArray[np.int64] | None" = None,
    period: Period = days,
) -> Clues:
    """Look for causes of waits other than a full machine.

    Parameters
    ----------
    schedule
        The dates, as recorded or simulated.
    labels
        The jobs' users, queues and so on, by kind.
    memory
        GiB that each asked for, shape (jobs,).
    hours
        The hour of the day in which each job began, shape (jobs,), where dates are known.
    period
        Says from when to when, where a limit held for a part of the log.
    """
    seen = waiting(schedule)
    with_room = seen.with_room
    free = schedule.free_at(with_room.date)
    waits = schedule.start_time - schedule.submit_time
    hour, in_hour = (None, None) if hours is None else _hour(hours[waits > LONG_WAIT])
    users = labels.get("user")
    return Clues(
        room=len(with_room) / len(seen) if len(seen) else None,
        busy_with_room=float((1 - free / schedule.machine).mean()) if len(with_room) else None,
        after_own=None if users is None else _after_own(schedule, users, waits),
        hour=hour,
        in_hour=in_hour,
        limits=limits(schedule, seen, labels=labels, memory=memory, period=period),
    )


def _hour(hours: "NDArray[np.int64]") -> tuple[int | None, float | None]:
    if len(hours) < MANY_STARTS:
        return None, None
    counts = np.bincount(hours, minlength=HOURS)
    return int(counts.argmax()), float(counts.max() / counts.sum())


def _after_own(
    schedule: "MachineSchedule", users: Labels, waits: "NDArray[np.float64]"
) -> float | None:
    total = float(waits.sum())
    if total <= 0.0:
        return None
    codes, _ = users.numbers
    order = np.lexsort((schedule.end_time, codes))
    ends, whose = schedule.end_time[order], codes[order]
    # seconds are made to ranks, so that user and date can be one number to search for
    dates = np.unique(np.concatenate([ends, schedule.start_time]))
    key = whose * len(dates) + np.searchsorted(dates, ends)
    place = np.searchsorted(
        key, codes * len(dates) + np.searchsorted(dates, schedule.start_time), side="right"
    )
    last = np.where(place > 0, ends[place - 1], -np.inf)
    own = (place > 0) & (whose[place - 1] == codes) & (codes > 0)
    then = own & (last > schedule.submit_time) & (schedule.start_time - last <= JUST_AFTER)
    then &= schedule.free_at(last, before=True) >= schedule.processors
    return float(waits[then].sum()) / total


def _sentences(log: Clues, baseline: Clues | None) -> Iterator[str]:
    room, usual = log.room or 0.0, (baseline and baseline.room) or 0.0
    if room > MUCH_ROOM and room > MORE * usual and log.busy_with_room is not None:
        under = (
            ""
            if baseline is None or baseline.room is None
            else f" (in the baseline: {_percent(baseline.room)})"
        )
        yield (
            f"{_percent(room)} of all waiting time passed while as many processors were free "
            f"as the job asked for{under}, at a mean {_percent(log.busy_with_room)} of the "
            "processors busy"
        )
    in_baseline = (
        {} if baseline is None else {limit.whose: limit.share for limit in baseline.limits}
    )
    # who submits fifty jobs at a time never has more running, without any limit
    yield from (
        str(limit) for limit in log.limits if limit.share > MORE * in_baseline.get(limit.whose, 0.0)
    )
    own = log.after_own
    if (
        own is not None
        and own > OF_ITS_USER
        and own > MORE * ((baseline and baseline.after_own) or 0.0)
    ):
        yield (
            f"{_percent(own)} of all waiting time is of jobs that had room, but began within a "
            "minute after another job of their user ended: a limit for each user, or jobs that "
            "wait for one another"
        )
    share = log.in_hour
    if (
        share is not None
        and share > ONE_HOUR
        and share > MORE * ((baseline and baseline.in_hour) or 0.0)
    ):
        yield (
            f"{_percent(share)} of the jobs that waited for over an hour began between "
            f"{log.hour}:00 and {(log.hour or 0) + 1}:00, as if a queue opened then"
        )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
