"""The answer of a study in one sentence."""

from collections.abc import Mapping
from typing import Literal

from pred_aware.effects.effect import Effect
from pred_aware.recorded_queue.answer import HARDLY
from pred_aware.recorded_queue.trust import ERROR_BAR
from pred_aware.report.durations import spoken
from pred_aware.report.interval_format import duration_within, figure_within
from pred_aware.report.plural import counted
from pred_aware.study.contenders import not_understood
from pred_aware.study.machine_size import listed
from pred_aware.study.on_base import JUDGED, not_claimed, on_base, within_error
from pred_aware.study.studied import Studied
from pred_aware.study.unanswerable import Unanswerable, Unanswered, unanswerable

Measures = Mapping[str, Effect]
Kind = Literal[
    Unanswered, "no time", "size", "nobody waits", "one run", "not significant", "better", "mixed",
    "worse", "another queue", "too small",
]  # fmt: skip
WAIT, SLOWDOWN, TAIL, LONGEST = (
    "mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip


def why_not(study: Studied) -> Unanswerable | None:
    """Return why the log can't answer, if it can't."""
    return unanswerable(study.log, ran=len(study.runs[0].ran))


def kind_of(study: Studied) -> Kind:
    """Return what was found, on all sizes that the machine may have."""
    kinds = {_of_one_size(study, found) for found in (study.recommended, *study.on_other_sizes)}
    # it is one answer where all of them give it
    return kinds.pop() if len(kinds) == 1 else "size"


def _of_one_size(study: Studied, found: Measures) -> Kind:
    wait, slowdown, tail = (found[name] for name in (WAIT, SLOWDOWN, TAIL))
    if max(wait.baseline.value or 0.0, wait.value.value or 0.0) < HARDLY:
        return "nobody waits"
    if not study.rounds.shakes:
        return "one run"
    signs = [one.significant_sign for one in (wait, slowdown, tail)]
    if not any(signs[:2]):
        return "not significant"
    if max(signs) <= 0:
        return "better"
    return "worse" if signs[0] > 0 and signs[1] >= 0 else "mixed"


SMALL_PART = 0.1
"""Of the recorded mean wait: what is saved of less is hardly felt."""


def first_sentence(study: Studied, kind: Kind) -> str:
    """Return the answer in one sentence."""
    found = _found(study, kind)
    under = study.log.contenders.under
    return f"Under {under}{_not_understood(study)}, {_uncapitalised(found)}" if under else found


def _not_understood(study: Studied) -> str:
    """Say how much of the base's configuration is not in it."""
    configured = study.log.configured
    left = 0 if configured is None else len(not_understood(configured))
    return f" (without {counted(left, 'setting')} of it, below)" if left else ""


def _found(study: Studied, kind: Kind) -> str:
    limited = _limited(study, kind)
    found = _on_a_size(study, limited or _FOUND[kind](study), kind)
    if limited is None and kind == "nobody waits":
        return found
    if study.log.users == 1:
        return (
            "All jobs are of one user, so this is about that user's work and not about a site: "
            f"{_uncapitalised(found)}"
        )
    if study.log.walltimes.most_missing:
        given = study.log.walltimes.given
        same = "" if given is None else f" ({spoken(given)})"
        return (
            f"The log has no walltimes, so {study.baseline.spoken} was simulated with the same one "
            f"for all{same} and knows nothing of any job; against that, {_uncapitalised(found)}"
        )
    return found


def told_as(study: Studied, kind: Kind) -> Kind:
    """Return what is told of what was found: less, where the simulated queue is another one."""
    if _limited(study, kind) is None:
        return kind
    return "another queue" if study.base is None or study.base.verdict == "none" else "too small"


def _limited(study: Studied, kind: Kind) -> str | None:
    """Return what the base lets be told, where that is less than what was found."""
    base = study.base
    if base is None or study.check.answer not in JUDGED or kind == "size":
        return None
    wait = study.recommended[WAIT]
    # of one run more is unknown than what the base leaves open, but nothing that it forbids
    small = within_error(base, study.check.answer, wait)
    if kind == "one run" and base.verdict != "none" and not small:
        return None
    return on_base(base, wait, under=study.log.contenders.under)


def _on_a_size(study: Studied, found: str, kind: Kind) -> str:
    """Say with the answer that its machine's size is a guess, or contradicted by the log."""
    size = study.log.size
    if size.guessed:
        return (
            f"If the machine has {size.processors:,} processors, which is a guess: "
            f"{_uncapitalised(found)}"
        )
    if size.others and kind != "size":
        tried = size.others[: len(study.on_other_sizes)]
        shown = (
            f"and as well on {listed(tried)}, which it shows"
            if tried
            else "with no time for those that it shows"
        )
        return (
            f"On {size.processors:,} processors, which the log contradicts, {shown}: "
            f"{_uncapitalised(found)}"
        )
    return found


def _size(study: Studied) -> str:
    sizes = (study.log.size.processors, *study.log.size.others)
    told = [
        f"{_change(found[WAIT])} on {size:,}"
        for size, found in zip(sizes, (study.recommended, *study.on_other_sizes), strict=True)
    ]
    return (
        "It depends on the machine's size, which the log contradicts: "
        f"{_in_which_queue(study)}with predictions a job waits {', '.join(told[:-1])} and "
        f"{told[-1]} processors."
    )


def _change(wait: Effect) -> str:
    """Say how a mean wait changes, in a word or a share."""
    change = wait.change.value
    if max(wait.baseline.value or 0.0, wait.value.value or 0.0) < HARDLY:
        return "hardly at all, with or without them,"
    if change is None or (wait.change.significant is not None and not wait.significant_sign):
        return "about as long"
    return f"{100 * abs(change):.0f} % {'less' if change < 0 else 'more'}"


def no_time(study: Studied) -> str:
    """Say that there was no time for the recommended policy, and whether more would tell."""
    base = study.base
    if base is not None and base.verdict == "none" and study.check.answer in JUDGED:
        return not_claimed(
            base,
            "the time was up before the scheduler with predictions had been through the log once",
        )
    baseline = study.policies[study.baseline.name][WAIT].value.value or 0.0
    return (
        "Not known yet: the time was up before the scheduler with predictions had been through "
        f"the log once; under {study.baseline.spoken} a job waits {spoken(baseline)} on average."
    )


def _nobody_waits(study: Studied) -> str:
    baseline = study.recommended[WAIT].baseline
    mean = baseline.value or 0.0
    simulated = f"a job waits {spoken(mean) if mean >= 1.0 else 'under a second'} on average"
    real = study.check.recorded
    if real is None:
        return (
            "There is nothing to gain, if the log's submissions are when users submitted, which no "
            f"recorded wait confirms: simulated under {study.baseline.spoken}, {simulated}."
        )
    if study.check.answer == "impossible" or real.mean < HARDLY:
        return (
            f"There is nothing to gain: simulated under {study.baseline.spoken}, {simulated}, and "
            "no order of the queue can shorten that by much."
        )
    return (
        f"Prediction would not shorten these waits: simulated under {study.baseline.spoken}, "
        f"{simulated}, and in the log {spoken(real.mean)}, so jobs wait there for something else "
        "than free processors."
    )


def _one_run(study: Studied) -> str:
    wait, slowdown = (study.recommended[name] for name in (WAIT, SLOWDOWN))
    return (
        f"Not sure yet: in one run of each, {_in_which_queue(study)}with predictions "
        f"{_waits(wait)} and {_slowdowns(slowdown)}; without shakes nobody knows whether that is "
        "chance."
    )


def _not_significant(study: Studied) -> str:
    wait, slowdown = (study.recommended[name] for name in (WAIT, SLOWDOWN))
    baseline, where = duration_within(wait.baseline), _in_which_queue(study)
    if wait.same and slowdown.same:
        return (
            f"Nothing changes: {where}with predictions jobs wait just as under "
            f"{study.baseline.spoken}, {baseline} on average."
        )
    return (
        f"No significant difference: {where}with predictions {_waits(wait)} and "
        f"{_slowdowns(slowdown)}, but over {study.rounds.shakes} shakes either may be chance."
    )


def _better(study: Studied) -> str:
    wait = study.recommended[WAIT]
    recorded = study.check.recorded
    if queue_answer(study) == "shorter" and recorded is not None:
        saved = (wait.baseline.value or 0.0) - (wait.value.value or 0.0)
        if saved < SMALL_PART * recorded.mean:
            return (
                "Only a small part of these waits would be shorter: in the simulation with "
                f"predictions {_waits(wait)}, but in the log {spoken(recorded.mean)}, mostly for "
                "something else than free processors."
            )
    told = f"with predictions {_waits(wait)}"
    if wait.significant_sign >= 0:
        told = (
            "with predictions the mean wait stays what it is, and "
            f"{_slowdowns(study.recommended[SLOWDOWN])}"
        )
    return {
        "alike": f"Yes: {told}, and the simulated queue is like this site's.",
        "little": f"Yes: {told}, though hardly a job waits, here and in the log.",
        "unknown": (
            f"Yes, if this site's queue is like {_simulated_one(study)}, which the log cannot "
            f"show: {told}."
        ),
        "impossible": (
            "Worth trying, but what it would gain here is not known: in the simulation "
            f"{told}, and the waits that the log recorded can't be right."
        ),
        "fitted": f"Yes: {told}, give or take {ERROR_BAR:.0f} points: by the second half of the "
        "log the simulated queue is near enough to this site's.",
    }.get(
        queue_answer(study),
        "Worth trying, but what it would gain here is not known: in the simulation "
        f"{told}, and the simulated queue is not this site's.",
    )


def _simulated_one(study: Studied) -> str:
    return "the simulated one" if study.log.contenders.under else "EASY's"


def _mixed(study: Studied) -> str:
    wait, slowdown, tail = (study.recommended[name] for name in (WAIT, SLOWDOWN, TAIL))
    parts = [
        (_waits(wait), wait.significant_sign),
        (_slowdowns(slowdown), slowdown.significant_sign),
        (
            f"the wait that 1 % of the jobs exceed is {instead(tail, duration=True)}",
            tail.significant_sign,
        ),
    ]
    good = " and ".join(text for text, sign in parts if sign < 0)
    bad = " and ".join(text for text, sign in parts if sign > 0)
    return f"It depends on who counts: {_in_which_queue(study)}with predictions {good}, but {bad}."


def _worse(study: Studied) -> str:
    return f"No: {_in_which_queue(study)}with predictions {_waits(study.recommended[WAIT])}."


def queue_answer(study: Studied) -> str:
    """Return whether the simulated queue is the recorded one, in a word."""
    answer = study.check.answer
    base = study.base
    if base is not None and base.verdict != "none" and answer in JUDGED:
        return base.verdict
    return answer


def _in_which_queue(study: Studied) -> str:
    """Say that the queue is another than the log's, if it is."""
    return {
        "alike": "",
        "little": "",
        "unknown": "in a simulated queue that no recorded wait confirms, ",
        "impossible": "in a simulated queue that the log's impossible waits do not confirm, ",
        "fitted": "in a simulated queue that is near enough to this site's to tell changes within "
        f"{ERROR_BAR:.0f} points, ",
    }.get(queue_answer(study), "in a simulated queue that is not this site's, ")


_FOUND = {
    "size": _size, "nobody waits": _nobody_waits, "one run": _one_run,
    "not significant": _not_significant, "better": _better, "mixed": _mixed, "worse": _worse,
}  # fmt: skip


def _waits(one: Effect) -> str:
    return f"a job waits on average {instead(one, duration=True)}"


def _slowdowns(one: Effect) -> str:
    return f"the mean bounded slowdown is {instead(one, duration=False)}"


def instead(one: Effect, *, duration: bool) -> str:
    """Write a time or a number under the policy and under the baseline, and the change."""
    write = duration_within if duration else figure_within
    new, old, change = write(one.value), write(one.baseline), one.change.value
    if new == old:
        return f"{new} in both (about the same)"
    if change is None:
        return f"{new} instead of {old}"
    return f"{new} instead of {old} ({100 * abs(change):.0f} % {'less' if change < 0 else 'more'})"


def _uncapitalised(text: str) -> str:
    return text[0].lower() + text[1:]
