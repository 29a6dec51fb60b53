"""The answer to the question whether to use the service, with reasons."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pred_aware.effects.effect import Effect
from pred_aware.effects.words import change_from_baseline
from pred_aware.recorded_queue.trust import ERROR_BAR, HARDLY
from pred_aware.rehearsal.rehearsal_values import RehearsalValues, RehearsedPredictor
from pred_aware.report.durations import timespan
from pred_aware.report.plural import counted
from pred_aware.report.table import percent
from pred_aware.site_configuration.reading import has_soft_limits, no_safe_way

if TYPE_CHECKING:
    from pred_aware.prediction.groups import Group

MOST_UNDERESTIMATED = 0.3
"""Largest share of jobs that may run longer than their soft walltime.

Chlumský and Klusáček (paper 003) removed two predictors from production, because this share was
over 40 % and nearly 31 %. They kept the predictor with less than 12 %.
"""

WAIT, SLOWDOWN, KEPT = "mean_waiting_time", "mean_bounded_slowdown", "promises_kept"

FEWEST = 30
"""The answer mentions only queues with at least this number of jobs."""

Kind = Literal["yes", "about", "dry", "little", "no", "unknown", "unsafe"]


@dataclass(frozen=True, slots=True)
class RehearsalVerdict:
    """The answer to the question whether to use the service."""

    answer: Kind
    """``yes``; ``about``: the schedule improves, but by less than the error bar; ``dry``: the
    schedule improves, but the simulated queue differs from the recorded one, so no change can be
    claimed for this site; ``little``: no significant change; ``no``: the schedule becomes worse, or
    too many jobs run longer than their soft walltime; ``unknown``: without perturbed copies there
    is no answer; ``unsafe``: the schedule may improve, but this version of Slurm cuts jobs short.
    """
    predictor: str
    """The best of the tried predictors; the sentence describes its effect."""
    sentence: str
    """The answer."""
    more: tuple[str, ...]
    """The reasons."""


def verdict_of(rehearsal: RehearsalValues) -> RehearsalVerdict:
    """Return the answer whether to use the service."""
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
    "unsafe": "Do not use soft walltimes. {unsafe} In the simulation, with {predictor}, {waits}.",
    "yes": "Use soft walltimes with {predictor}, first as a dry run: {waits}.",
    "about": (
        "Use a dry run, with {predictor}: whether jobs would wait longer or shorter "
        f"is unknown, because a simulated change may be wrong by {ERROR_BAR:.0f} percentage points."
    ),
    "dry": (
        "Use a dry run, with {predictor}: no change can be claimed for this site, "
        "because the simulated queue differs from the recorded one; in the simulation {waits}."
    ),
    "little": "Soft walltimes would change little on this log: with {predictor}, {waits}.",
    "no": "Do not use soft walltimes: {why}.",
    "unknown": "Without perturbed copies there is no answer: {waits}. Give --shakes 10.",
}


def effect(rehearsal: RehearsalValues, label: str, figure: str) -> Effect | None:
    """Return a predictor's effect on a measure of the schedule; None without perturbed copies."""
    shaken = rehearsal.comparison.shaken
    return None if shaken is None else shaken.effect(label, figure)


def direction(rehearsal: RehearsalValues, label: str, figure: str) -> int:
    """Return -1 if a measure falls significantly, 1 if it grows (Holm's correction), else 0."""
    found = effect(rehearsal, label, figure)
    return 0 if found is None else found.significant_sign


def too_short(rehearsed: RehearsedPredictor) -> bool:
    """Return True if too many jobs run longer than their soft walltime."""
    return rehearsed.evaluation.measures.underestimated > MOST_UNDERESTIMATED


def _best(rehearsal: RehearsalValues) -> RehearsedPredictor:
    """Return the predictor with the best schedule, preferably without too many short estimates."""

    def rank(rehearsed: RehearsedPredictor) -> tuple[bool, int, float, float]:
        changes = [direction(rehearsal, rehearsed.label, figure) for figure in (WAIT, SLOWDOWN)]
        found = effect(rehearsal, rehearsed.label, WAIT)
        wait = found.change.value or 0.0 if found is not None and any(changes) else 0.0
        return too_short(rehearsed), sum(changes), wait, rehearsed.evaluation.measures.mae

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
    """Return the change of the mean wait in percentage points."""
    found = effect(rehearsal, best.label, WAIT)
    return 0.0 if found is None else 100.0 * (found.change.value or 0.0)


def _waits(rehearsal: RehearsalValues, best: RehearsedPredictor) -> str:
    found = effect(rehearsal, best.label, WAIT)
    if found is None:
        seconds = (one.figures[WAIT] for one in (best.run, rehearsal.baseline))
        return "a job waits {} on average instead of {}".format(*map(timespan, seconds))
    old = found.baseline.value
    if old is not None and old < HARDLY:
        return f"hardly any job waits: {timespan(old)} on average without soft walltimes"
    return f"the mean wait {change_from_baseline(found, rehearsal.baseline.name)}"


def _why_not(rehearsal: RehearsalValues, best: RehearsedPredictor) -> str:
    if too_short(best):
        share = percent(best.evaluation.measures.underestimated, 0)
        return (
            f"even with {best.label}, {share} of the jobs run longer than their soft walltime, so "
            "the planned starts change often"
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
        f"{best.label} sets a soft walltime for {best.set:,} of {measures.jobs:,} jobs. The "
        f"mean absolute error of the planned run times is {timespan(measures.mae)}, of the "
        f"walltimes {timespan(measures.walltime.mae or 0.0)}; "
        f"{percent(measures.underestimated)} of the jobs run longer than planned."
    )
    if users.users:
        assert users.better is not None
        assert users.worse is not None
        growth = users.largest_deterioration or 0.0
        worst = f", by at most {timespan(growth)}" if growth else ""
        yield (
            f"The mean error is smaller for {percent(users.better, 0)} of {users.users:,} users, "
            f"larger for {percent(users.worse, 0)}{worst}."
        )
    worst_queue = _most_underestimated(best.evaluation.by_queue)
    if worst_queue is not None:
        yield (
            f"The queue with the largest share of underestimated jobs is {worst_queue.name}: "
            f"{percent(worst_queue.underestimated, 0)} of {counted(worst_queue.jobs, 'job')}."
        )
    kept = [one.measures([KEPT])[KEPT] for one in (best.run, rehearsal.baseline)]
    if all(share >= 0.0 for share in kept):
        new, old = (percent(share, 0) for share in kept)
        yield (
            f"{new} of the jobs with a planned start begin no later than first planned; without "
            f"soft walltimes, {old} do."
        )
    others = [one for one in rehearsal.by_predictor if one is not best]
    short = [f"{one.label} ({percent(one.evaluation.measures.underestimated, 0)})"
             for one in others if too_short(one)]  # fmt: skip
    if short:
        yield (
            "Too many jobs run longer than their soft walltime with these predictors: "
            f"{', '.join(short)}."
        )


def _most_underestimated(groups: "list[Group]") -> "Group | None":
    known = [group for group in groups if group.jobs >= FEWEST and group.underestimated is not None]
    return max(known, key=lambda group: group.underestimated or 0.0) if len(known) > 1 else None
