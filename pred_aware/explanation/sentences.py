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
    "queue": " before others in the queue, on processors that were not reserved",
    "backfilled": " before others in the queue, because it was estimated to end in time",
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
        The explanation, still without sentences.
    clock
        Converts seconds to dates of the log.
    rules
        The scheduler's rules; ``None`` if unknown.
    size
        Size of the machine, in processors.
    rejected
        Why the scheduler rejected the job, if known.
    """
    context = SentenceContext(found, clock, rules, size)
    if found.facts.started is None:
        return (_never_ran(context, rejected),)
    return tuple(_sentences(context))


def _sentences(context: SentenceContext) -> Iterator[Sentence]:
    found = context.found
    yield _job(context)
    if found.reasons:
        yield answer(context)
        yield from reasons(context)
        yield overtaken(context)
        yield from promised(context)
        yield _start(context)
    yield _queue(context)
    yield from _outlived(context)
    for one in found.not_known:
        yield Names().sentence("not_known", f"Not known: {plain(one)}.")


def _request_of(context: SentenceContext, names: Names) -> str:
    facts = context.found.facts
    job = names.job(context.found.job)
    whose = {"user": facts.user, "queue": facts.queue}
    parts = [f"{kind} {names(kind, name)}" for kind, name in whose.items() if name is not None]
    parts.append(f"{facts.processors:,} of {counted(context.size, 'processor')}")
    if facts.walltime is not None:
        parts.append(f"walltime {timespan(facts.walltime)}")
    if facts.estimate is not None and facts.estimate != facts.walltime:
        parts.append(f"estimated {timespan(facts.estimate)}")
    return f"Job {job} ({', '.join(parts)})"


def _job(context: SentenceContext) -> Sentence:
    facts, names = context.found.facts, Names()
    assert facts.submitted is not None
    assert facts.started is not None
    text = _request_of(context, names)
    started = context.at(facts.started)
    if context.found.reasons:
        text += f" waited {timespan(context.waited)}: submitted {context.at(facts.submitted)}, "
        text += f"started {started}"
    else:
        text += f" did not wait: it started {started}, when it was submitted"
    return names.sentence("job", f"{text}, and ran {timespan(facts.ran or 0.0)}.")


def _never_ran(context: SentenceContext, rejected: str | None) -> Sentence:
    names = Names()
    why = "" if rejected is None else f": it {plain(rejected)}"
    text = f"{_request_of(context, names)} was rejected and never ran{why}."
    return names.sentence("job", text)


def _start(context: SentenceContext) -> Sentence:
    names, after = Names(), context.found.started_after
    how = HOW_IT_STARTED.get(context.found.facts.started_as or "", "")
    when = f"when {names.jobs(after)} ended" if after else "although no job had just ended"
    return names.sentence("start", f"It started{how}{',' if ',' in how else ''} {when}.")


def _queue(context: SentenceContext) -> Sentence:
    at = context.found.at_submission
    assert at is not None
    text = (
        f"When it was submitted, {counted(at.running_jobs, 'other job')} ran on "
        f"{at.processors_in_use:,} of {counted(context.size, 'processor')}"
    )
    if not at.waiting_jobs:
        return Names().sentence("queue", f"{text}, and no other job waited.")
    text += (
        f", and {counted(at.waiting_jobs, 'other job')} waited for "
        f"{counted(at.processors_waited_for, 'processor')} in total"
    )
    if at.before is not None:
        which = {0: "none of them", at.waiting_jobs: "all of them"}
        if at.waiting_jobs == 1:
            which = {0: "behind this job", 1: "ahead of this job"}
            return Names().sentence("queue", f"{text}, {which[at.before]}.")
        text += f"; {which.get(at.before, f'{at.before:,} of them')} were ahead of this job"
    return Names().sentence("queue", f"{text}.")


def _outlived(context: SentenceContext) -> Iterator[Sentence]:
    corrections = context.found.corrections
    if not corrections:
        return
    first, last = corrections[0], corrections[-1]
    text = (
        f"It ran longer than its estimate of {timespan(first.before)}, which was therefore "
        "corrected "
    )
    if len(corrections) == 1:
        text += f"{context.at(first.at)} to {timespan(first.after)}"
    else:
        text += (
            f"{len(corrections):,} times, first {context.at(first.at)}, finally to "
            f"{timespan(last.after)}"
        )
    yield Names().sentence("estimate", f"{text}.")


MOVES = 3
"""Number of the largest changes of the planned start that are described."""


def promised(context: SentenceContext) -> Iterator[Sentence]:
    """Yield sentences on a job's first planned start, and on how often and how far it moved."""
    promises = context.found.promises
    if not promises:
        return
    yield _first(context, promises[0])
    moves = promises[1:]
    if not moves:
        return
    earlier = sum((promise.later or 0.0) < 0.0 for promise in moves)
    parts = [
        f"{'once' if number == 1 else f'{number:,} times'} to {which} date"
        for number, which in ((earlier, "an earlier"), (len(moves) - earlier, "a later"))
        if number
    ]
    yield Names().sentence("promise", f"This planned start moved {' and '.join(parts)}.")
    finite = [
        promise for promise in moves if promise.start is not None and promise.later is not None
    ]
    largest = sorted(finite, key=lambda promise: -abs(promise.later or 0.0))[:MOVES]
    for promise in sorted(largest, key=lambda promise: promise.at):
        yield _move(context, promise)


def _first(context: SentenceContext, promise: Promise) -> Sentence:
    facts, rules = context.found.facts, context.rules
    assert facts.submitted is not None
    assert facts.started is not None
    after = promise.at - facts.submitted
    when = "When it was submitted" if after < SAME else f"After {timespan(after)}"
    alone = rules is not None and rules.backfilling == EASY and rules.bound is None
    what = "was first in the queue, and got" if alone else "first got"
    if promise.start is None:
        text = f"{when}, it {what} no planned start: too few processors had a known planned end"
    else:
        text = f"{when}, it {what} a planned start {context.at(promise.start)}"
        text += f"; it started {_compared_with(facts.started - promise.start)}"
    return Names().sentence("promise", f"{text}.")


def _compared_with(late: float) -> str:
    if abs(late) <= SAME:
        return "as planned"
    return f"{timespan(abs(late))} {'later' if late > 0.0 else 'earlier'} than planned"


def _move(context: SentenceContext, promise: Promise) -> Sentence:
    names = Names()
    assert promise.start is not None
    assert promise.later is not None
    when = context.at(promise.at)
    text = (
        f"{when[0].upper()}{when[1:]}, the planned start moved {timespan(abs(promise.later))} "
        f"{'later' if promise.later > 0.0 else 'earlier'}, to {context.clock.date(promise.start)}"
    )
    if promise.causes:
        text += f": {_cause(promise.causes[0], names)}"
        if len(promise.causes) > 1:
            text += f" (and {counted(len(promise.causes) - 1, 'other possible cause')})"
    return names.sentence("promise", f"{text}.")


def _cause(cause: Cause, names: Names) -> str:
    job = f"job {names.job(cause.job)}"
    by = timespan(abs(cause.now - cause.planned))
    return {
        "ended": f"{job} ended {by} earlier than planned",
        "corrected": f"{job} ran longer than estimated, so its planned end moved {by} later",
        "overdue": f"{job} should have ended {by} earlier, but still ran",
        "started": f"{job} started with a planned run time of {by}",
    }[cause.kind]
