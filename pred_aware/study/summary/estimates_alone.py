"""What predictions change without another order of the queue."""

from collections.abc import Iterator

from pred_aware.effects.effect import Effect
from pred_aware.report.interval_format import percent_change
from pred_aware.study.campaign import OF_JOBS
from pred_aware.study.studied import Studied

NEAREST = "easy_plus_plus"
"""Of what was simulated: EASY in the order of submission, planned with predictions."""
WAIT, LONGEST = OF_JOBS[0], OF_JOBS[3]


def order_of(study: Studied) -> str:
    """Say what becomes of the order of the queue."""
    if study.log.contenders.under:
        return (
            "That is what was simulated: the queue keeps its order, and plans with predictions. "
            "Another order is under `recommended` in the table of policies."
        )
    return (
        "That changes estimates, not the order of the queue, which is the other half of what was "
        f"simulated: `{study.candidate.name}` puts first the job that has waited longest relative "
        "to its predicted length."
    )


def estimates_alone(study: Studied) -> Iterator[str]:
    """Say what the nearest policy changes that keeps the order of the queue."""
    found = study.policies.get(NEAREST)
    if found is None:
        return
    wait, ours = found[WAIT], study.recommended[WAIT]
    less = (
        "So expect less than `recommended` gives. "
        if ours.significant_sign < 0 and _less(wait, ours)
        else ""
    )
    yield (
        f"{less}The nearest thing to it that was simulated, `{NEAREST}`, changes the mean wait by "
        f"{_told(wait)} (`{study.candidate.name}`: {_told(ours)}) and the longest wait by "
        f"{_told(found[LONGEST])}. `pred-aware service shadow` simulates PBS's own calendar with "
        "soft walltimes."
    )


def _less(one: Effect, other: Effect) -> bool:
    """Return whether the first saves less."""
    return (one.change.value or 0.0) > (other.change.value or 0.0)


def _told(one: Effect) -> str:
    """Write a change, and whether it is significant."""
    change = percent_change(one.change.value or 0.0)
    known = one.change.significant is not None
    return f"{change}, not significant" if known and not one.significant_sign else change
