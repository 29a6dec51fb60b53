"""Sentences on the jobs that overtook a job, and the rules that allowed it."""

from collections import Counter
from collections.abc import Sequence

from pred_aware.explanation.explanation import Overtaker
from pred_aware.explanation.rules import (
    AROUND,
    BOUND,
    ENDS_IN_TIME,
    FREE,
    GAP,
    LEFT_OVER,
    ORDER,
    STOPPED,
)
from pred_aware.explanation.sentence_context import SAME, SentenceContext, plain
from pred_aware.report.durations import spoken
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Names, Sentence

ORDERS = {
    "fcfs": "submission",
    "sjf": "the shortest estimate",
    "saf": "the smallest estimated work",
    "lxf": "the longest wait for its estimate",
    "multifactor": "Slurm's priority",
    "pbs": "PBS's sort formula, fair share and sort keys",
    "wfp": "the longest wait for its estimate, times processors",
}


def overtaken(telling: SentenceContext) -> Sentence:
    """Return a sentence on the jobs that overtook a job, or that none did."""
    names, overtakers = Names(), telling.found.overtaken_by
    if not overtakers:
        return names.sentence("overtaken", "No job that was submitted later started before it.")
    one = len(overtakers) == 1
    largest = max(overtakers, key=lambda other: other.processors * other.ran)
    job = names.job(largest.job)
    which = f"Job {job}" if one else f"{len(overtakers):,} jobs"
    size = f"{counted(largest.processors, 'processor')} for {spoken(largest.ran)}"
    told = f"{which}, submitted later, started before it{_rules(telling, overtakers)}"
    told += f"; it took {size}" if one else f"; the largest is job {job} ({size})"
    return names.sentence("overtaken", f"{told}{_outlived(overtakers, names)}.")


def _outlived(overtakers: Sequence[Overtaker], names: Names) -> str:
    """Return text on overtaking jobs that ran longer than their estimates."""
    longer = {
        one.job: one.ran - one.estimate
        for one in overtakers
        if one.estimate is not None and one.ran > one.estimate + SAME
    }
    if not longer:
        return ""
    worst = max(longer, key=lambda job: longer[job])
    by = spoken(longer[worst])
    if len(overtakers) == 1:
        return f"; it ran {by} longer than estimated"
    return f"; {len(longer):,} ran longer than estimated, job {names.job(worst)} by {by}"


def _rules(telling: SentenceContext, overtakers: Sequence[Overtaker]) -> str:
    counts = Counter(one.rule for one in overtakers).most_common()
    if counts[0] == (None, len(overtakers)):
        return ""
    if len(counts) == 1:
        who = {1: "it", 2: "both"}.get(len(overtakers), "all of them")
        return f": {who} {_rule(telling, counts[0][0], count=len(overtakers))}"
    return ": " + ", ".join(
        f"{count:,} {_rule(telling, rule, count=count)}" for rule, count in counts
    )


def _rule(telling: SentenceContext, rule: str | None, *, count: int) -> str:
    one = count == 1
    order = (None if telling.rules is None else telling.rules.order) or ""
    goes_by = ORDERS.get(order, f"the order {plain(order)}")
    return {
        ORDER: f"was ahead of it in the queue, which is ordered by {goes_by}",
        ENDS_IN_TIME: f"{'was' if one else 'were'} estimated to end before the start that was "
        "promised to the first of the queue",
        LEFT_OVER: "took processors that the reservation of the first of the queue left over",
        GAP: "fitted into a gap of the plan",
        FREE: "fitted on what was free, for nothing is reserved",
        BOUND: f"had waited so long that the bound gave {'it a place' if one else 'them places'}",
        AROUND: "fitted around the place that the bound had given it",
        STOPPED: "started while a rule of the site stopped it",
        None: "did so by an unknown rule",
    }[rule]
