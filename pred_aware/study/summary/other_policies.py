"""Why another policy is not recommended although jobs wait shorter under it."""

from collections.abc import Iterator

from pred_aware.effects.effect import Effect
from pred_aware.report.durations import spoken
from pred_aware.report.interval_format import percent_change
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.studied import Studied

WAIT, LONGEST, AREA_WEIGHTED = OF_JOBS[0], OF_JOBS[3], OF_PROCESSORS[0]
PAPER_001 = "pred_aware"


def why_not_others(study: Studied) -> Iterator[str]:
    """Say why the policy of paper 001 is not what is recommended."""
    other, ours = study.policies.get(PAPER_001), study.recommended
    if not other or not ours:
        return
    shorter = _mean(other[WAIT]) < _mean(ours[WAIT])
    longest, area = _mean(other[LONGEST]), percent_change(other[AREA_WEIGHTED].change.value or 0.0)
    if not shorter and longest <= _mean(ours[LONGEST]):
        return
    begin = (
        f"Why not {PAPER_001}, under which jobs wait less on average?"
        if shorter
        else f"Why not {PAPER_001}?"
    )
    yield (
        f"{begin} It puts no bound on any wait: large and long jobs are passed over for as long as "
        f"shorter ones come. Its longest wait is {spoken(longest)} ({study.candidate.name}: "
        f"{spoken(_mean(ours[LONGEST]))}, EASY: {spoken(_mean_of_baseline(ours[LONGEST]))}), and "
        f"its wait weighted by work {area} against EASY ({study.candidate.name}: "
        f"{percent_change(ours[AREA_WEIGHTED].change.value or 0.0)})."
    )


def _mean(one: Effect) -> float:
    return one.value.value or 0.0


def _mean_of_baseline(one: Effect) -> float:
    return one.baseline.value or 0.0
