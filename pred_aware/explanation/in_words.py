"""An explanation in words: the answer first, then what is behind it, by importance."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pred_aware.explanation.explanation import Explanation
from pred_aware.explanation.held_in_words import answer, reasons
from pred_aware.explanation.overtaking_in_words import overtaken
from pred_aware.explanation.promises_in_words import promised
from pred_aware.explanation.sentence_context import SentenceContext, plain
from pred_aware.report.durations import spoken
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Names, Sentence

if TYPE_CHECKING:
    from pred_aware.explanation.rules import Rules
    from pred_aware.report.clock import LogClock

HOW_IT_STARTED = {
    "head": " as the first of the queue",
    "queue": " past others in the queue, on processors that nobody had reserved",
    "backfilled": " past others in the queue, being estimated to end in time",
}


def sentences(
    found: Explanation,
    *,
    clock: "LogClock",
    rules: "Rules | None",
    size: int,
    rejected: str | None = None,
) -> tuple[Sentence, ...]:
    """Say an explanation in words.

    Parameters
    ----------
    found
        The values.
    clock
        Of the log.
    rules
        The rules of the scheduler, if they are known.
    size
        Of the machine, in processors.
    rejected
        Why the job never ran, if it did not.
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
        asked.append(f"walltime {spoken(facts.walltime)}")
    if facts.estimate is not None and facts.estimate != facts.walltime:
        asked.append(f"estimated {spoken(facts.estimate)}")
    return f"Job {job} ({', '.join(asked)})"


def _job(telling: SentenceContext) -> Sentence:
    facts, names = telling.found.facts, Names()
    assert facts.submitted is not None
    assert facts.started is not None
    told = _request_of(telling, names)
    started = telling.at(facts.started)
    if telling.found.reasons:
        told += f" waited {spoken(telling.waited)}: submitted {telling.at(facts.submitted)}, "
        told += f"started {started}"
    else:
        told += f" did not wait: it started {started}, when it was submitted"
    return names.sentence("job", f"{told}, and ran {spoken(facts.ran or 0.0)}.")


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
            which = {0: "it stood behind it", 1: "it stood before it"}
            return Names().sentence("queue", f"{told}; {which[at.before]}.")
        told += f"; {which.get(at.before, f'{at.before:,} of them')} stood before it"
    return Names().sentence("queue", f"{told}.")


def _outlived(telling: SentenceContext) -> Iterator[Sentence]:
    corrections = telling.found.corrections
    if not corrections:
        return
    first, last = corrections[0], corrections[-1]
    told = f"While it ran it outlived its estimate of {spoken(first.before)} {telling.at(first.at)}"
    if len(corrections) == 1:
        told += f", and was then estimated {spoken(first.after)}"
    else:
        told += (
            f"; its estimate was corrected {len(corrections):,} times, at last to "
            f"{spoken(last.after)}"
        )
    yield Names().sentence("estimate", f"{told}.")
