"""Whether to turn it on, in words, and what that rests on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pred_aware.effects.effect import Effect
from pred_aware.effects.words import change_from_baseline
from pred_aware.recorded_queue.answer import HARDLY
from pred_aware.recorded_queue.trust import ERROR_BAR
from pred_aware.rehearsal.rehearsal_values import RehearsalValues, RehearsedPredictor
from pred_aware.report.durations import spoken
from pred_aware.report.plural import counted
from pred_aware.report.table import percent
from pred_aware.site_configuration.reading import has_soft_limits, no_safe_way

if TYPE_CHECKING:
    from pred_aware.prediction.groups import Group

MOST_UNDERESTIMATED = 0.3
"""Share of the jobs that may outlive their soft walltime. Paper 003's authors took two predictors
out of production for that, at over 40 % and nearly 31 %, and kept the one with less than 12 %."""

WAIT, SLOWDOWN, KEPT = "mean_waiting_time", "mean_bounded_slowdown", "promises_kept"

FEWEST = 30
"""Of a queue with fewer jobs nothing is said in the answer."""

Kind = Literal["yes", "about", "dry", "little", "no", "unknown", "unsafe"]


@dataclass(frozen=True, slots=True)
class RehearsalVerdict:
    """Whether to do it."""

    answer: Kind
    """``yes``; ``about``: the schedule gets better, but by less than the error bar; ``dry``: that
    of another queue, so that no change can be claimed for this site; ``little``: nothing changes
    that can be told from chance; ``no``: it gets worse, or too many jobs outlive their soft
    walltime; ``unknown``: without shakes nobody can tell; ``unsafe``: it may get better, but this
    version of Slurm cuts jobs."""
    predictor: str
    """Of which predictor the sentence speaks, the best of those that were tried."""
    sentence: str
    """The answer."""
    more: tuple[str, ...]
    """What it rests on."""


def verdict_of(rehearsal: RehearsalValues) -> RehearsalVerdict:
    """Say whether to turn the service on."""
    best = _best(rehearsal)
    answer = _answer(rehearsal, best)
    if rehearsal.slurm is not None and answer in _SWITCHES_ON:
        answer = answer if has_soft_limits(rehearsal.slurm) else "unsafe"
    sentence = _SENTENCES[answer].format(
        unsafe=no_safe_way(rehearsal.slurm or ""),
        predictor=best.label, waits=_waits(rehearsal, best),
        why=_why_not(rehearsal, best),
    )  # fmt: skip
    return RehearsalVerdict(answer, best.label, sentence, tuple(_more(rehearsal, best)))


_SWITCHES_ON = frozenset({"yes", "about", "dry"})
_SENTENCES = {
    "unsafe": "Do not switch it on. {unsafe} In the simulation, with {predictor}, {waits}.",
    "yes": "Do it, with {predictor}, and dry first: {waits}.",
    "about": (
        "Run it dry, with {predictor}, and look further: whether jobs would wait longer or shorter "
        f"can't be told, since on such a base a change may be wrong by {ERROR_BAR:.0f} points."
    ),
    "dry": (
        "Run it dry, with {predictor}, and look further: no change can be claimed for this site, "
        "since the simulated queue is not the one that the log recorded; there {waits}."
    ),
    "little": "It would change little on this log: with {predictor}, {waits}.",
    "no": "Leave it off: {why}.",
    "unknown": "With one run each nobody can tell: {waits}. Give --shakes 10.",
}


def effect(rehearsal: RehearsalValues, label: str, figure: str) -> Effect | None:
    """Return what a predictor changes in a figure of the schedule; None without shakes."""
    shaken = rehearsal.comparison.shaken
    return None if shaken is None else shaken.effect(label, figure)


def direction(rehearsal: RehearsalValues, label: str, figure: str) -> int:
    """Say whether a figure surely falls (-1) or grows (1), with all differences in view."""
    found = effect(rehearsal, label, figure)
    return 0 if found is None else found.significant_sign


def too_short(one: RehearsedPredictor) -> bool:
    """Say whether more jobs outlive their soft walltime than a site can want."""
    return one.evaluation.measures.underestimated > MOST_UNDERESTIMATED


def _best(rehearsal: RehearsalValues) -> RehearsedPredictor:
    """Return the predictor with the best schedule, of those that are not too short if there are."""

    def rank(one: RehearsedPredictor) -> tuple[bool, int, float, float]:
        changes = [direction(rehearsal, one.label, figure) for figure in (WAIT, SLOWDOWN)]
        found = effect(rehearsal, one.label, WAIT)
        wait = found.change.value or 0.0 if found is not None and any(changes) else 0.0
        return too_short(one), sum(changes), wait, one.evaluation.measures.mae

    return min(rehearsal.by_predictor, key=rank)


def _answer(rehearsal: RehearsalValues, best: RehearsedPredictor) -> Kind:
    if rehearsal.comparison.shaken is None:
        return "unknown"
    changes = [direction(rehearsal, best.label, figure) for figure in (WAIT, SLOWDOWN)]
    if too_short(best) or max(changes) > 0:
        return "no"
    if min(changes) == 0:
        return "little"
    check = rehearsal.comparison.recorded_queue
    if check is None or not check.warns:
        return "yes"
    if check.base == "fitted":
        return "yes" if abs(_change(rehearsal, best)) >= ERROR_BAR else "about"
    return "dry"


def _change(rehearsal: RehearsalValues, best: RehearsedPredictor) -> float:
    """Return by how many points the mean wait changes."""
    found = effect(rehearsal, best.label, WAIT)
    return 0.0 if found is None else 100.0 * (found.change.value or 0.0)


def _waits(rehearsal: RehearsalValues, best: RehearsedPredictor) -> str:
    found = effect(rehearsal, best.label, WAIT)
    if found is None:
        seconds = (one.figures[WAIT] for one in (best.run, rehearsal.baseline))
        return "a job waits {} on average instead of {}".format(*map(spoken, seconds))
    old = found.baseline.value
    if old is not None and old < HARDLY:
        return f"hardly a job waits, {spoken(old)} on average without it"
    return f"the mean wait {change_from_baseline(found, rehearsal.baseline.name)}"


def _why_not(rehearsal: RehearsalValues, best: RehearsedPredictor) -> str:
    if too_short(best):
        share = percent(best.evaluation.measures.underestimated, 0)
        return (
            f"even with {best.label}, {share} of the jobs outlive their soft walltime, so that "
            "what the scheduler promises moves all the time"
        )
    worse = [
        name
        for name, figure in (("the mean wait", WAIT), ("the mean bounded slowdown", SLOWDOWN))
        if direction(rehearsal, best.label, figure) > 0
    ]
    changes = ", ".join(f"{name} grows" for name in worse)
    return f"even with {best.label}, {changes}; {_waits(rehearsal, best)}"


def _more(rehearsal: RehearsalValues, best: RehearsedPredictor) -> Iterator[str]:
    measures, users = best.evaluation.measures, best.evaluation.users
    yield (
        f"{best.label} sets a soft walltime for {best.set:,} of {measures.jobs:,} jobs. What is "
        f"planned with is off by {spoken(measures.mae)} on average, the walltimes by "
        f"{spoken(measures.walltime.mae or 0.0)}; {percent(measures.underestimated)} of the jobs "
        "outlive it."
    )
    if users.users:
        assert users.better is not None
        assert users.worse is not None
        growth = users.largest_deterioration or 0.0
        worst = f", by {spoken(growth)} at most" if growth else ""
        yield (
            f"The mean error is smaller for {percent(users.better, 0)} of {users.users:,} users, "
            f"larger for {percent(users.worse, 0)}{worst}."
        )
    worst_queue = _most_underestimated(best.evaluation.by_queue)
    if worst_queue is not None:
        yield (
            f"Most underestimated is the queue {worst_queue.name}: "
            f"{percent(worst_queue.underestimated, 0)} of {counted(worst_queue.jobs, 'job')}."
        )
    kept = [one.measures([KEPT])[KEPT] for one in (best.run, rehearsal.baseline)]
    if all(share >= 0.0 for share in kept):
        new, old = (percent(share, 0) for share in kept)
        yield (
            f"Of the starts that the scheduler promises to waiting jobs it keeps {new}, without it "
            f"{old}."
        )
    others = [one for one in rehearsal.by_predictor if one is not best]
    short = [f"{one.label} ({percent(one.evaluation.measures.underestimated, 0)})"
             for one in others if too_short(one)]  # fmt: skip
    if short:
        yield f"Too many jobs outlive their soft walltime with {', '.join(short)}."


def _most_underestimated(groups: "list[Group]") -> "Group | None":
    known = [one for one in groups if one.jobs >= FEWEST and one.underestimated is not None]
    return max(known, key=lambda one: one.underestimated or 0.0) if len(known) > 1 else None
