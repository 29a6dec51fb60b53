"""Reasons for which a log can't answer, whatever is simulated on it, and remedies."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pred_aware.campaign.specification import MAX_SHIFT
from pred_aware.recorded_queue.answer import FEWEST
from pred_aware.report.durations import HOUR, spoken
from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.study.reading import ReadLog

Unanswered = Literal["two machines", "few jobs", "short log", "starts", "no size"]

SHORTEST = 12 * HOUR
"""Seconds of submissions: in a shorter log a shake, which moves sessions by up to ten minutes,
changes what it is to measure. On cuts of KTH of 3, 6, 12 and 24 hours the mean wait over shakes
lies off that of the cut as it is by up to 69, 17, 6 and 6 % in four of five
(docs/how-to/study.md)."""


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """Why a log can't answer."""

    kind: Unanswered
    """Which of the reasons."""
    sentence: str
    """The reason, as an answer in one sentence."""
    next: str
    """What would help."""


def unanswerable(log: "ReadLog", *, ran: int) -> Unanswerable | None:
    """Say why a log can't answer what prediction would change; ``None`` where it may.

    Parameters
    ----------
    log
        The log.
    ran
        How many of its jobs ran under the baseline.
    """
    if log.apart:
        return Unanswerable(
            "two machines",
            f"These files can't answer it together, for they look like two machines: {log.apart}.",
            "Study each machine's files alone, and a machine that has grown in two parts.",
        )
    if ran < FEWEST:
        return Unanswerable(
            "few jobs",
            f"Too few jobs to say anything: {counted(ran, 'job')}, and a mean of fewer than "
            f"{FEWEST} depends on a handful of them.",
            "Study a longer time: some months of jobs, thousands of them.",
        )
    columns = log.inspection.columns
    span = columns.last - columns.first
    if span < SHORTEST:
        return Unanswerable(
            "short log",
            f"Too short a log to say anything: its jobs were submitted within {spoken(span)}, and "
            f"chance is told by moving them by up to {spoken(MAX_SHIFT)}, which takes "
            f"{spoken(SHORTEST)} at least.",
            "Study a longer time: some months of jobs.",
        )
    if log.inspection.load.only_starts:
        return Unanswerable(
            "starts",
            "This log can't answer it: it records no waits, and its submissions look like starts, "
            "so under EASY hardly anybody waits, however long people really waited.",
            "Give a log with the dates of submissions: `Submit` beside `Start` of sacct "
            "(`pred-aware log sacct-command` asks for both), `qtime` or `ctime` of PBS, fields 2 "
            "and 3 of SWF.",
        )
    if log.size.guessed and not log.inspection.load.starts_known:
        return Unanswerable(
            "no size",
            "This log can't answer it: it gives neither waits nor the machine's size, and on the "
            f"{log.size.processors:,} processors that its submissions would fill nobody waits.",
            f"Give the machine's size ({log.size.options}).",
        )
    return None
