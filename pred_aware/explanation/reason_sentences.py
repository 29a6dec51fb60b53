"""Sentences on jobs that held processors while a job waited, and on reservations."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.explanation.explanation import Overtaker, Reason, StoppedByRule
from pred_aware.explanation.rules import (
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
    STOPPED,
)
from pred_aware.report.durations import timespan
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Names, Sentence

if TYPE_CHECKING:
    from pred_aware.explanation.explanation import Explanation
    from pred_aware.explanation.rules import SchedulingRules
    from pred_aware.report.clock import LogClock


WORTH_A_WORD = 0.005
"""The text leaves out reasons with a smaller share of the wait; JSON has all reasons."""

SAME = 1.0
"""Dates that differ by at most this many seconds count as equal."""


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """An explanation's values, with the log's dates and the scheduler's rules."""

    found: "Explanation"
    """The explanation, still without sentences."""
    clock: "LogClock"
    """Converts seconds to dates of the log."""
    rules: "SchedulingRules | None"
    """The scheduler's rules; ``None`` if unknown."""
    size: int
    """Size of the machine, in processors."""

    @property
    def waited(self) -> float:
        """Wait of the job, in seconds."""
        return self.found.facts.waited or 0.0

    def at(self, second: float) -> str:
        """Return a date in words."""
        date = self.clock.date(second)
        return f"on {date[:10]} at {date[11:]}" if self.clock.knows_dates else f"on {date}"


def percent(share: float) -> str:
    """Format a share in percent."""
    return f"{100.0 * share:.0f} %"


def plain(text: str) -> str:
    """Escape braces in a text, so that `str.format` does not take them for a placeholder."""
    return text.replace("{", "{{").replace("}", "}}")


ANSWERS = {
    "running": "jobs that were already running at its submission held the processors",
    "ahead": "jobs that were submitted before it held the processors",
    "overtook": "jobs that overtook it held the processors",
    "kept": "enough processors were free, but reserved for other waiting jobs",
}

HELD_BY = {
    "running": "that already ran when this job was submitted",
    "ahead": "{} submitted no later than this job and started while it waited",
    "overtook": "{} submitted later than this job and started before it",
}


def answer(context: SentenceContext) -> Sentence:
    """Return a sentence on the largest reason of a wait."""
    reason, rules = context.found.reasons[0], context.rules
    if isinstance(reason, StoppedByRule):
        reason_text = f"the site's rule '{plain(reason.rule)}' stopped it"
    else:
        reason_text = ANSWERS[reason.kind]
    if reason.kind == "kept" and (rules is None or rules.on_blocks or rules.on_nodes):
        reason_text = "enough processors were free, but it could not use them"
    words = f"The main reason ({percent(reason.share)} of the wait): {reason_text}."
    return Names().sentence("answer", words)


def reasons(context: SentenceContext) -> Iterator[Sentence]:
    """Yield sentences on the reasons of a wait, largest first.

    The reasons are site rules, too few free processors, and reservations for other jobs.
    """
    rules = [one for one in context.found.reasons if isinstance(one, StoppedByRule)]
    by_kind = {one.kind: one for one in context.found.reasons if one not in rules}
    kept = by_kind.pop("kept", None)
    too_few = sum(reason.seconds for reason in by_kind.values())
    parts = [(too_few, list(_too_few_free(context, too_few, by_kind.values())))] if by_kind else []
    parts += [(one.seconds, [_stopped(context, one)]) for one in rules]
    if kept is not None:
        parts.append((kept.seconds, [_reserved(context, kept)]))
    for seconds, reason_sentences in sorted(parts, key=lambda part: -part[0]):
        if seconds / context.waited >= WORTH_A_WORD:
            yield from reason_sentences


def _stopped(context: SentenceContext, reason: StoppedByRule) -> Sentence:
    text = f"{_part(context, reason.seconds)} the site's rule '{plain(reason.rule)}' stopped it."
    return Names().sentence("rule", text)


def _too_few_free(
    context: SentenceContext, seconds: float, parts: Iterable[Reason]
) -> Iterator[Sentence]:
    requested = context.found.facts.processors
    few = "no processor was" if requested == 1 else f"fewer than {requested:,} processors were"
    yield Names().sentence("too_few", f"{_part(context, seconds)} {few} free.")
    for reason in parts:
        share = reason.seconds / seconds
        if share < WORTH_A_WORD:
            continue
        names = Names()
        whole = share > 1.0 - WORTH_A_WORD
        text = "The" if whole else f"{percent(share)} of the"
        text += f" processors in use during this time were held by {counted(reason.jobs, 'job')} "
        text += HELD_BY[reason.kind].format("that was" if reason.jobs == 1 else "that were")
        yield names.sentence(reason.kind, f"{text}: {_most(reason, names)}.")


def _part(context: SentenceContext, seconds: float) -> str:
    share = seconds / context.waited
    if share > 1.0 - WORTH_A_WORD:
        return "During the whole wait,"
    return f"For {timespan(seconds)} of the wait ({percent(share)}),"


def _most(reason: Reason, names: Names) -> str:
    texts = [
        f"job {names.job(one.job)} ({counted(one.processors, 'processor')} for "
        f"{timespan(one.seconds)})"
        for one in reason.most[:2]
    ]
    return f"{'the largest shares by ' if reason.jobs > len(texts) else ''}{' and '.join(texts)}"


def _reserved(context: SentenceContext, reason: Reason) -> Sentence:
    names = Names()
    requested = context.found.facts.processors
    enough = (
        f"at least {counted(requested, 'processor')} {'was' if requested == 1 else 'were'} free"
    )
    text = f"{_part(context, reason.seconds)} {enough}, {_why_reserved(context, reason, names)}."
    return names.sentence("kept", text)


def _why_reserved(context: SentenceContext, reason: Reason, names: Names) -> str:  # noqa: PLR0911 - one for each case
    rules = context.rules
    if rules is None:
        return "but kept free for jobs that the run does not record"
    others = [one.job for one in reason.most if one.job != context.found.job]
    of_bound = rules.bound is not None
    if of_bound and rules.backfilling == FILLER and others:
        return f"but reserved by max_wait for {_in_turn(others, reason, names)}"
    if rules.backfilling not in (EASY, PLAN, NONE):
        return "but it is unknown why the job did not get them"
    if rules.on_blocks and len(others) < max(len(reason.most), 1):
        return "but they formed no block that the job can use"
    if rules.on_nodes:
        return "but on nodes that the job could not use then, or reserved for other waiting jobs"
    if rules.backfilling == PLAN:
        return "but reserved for the planned starts of other waiting jobs"
    if not others:
        return "but the scheduler had not yet received the messages that jobs had ended"
    first = _in_turn(others, reason, names)
    if rules.backfilling == NONE:
        return f"but {first} was first in the queue, and this scheduler lets no job overtake"
    text = f"but reserved for the first job in the queue ({first})"
    if of_bound or rules.on_blocks:
        text += " or for jobs to which max_wait gave a reservation" if of_bound else ""
        return text + (", or they formed no block that the job can use" if rules.on_blocks else "")
    return f"{text}: this job's estimated end was after the planned start of that job"


def _in_turn(others: list[str], reason: Reason, names: Names) -> str:
    text = names.jobs(others, reason.jobs)
    return f"{text} in turn" if reason.jobs > 1 else text


ORDERS = {
    "fcfs": "submission",
    "sjf": "the shortest estimate",
    "saf": "the smallest estimated work",
    "lxf": "the longest wait relative to the estimate",
    "multifactor": "Slurm's priority",
    "pbs": "PBS's sort formula, fair share and sort keys",
    "wfp": "(wait / estimate)³ times processors",
}


def overtaken(context: SentenceContext) -> Sentence:
    """Return a sentence on the jobs that overtook a job, or that none did."""
    names, overtakers = Names(), context.found.overtaken_by
    if not overtakers:
        text = "No job that was submitted later started before this job."
        return names.sentence("overtaken", text)
    one = len(overtakers) == 1
    largest = max(overtakers, key=lambda other: other.processors * other.ran)
    job = names.job(largest.job)
    which = f"Job {job}" if one else f"{len(overtakers):,} jobs"
    size = f"{counted(largest.processors, 'processor')} for {timespan(largest.ran)}"
    text = f"{which}, submitted later, started before this job{_rules(context, overtakers)}"
    text += f"; it used {size}" if one else f"; the largest is job {job} ({size})"
    return names.sentence("overtaken", f"{text}{_outlived(overtakers, names)}.")


def _outlived(overtakers: Sequence[Overtaker], names: Names) -> str:
    """Return how many overtaking jobs ran longer than estimated, and the longest excess."""
    longer = {
        one.job: one.ran - one.estimate
        for one in overtakers
        if one.estimate is not None and one.ran > one.estimate + SAME
    }
    if not longer:
        return ""
    worst = max(longer, key=lambda job: longer[job])
    by = timespan(longer[worst])
    if len(overtakers) == 1:
        return f"; it ran {by} longer than estimated"
    most = f"at most by {by} (job {names.job(worst)})"
    return f"; {len(longer):,} of them ran longer than estimated, {most}"


def _rules(context: SentenceContext, overtakers: Sequence[Overtaker]) -> str:
    counts = Counter(one.rule for one in overtakers).most_common()
    if counts[0] == (None, len(overtakers)):
        return ""
    if len(counts) == 1:
        who = {1: "it", 2: "both jobs"}.get(len(overtakers), "all these jobs")
        return f": {who} {_rule(context, counts[0][0], count=len(overtakers))}"
    return ": " + ", ".join(
        f"{count:,} {_rule(context, rule, count=count)}" for rule, count in counts
    )


def _rule(context: SentenceContext, rule: str | None, *, count: int) -> str:
    one = count == 1
    order = (None if context.rules is None else context.rules.order) or ""
    goes_by = ORDERS.get(order, f"the order {plain(order)}")
    return {
        ORDER: f"{'was' if one else 'were'} ahead of this job in the queue, which is ordered by "
        f"{goes_by}",
        ENDS_IN_TIME: f"{'was' if one else 'were'} estimated to end before the planned start of "
        f"the first job in the queue",
        LEFT_OVER: "used processors that the first job's reservation did not need",
        GAP: "fitted into a gap between reservations",
        FREE: "used free processors, because this scheduler makes no reservations",
        BOUND: "had waited so long that the bound on waits (max_wait) reserved processors for "
        f"{'it' if one else 'them'}",
        AROUND: "fitted around the processors that max_wait had reserved for the waiting job",
        STOPPED: "started while a rule of the site stopped the waiting job",
        None: "overtook for an unknown reason",
    }[rule]
