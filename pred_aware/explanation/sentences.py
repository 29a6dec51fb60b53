"""An explanation in words: the main reason first, then details by importance."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pred_aware.explanation.explanation import Cause, Explanation, Promise
from pred_aware.explanation.reason_sentences import (
    SAME,
    SentenceContext,
    answer,
    overtaken,
    plain,
    reasons,
)
from pred_aware.explanation.rules import EASY
from pred_aware.report.durations import timespan
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Names, Sentence

if TYPE_CHECKING:
    from pred_aware.explanation.rules import SchedulingRules
    from pred_aware.report.clock import LogClock


HOW_IT_STARTED = {
    "head": " as the first job in the queue",
    "queue": " past others in the queue, on processors that were not reserved",
    "backfilled": " past others in the queue, because it was estimated to end in time",
}


def sentences(
    found: Explanation,
    *,
    clock: "LogClock",
    rules: "SchedulingRules | None",
    size: int,
    rejected: str | None = None,
) -> tuple[Sentence, ...]:
    """Return the sentences of an explanation.

    Parameters
    ----------
    found
        The values.
    clock
        Of the log.
    rules
        The log's dates.
    size
        The scheduler's rules, if known.
    rejected
        Size of the machine, in processors.
    """
    telling = SentenceContext(found, clock, rules, size)
    if found.facts.started is None:
        return (_never_ran(telling, rejected),)
    return tuple(_sentences(telling))


def _sentences(telling: SentenceContext) -> Iterator[Sentence]:
    found = telling.found
    yield _job(telling)
    if found.reasons:
        yield answer(telling)
        yield from reasons(telling)
        yield overtaken(telling)
        yield from promised(telling)
        yield _start(telling)
    yield _queue(telling)
    yield from _outlived(telling)
    for one in found.not_known:
        yield Names().sentence("not_known", f"Not known: {plain(one)}.")


def _request_of(telling: SentenceContext, names: Names) -> str:
    facts = telling.found.facts
    job = names.job(telling.found.job)
    whose = {"user": facts.user, "queue": facts.queue}
    asked = [f"{kind} {names(kind, name)}" for kind, name in whose.items() if name is not None]
    asked.append(f"{facts.processors:,} of {counted(telling.size, 'processor')}")
    if facts.walltime is not None:
        asked.append(f"walltime {timespan(facts.walltime)}")
    if facts.estimate is not None and facts.estimate != facts.walltime:
        asked.append(f"estimated {timespan(facts.estimate)}")
    return f"Job {job} ({', '.join(asked)})"


def _job(telling: SentenceContext) -> Sentence:
    facts, names = telling.found.facts, Names()
    assert facts.submitted is not None
    assert facts.started is not None
    told = _request_of(telling, names)
    started = telling.at(facts.started)
    if telling.found.reasons:
        told += f" waited {timespan(telling.waited)}: submitted {telling.at(facts.submitted)}, "
        told += f"started {started}"
    else:
        told += f" did not wait: it started {started}, when it was submitted"
    return names.sentence("job", f"{told}, and ran {timespan(facts.ran or 0.0)}.")


def _never_ran(telling: SentenceContext, rejected: str | None) -> Sentence:
    names = Names()
    why = "" if rejected is None else f": it {plain(rejected)}"
    told = f"{_request_of(telling, names)} was rejected and never ran{why}."
    return names.sentence("job", told)


def _start(telling: SentenceContext) -> Sentence:
    names, after = Names(), telling.found.started_after
    how = HOW_IT_STARTED.get(telling.found.facts.started_as or "", "")
    when = f"when {names.jobs(after)} ended" if after else "when no job had just ended"
    return names.sentence("start", f"It started{how}{',' if ',' in how else ''} {when}.")


def _queue(telling: SentenceContext) -> Sentence:
    at = telling.found.at_submission
    assert at is not None
    told = (
        f"When it was submitted, {counted(at.running_jobs, 'other job')} ran on "
        f"{at.processors_in_use:,} of {counted(telling.size, 'processor')}"
    )
    if not at.waiting_jobs:
        return Names().sentence("queue", f"{told}, and no other job waited.")
    told += (
        f", and {counted(at.waiting_jobs, 'other job')} waited, for "
        f"{counted(at.processors_waited_for, 'processor')}"
    )
    if at.before is not None:
        which = {0: "none of them", at.waiting_jobs: "all of them"}
        if at.waiting_jobs == 1:
            which = {0: "it was after it", 1: "it was ahead of it"}
            return Names().sentence("queue", f"{told}; {which[at.before]}.")
        told += f"; {which.get(at.before, f'{at.before:,} of them')} were ahead of it"
    return Names().sentence("queue", f"{told}.")


def _outlived(telling: SentenceContext) -> Iterator[Sentence]:
    corrections = telling.found.corrections
    if not corrections:
        return
    first, last = corrections[0], corrections[-1]
    told = (
        f"While it ran it outlived its estimate of {timespan(first.before)} {telling.at(first.at)}"
    )
    if len(corrections) == 1:
        told += f", and was then estimated {timespan(first.after)}"
    else:
        told += (
            f"; its estimate was corrected {len(corrections):,} times, at last to "
            f"{timespan(last.after)}"
        )
    yield Names().sentence("estimate", f"{told}.")


MOVES = 3
"""Number of changes of the planned start that are described; the largest ones."""


def promised(telling: SentenceContext) -> Iterator[Sentence]:
    """Yield sentences on a job's first planned start, and its number of and largest changes."""
    promises = telling.found.promises
    if not promises:
        return
    yield _first(telling, promises[0])
    moves = promises[1:]
    if not moves:
        return
    earlier = sum((one.later or 0.0) < 0.0 for one in moves)
    parts = [
        f"{'once' if number == 1 else f'{number:,} times'} to {which} date"
        for number, which in ((earlier, "an earlier"), (len(moves) - earlier, "a later"))
        if number
    ]
    yield Names().sentence("promise", f"That promise moved {' and '.join(parts)}.")
    finite = [one for one in moves if one.start is not None and one.later is not None]
    largest = sorted(finite, key=lambda one: -abs(one.later or 0.0))[:MOVES]
    for one in sorted(largest, key=lambda one: one.at):
        yield _move(telling, one)


def _first(telling: SentenceContext, promise: Promise) -> Sentence:
    facts, rules = telling.found.facts, telling.rules
    assert facts.submitted is not None
    assert facts.started is not None
    after = promise.at - facts.submitted
    when = "When it was submitted" if after < SAME else f"After {timespan(after)}"
    alone = rules is not None and rules.backfilling == EASY and rules.bound is None
    what = "was first in the queue, and got" if alone else "first got"
    if promise.start is None:
        told = f"{when} it {what} no planned start: planned ends did not free enough processors"
    else:
        told = f"{when} it {what} a planned start {telling.at(promise.start)}"
        told += f"; it started {_compared_with(facts.started - promise.start)}"
    return Names().sentence("promise", f"{told}.")


def _compared_with(late: float) -> str:
    if abs(late) <= SAME:
        return "then"
    return f"{timespan(abs(late))} {'later' if late > 0.0 else 'earlier'} than that"


def _move(telling: SentenceContext, promise: Promise) -> Sentence:
    names = Names()
    assert promise.start is not None
    assert promise.later is not None
    when = telling.at(promise.at)
    told = (
        f"{when[0].upper()}{when[1:]} it moved {timespan(abs(promise.later))} "
        f"{'later' if promise.later > 0.0 else 'earlier'}, to {telling.clock.date(promise.start)}"
    )
    if promise.causes:
        told += f": {_cause(promise.causes[0], names)}"
        if len(promise.causes) > 1:
            told += f" (and {counted(len(promise.causes) - 1, 'other')} likewise)"
    return names.sentence("promise", f"{told}.")


def _cause(cause: Cause, names: Names) -> str:
    job = f"job {names.job(cause.job)}"
    by = timespan(abs(cause.now - cause.planned))
    return {
        "ended": f"{job} ended {by} earlier than planned",
        "corrected": f"{job} outlived its estimate, and was planned to end {by} later",
        "overdue": f"{job} was due to end {by} before, and still ran",
        "started": f"{job} started, and was planned to run {by}",
    }[cause.kind]
