"""Promised starts of a job and their changes, in words."""

from collections.abc import Iterator

from pred_aware.explanation.explanation import Cause, Promise
from pred_aware.explanation.rules import EASY
from pred_aware.explanation.sentence_context import SAME, SentenceContext
from pred_aware.report.durations import spoken
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Names, Sentence

MOVES = 3
"""How many moves of a promise are told; the largest."""


def promised(telling: SentenceContext) -> Iterator[Sentence]:
    """Say what a job was promised first, how often that moved, and the largest moves."""
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
    when = "When it was submitted" if after < SAME else f"After {spoken(after)}"
    alone = rules is not None and rules.backfilling == EASY and rules.bound is None
    what = "was first in the queue, and was promised" if alone else "was first promised"
    if promise.start is None:
        told = f"{when} it {what} no start: no planned ends made room for it"
    else:
        told = f"{when} it {what} a start {telling.at(promise.start)}"
        told += f"; it started {_against(facts.started - promise.start)}"
    return Names().sentence("promise", f"{told}.")


def _against(late: float) -> str:
    if abs(late) <= SAME:
        return "then"
    return f"{spoken(abs(late))} {'later' if late > 0.0 else 'earlier'} than that"


def _move(telling: SentenceContext, promise: Promise) -> Sentence:
    names = Names()
    assert promise.start is not None
    assert promise.later is not None
    when = telling.at(promise.at)
    told = (
        f"{when[0].upper()}{when[1:]} it moved {spoken(abs(promise.later))} "
        f"{'later' if promise.later > 0.0 else 'earlier'}, to {telling.clock.date(promise.start)}"
    )
    if promise.causes:
        told += f": {_cause(promise.causes[0], names)}"
        if len(promise.causes) > 1:
            told += f" (and {counted(len(promise.causes) - 1, 'other')} likewise)"
    return names.sentence("promise", f"{told}.")


def _cause(cause: Cause, names: Names) -> str:
    job = f"job {names.job(cause.job)}"
    by = spoken(abs(cause.now - cause.planned))
    return {
        "ended": f"{job} ended {by} earlier than planned",
        "corrected": f"{job} outlived its estimate, and was planned to end {by} later",
        "overdue": f"{job} was due to end {by} before, and still ran",
        "started": f"{job} started, and was planned to run {by}",
    }[cause.kind]
