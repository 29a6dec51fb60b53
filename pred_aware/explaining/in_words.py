"""An explanation in words: the answer first, then what is behind it, by importance."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pred_aware.explaining.explanation import Cause, Explanation, Overtaker, Promise, Reason
from pred_aware.explaining.rules import (
    AROUND,
    BOUND,
    EASY,
    ENDS_IN_TIME,
    FILLER,
    FREE,
    GAP,
    LEFT_OVER,
    NONE,
    ORDER,
    PLAN,
)
from pred_aware.explaining.sentence import Names, Sentence
from pred_aware.report.counted import counted
from pred_aware.report.durations import spoken

if TYPE_CHECKING:
    from pred_aware.explaining.rules import Rules
    from pred_aware.inspection.clock import Clock

WORTH_A_WORD = 0.005
"""Shares below this are told in JSON only."""

MOVES = 3
"""How many moves of a promise are told; the largest."""

SAME = 1.0
"""A start within so many seconds of a promise kept it."""

ORDERS = {
    "fcfs": "submission",
    "sjf": "the shortest estimate",
    "saf": "the smallest estimated work",
    "lxf": "the longest wait for its estimate",
    "wfp": "the longest wait for its estimate, times processors",
}

ANSWERS = {
    "running": "jobs that ran already when it was submitted held the processors",
    "ahead": "jobs that were submitted before it held the processors",
    "overtook": "jobs that overtook it held the processors",
    "kept": "enough processors were free, but kept for other waiting jobs",
}

HELD_BY = {
    "running": "that ran already when it was submitted",
    "ahead": "that were submitted no later than it and started while it waited",
    "overtook": "that were submitted later and started before it",
}

HOW_IT_STARTED = {
    "head": "as the first of the queue",
    "queue": "past others in the queue, on processors that nobody had reserved",
    "backfilled": "past others in the queue, being estimated to end in time",
}


def sentences(
    found: Explanation,
    *,
    clock: "Clock",
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
        What the scheduler goes by, if that is known.
    size
        Of the machine, in processors.
    rejected
        Why the job never ran, if it did not.
    """
    return tuple(_Words(found, clock, rules, size).sentences(rejected))


class _Words:
    def __init__(
        self, found: Explanation, clock: "Clock", rules: "Rules | None", size: int
    ) -> None:
        self._found = found
        self._facts = found.facts
        self._clock = clock
        self._rules = rules
        self._size = size

    def sentences(self, rejected: str | None) -> Iterator[Sentence]:
        if self._facts.started is None:
            yield self._never_ran(rejected)
            return
        yield self._job()
        if self._found.reasons:
            yield self._answer()
            yield from self._reasons()
            yield self._overtaken()
            yield from self._promised()
            yield self._start()
        yield self._queue()
        yield from self._outlived()
        for one in self._found.not_known:
            yield Names().sentence("not_known", f"Not known: {_plain(one)}.")

    # the job, and the answer

    def _asked_for(self, names: Names) -> str:
        facts = self._facts
        job = names.job(self._found.job)
        whose = ""
        if facts.user is not None:
            whose = f"user {names('user', facts.user)}, "
        if facts.queue is not None:
            whose += f"queue {names('queue', facts.queue)}, "
        asked = f"{whose}{facts.processors:,} of {counted(self._size, 'processor')}"
        if facts.walltime is not None:
            asked += f", walltime {spoken(facts.walltime)}"
        if facts.estimate is not None and facts.estimate != facts.walltime:
            asked += f", estimated {spoken(facts.estimate)}"
        return f"Job {job} ({asked})"

    def _job(self) -> Sentence:
        facts, names = self._facts, Names()
        assert facts.submitted is not None
        assert facts.started is not None
        assert facts.waited is not None
        assert facts.ran is not None
        told = self._asked_for(names)
        if not self._found.reasons:
            told += f" did not wait: it started {self._at(facts.started)}, when it was submitted"
        else:
            told += (
                f" waited {spoken(facts.waited)}: submitted {self._at(facts.submitted)}, "
                f"started {self._at(facts.started)}"
            )
        return names.sentence("job", f"{told}, and ran {spoken(facts.ran)}.")

    def _never_ran(self, rejected: str | None) -> Sentence:
        names = Names()
        why = "" if rejected is None else f": it {_plain(rejected)}"
        return names.sentence("job", f"{self._asked_for(names)} was rejected and never ran{why}.")

    def _answer(self) -> Sentence:
        reason = self._found.reasons[0]
        told = ANSWERS[reason.kind]
        rules = self._rules
        if reason.kind == "kept" and (rules is None or rules.on_blocks):
            told = "enough processors were free, but not for it"
        share = _percent(reason.share)
        return Names().sentence("answer", f"The main reason ({share} of the wait): {told}.")

    # what held the processors

    def _reasons(self) -> Iterator[Sentence]:
        facts = self._facts
        assert facts.waited is not None
        by_kind = {reason.kind: reason for reason in self._found.reasons}
        kept = by_kind.pop("kept", None)
        too_few = sum(reason.seconds for reason in by_kind.values())
        parts = [(too_few, list(self._held(too_few, by_kind.values())))]
        if kept is not None:
            parts.append((kept.seconds, [self._kept(kept)]))
        for seconds, told in sorted(parts, key=lambda part: -part[0]):
            if seconds / facts.waited >= WORTH_A_WORD:
                yield from told

    def _held(self, seconds: float, reasons: Iterable[Reason]) -> Iterator[Sentence]:
        facts = self._facts
        assert facts.waited is not None
        if not seconds:
            return
        few = "no processor was"
        if facts.processors > 1:
            few = f"fewer than {facts.processors:,} processors were"
        yield Names().sentence("too_few", f"{self._part(seconds)} {few} free.")
        for reason in reasons:
            share = reason.seconds / seconds
            if share < WORTH_A_WORD:
                continue
            names = Names()
            of_it = (
                "All that was" if share > 1.0 - WORTH_A_WORD else f"{_percent(share)} of what was"
            )
            told = f"{of_it} in use then was held by {counted(reason.jobs, 'job')} "
            told += HELD_BY[reason.kind] if reason.jobs > 1 else _of_one(HELD_BY[reason.kind])
            yield names.sentence(reason.kind, f"{told}: {self._most(reason, names)}.")

    def _part(self, seconds: float) -> str:
        facts = self._facts
        assert facts.waited is not None
        share = seconds / facts.waited
        if share > 1.0 - WORTH_A_WORD:
            return "All the time"
        return f"For {spoken(seconds)} of it ({_percent(share)})"

    def _most(self, reason: Reason, names: Names) -> str:
        told = [
            f"job {names.job(one.job)} ({counted(one.processors, 'processor')} for "
            f"{spoken(one.seconds)})"
            for one in reason.most[:2]
        ]
        if reason.jobs > len(told):
            return f"most of it by {' and '.join(told)}"
        return " and ".join(told)

    def _kept(self, reason: Reason) -> Sentence:
        names = Names()
        facts = self._facts
        enough = f"{counted(facts.processors, 'processor')} or more were free"
        why = self._kept_why(reason, names)
        return names.sentence("kept", f"{self._part(reason.seconds)} {enough}, {why}.")

    def _kept_why(self, reason: Reason, names: Names) -> str:  # noqa: PLR0911 - a case each
        rules = self._rules
        if rules is None:
            return "and which jobs they were kept for the run does not tell"
        if rules.bound is not None and rules.backfilling == FILLER and reason.most:
            return f"but kept for the place that the bound gave {self._several(reason, names)}"
        if rules.backfilling not in (EASY, PLAN, NONE):
            return "and why it did not get them the run does not tell"
        others = [one for one in reason.most if one.job != self._found.job]
        own = len(others) < len(reason.most)
        if rules.on_blocks and (own or not others):
            return "but not as a block on which it can run"
        if rules.backfilling == PLAN:
            return "but kept for the places that other waiting jobs had in the plan"
        if not others:
            return "but their ends had not been reported yet"
        first = self._several(reason, names)
        if rules.backfilling == NONE:
            return f"but {first} stood first in the queue, and nobody overtakes"
        what = ""
        if rules.bound is not None:
            what = " or for the places that the bound gave"
        if rules.on_blocks:
            what += " or not as a block on which it can run"
        return (
            f"but reserved for the first of the queue ({first}){what}: by its estimate it would "
            "have run beyond the start promised there"
        )

    def _several(self, reason: Reason, names: Names) -> str:
        told = names.jobs(
            [one.job for one in reason.most if one.job != self._found.job], reason.jobs
        )
        return f"{told} in turn" if reason.jobs > 1 else told

    # who overtook

    def _overtaken(self) -> Sentence:
        names, overtakers = Names(), self._found.overtaken_by
        if not overtakers:
            return names.sentence("overtaken", "No job that was submitted later started before it.")
        one = len(overtakers) == 1
        largest = max(overtakers, key=lambda other: other.processors * other.ran)
        which = f"job {names.job(largest.job)}" if one else f"{len(overtakers):,} jobs"
        told = f"{which}, submitted later, started before it{self._rules_of(overtakers)}"
        told = told[0].upper() + told[1:]
        size = f"{counted(largest.processors, 'processor')} for {spoken(largest.ran)}"
        told += (
            f"; it took {size}"
            if one
            else f"; the largest is job {names.job(largest.job)} ({size})"
        )
        outlived = [
            other
            for other in overtakers
            if other.estimate is not None and other.ran > other.estimate + SAME
        ]
        if outlived:
            worst = max(outlived, key=lambda other: other.ran - (other.estimate or 0.0))
            by = spoken(worst.ran - (worst.estimate or 0.0))
            told += (
                f"; it ran {by} longer than estimated"
                if one
                else f"; {len(outlived):,} ran longer than estimated, job "
                f"{names.job(worst.job)} by {by}"
            )
        return names.sentence("overtaken", f"{told}.")

    def _rules_of(self, overtakers: tuple[Overtaker, ...]) -> str:
        counts = Counter(one.rule for one in overtakers)
        if set(counts) == {None}:
            return ""
        told = [self._rule(rule, count) for rule, count in counts.most_common()]
        if len(told) == 1:
            who = {1: "it", 2: "both"}.get(len(overtakers), "all of them")
            return f": {who} {told[0]}"
        parts = [
            f"{count:,} {words}"
            for (_, count), words in zip(counts.most_common(), told, strict=True)
        ]
        return f": {', '.join(parts)}"

    def _rule(self, rule: str | None, count: int) -> str:
        one = count == 1
        order = (None if self._rules is None else self._rules.order) or ""
        goes_by = ORDERS.get(order, f"the order {_plain(order)}")
        return {
            ORDER: f"stood before it in the queue, which goes by {goes_by}",
            BOUND: "had waited for so long that the bound gave "
            + ("it a place" if one else "them places"),
            ENDS_IN_TIME: f"{'was' if one else 'were'} estimated to end before the start that was "
            "promised to the first of the queue",
            LEFT_OVER: "took processors that the reservation of the first of the queue left over",
            GAP: "fitted into a gap of the plan",
            AROUND: "fitted around the place that the bound had given it",
            FREE: "fitted on what was free, for nothing is reserved",
            None: "did so by a rule that is not known",
        }[rule]

    # what it was promised

    def _promised(self) -> Iterator[Sentence]:
        promises, facts = self._found.promises, self._facts
        assert facts.submitted is not None
        assert facts.started is not None
        if not promises:
            return
        first = promises[0]
        after = first.at - facts.submitted
        when = "When it was submitted" if after < SAME else f"After {spoken(after)}"
        rules = self._rules
        alone = rules is not None and rules.backfilling == EASY and rules.bound is None
        what = "was first in the queue, and was promised" if alone else "was first promised"
        if first.start is None:
            told = f"{when} it {what} no start: no planned ends made room for it"
        else:
            told = f"{when} it {what} a start {self._at(first.start)}"
            told += f"; it started {_against(facts.started - first.start)}"
        yield Names().sentence("promise", f"{told}.")
        moves = promises[1:]
        finite = [one for one in moves if one.start is not None and one.later is not None]
        if moves:
            earlier = sum((one.later or 0.0) < 0.0 for one in moves)
            later = len(moves) - earlier
            parts = [
                f"{'once' if number == 1 else f'{number:,} times'} to {which} date"
                for number, which in ((earlier, "an earlier"), (later, "a later"))
                if number
            ]
            yield Names().sentence("promise", f"That promise moved {' and '.join(parts)}.")
        largest = sorted(finite, key=lambda one: -abs(one.later or 0.0))[:MOVES]
        for one in sorted(largest, key=lambda one: one.at):
            yield self._move(one)

    def _move(self, promise: Promise) -> Sentence:
        names = Names()
        assert promise.start is not None
        assert promise.later is not None
        way = "later" if promise.later > 0.0 else "earlier"
        told = (
            f"{_capital(self._at(promise.at))} it moved {spoken(abs(promise.later))} {way}, to "
            f"{self._clock.date(promise.start)}"
        )
        if promise.causes:
            told += f": {self._cause(promise.causes[0], names)}"
            if len(promise.causes) > 1:
                told += f" (and {counted(len(promise.causes) - 1, 'other')} likewise)"
        return names.sentence("promise", f"{told}.")

    def _cause(self, cause: Cause, names: Names) -> str:
        job = f"job {names.job(cause.job)}"
        by = spoken(abs(cause.now - cause.planned))
        return {
            "ended": f"{job} ended {by} earlier than planned",
            "corrected": f"{job} outlived its estimate, and was planned to end {by} later",
            "overdue": f"{job} was due to end {by} before, and still ran",
            "started": f"{job} started, and was planned to run {by}",
        }[cause.kind]

    # how it started, the queue, its own estimate

    def _start(self) -> Sentence:
        names, after = Names(), self._found.started_after
        how = HOW_IT_STARTED.get(self._facts.started_as or "")
        told = "It started" if how is None else f"It started {how}"
        if after:
            told += f" when {names.jobs(after)} ended"
        elif how is None:
            told += " when no job had just ended"
        return names.sentence("start", f"{told}.")

    def _queue(self) -> Sentence:
        at = self._found.at_submission
        assert at is not None
        told = (
            f"When it was submitted, {counted(at.running_jobs, 'other job')} ran on "
            f"{at.processors_in_use:,} of {counted(self._size, 'processor')}"
        )
        if not at.waiting_jobs:
            return Names().sentence("queue", f"{told}, and no other job waited.")
        waited = counted(at.waiting_jobs, "other job")
        told += f", and {waited} waited, for {counted(at.processors_waited_for, 'processor')}"
        if at.before is not None:
            which = "all of them" if at.before == at.waiting_jobs else f"{at.before:,} of them"
            which = "none of them" if not at.before else which
            told += f"; {which} stood before it"
        return Names().sentence("queue", f"{told}.")

    def _outlived(self) -> Iterator[Sentence]:
        corrections = self._found.corrections
        if not corrections:
            return
        first, last = corrections[0], corrections[-1]
        told = (
            f"While it ran it outlived its estimate of {spoken(first.before)} {self._at(first.at)}"
        )
        if len(corrections) == 1:
            told += f", and was then estimated {spoken(first.after)}"
        else:
            told += (
                f"; its estimate was corrected {len(corrections):,} times, at last to "
                f"{spoken(last.after)}"
            )
        yield Names().sentence("estimate", f"{told}.")

    def _at(self, second: float) -> str:
        date = self._clock.date(second)
        return date if not self._clock.knows_dates else f"on {date[:10]} at {date[11:]}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"


def _of_one(words: str) -> str:
    return words.replace("were submitted", "was submitted")


def _against(late: float) -> str:
    if abs(late) <= SAME:
        return "then"
    return f"{spoken(abs(late))} {'later' if late > 0.0 else 'earlier'} than that"


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _plain(text: str) -> str:
    """Return text of others so that it is not taken for the place of a name."""
    return text.replace("{", "{{").replace("}", "}}")
