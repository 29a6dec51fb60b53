"""What predictions change without another order of the queue."""

from collections.abc import Iterator

from pred_aware.report.interval_format import percent_change
from pred_aware.study.campaign import OF_JOBS
from pred_aware.study.studied import Studied

NEAREST = "easy_plus_plus"
"""Of what was simulated: EASY in the order of submission, planned with predictions."""
WAIT = OF_JOBS[0]


def order_of(study: Studied) -> str:
    """Say what becomes of the order of the queue."""
    if study.log.contenders.under:
        return (
            "That is what was simulated: the queue keeps its order, and plans with predictions. "
            "Another order is under `recommended` in the table of policies."
        )
    return (
        "That changes estimates, not the order of the queue, which is the other half of what was "
        f"simulated: `{study.candidate.name}` puts first who has waited longest for the length of "
        "the job."
    )


def estimates_alone(study: Studied) -> Iterator[str]:
    """Say what the nearest policy changes that keeps the order of the queue."""
    found = study.policies.get(NEAREST)
    if found is None:
        return
    wait = found[WAIT]
    change = percent_change(wait.change.value or 0.0)
    if wait.change.significant is not None and not wait.surely:
        change = f"{change}, not significant"
    whole = percent_change(study.recommended[WAIT].change.value or 0.0)
    yield (
        "So expect less than the figures above. The nearest to it that was simulated, "
        f"`{NEAREST}`, changes the mean wait by {change} (`{study.candidate.name}`: {whole}). "
        "`pred-aware shadow` simulates PBS's own calendar with soft walltimes."
    )
