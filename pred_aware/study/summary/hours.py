"""Hours of waiting and of processors that a result stands for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pred_aware.effects.effect import Effect
from pred_aware.report.durations import DAY, HOUR, spoken
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.on_base import JUDGED, within_error
from pred_aware.study.studied import Studied

if TYPE_CHECKING:
    import pandas as pd

MONTH = 365.25 / 12 * DAY
WAIT, UTILISATION = OF_JOBS[0], OF_PROCESSORS[1]
NOT_TOLD = "No hours are given: nothing shows that the simulated queue is this site's."
_HUNDRED = 100.0


def of_the_site(study: Studied) -> bool:
    """Return whether hours of the simulation may be taken for hours of the site."""
    none = study.base is not None and study.base.verdict == "none"
    return not (none and study.check.answer in JUDGED) and study.check.answer != "impossible"


def hours(study: Studied) -> Iterator[str]:
    """Say how many hours of waiting are saved or lost, and what becomes of node-hours."""
    wait = study.recommended[WAIT]
    if not of_the_site(study):
        yield NOT_TOLD
    elif wait.change.significant is not None and not wait.significant_sign:
        yield (
            "No hours can be told: the difference of the mean wait is not significant "
            f"({_between(wait, 1.0, 'a job')}{_in_view(wait)})."
        )
    else:
        yield _saved(study, wait)
        if within_error(study.base, study.check.answer, wait):
            yield "That is less than the error of the simulated queue, so here it may be none."
    yield _node_hours(study)


def _in_view(wait: Effect) -> str:
    """Say why an interval that leaves out 0 makes nothing significant."""
    return ", but not with all differences in view" if wait.change.significant else ""


def _saved(study: Studied, wait: Effect) -> str:
    """Say what is saved a job, and by all of them in a month."""
    jobs = len(study.runs[0].ran)
    columns = study.log.inspection.columns
    months = max(columns.last - columns.first, DAY) / MONTH
    old, new = wait.baseline.value or 0.0, wait.value.value or 0.0
    word = "less" if new < old else "more"
    monthly = abs(new - old) * jobs / HOUR
    over, what = (months, "a month") if months > 1.0 else (1.0, "over the whole log")
    told = f"Jobs wait {_rounded(monthly / over)} h {word} {what}, {spoken(abs(new - old))} a job"
    if wait.change.low is None:
        return f"{told} (one run of each)."
    between = _between(wait, jobs / HOUR / over, f"h {word} {what}")
    return f"{told} (95 % interval: {between})."


def _between(wait: Effect, each: float, what: str) -> str:
    """Write the ends of the interval of a change of the mean wait, times so many."""
    baseline, change = wait.baseline.value or 0.0, wait.change
    if change.low is None or change.high is None:
        return "no interval"
    low, high = (end * baseline * each for end in (change.low, change.high))
    if each == 1.0:
        return f"from {_signed(low)} to {_signed(high)} {what}"
    small, large = sorted(abs(end) for end in (low, high))
    return f"{_rounded(small)} to {_rounded(large)} {what}"


def _signed(seconds: float) -> str:
    return f"{spoken(abs(seconds))} {'less' if seconds < 0.0 else 'more'}"


def _rounded(number: float) -> str:
    """Write a number with three digits at most."""
    if number < _HUNDRED:
        return f"{number:.3g}"
    return f"{float(f'{number:.3g}'):,.0f}"


def _node_hours(study: Studied) -> str:
    """Say what becomes of the machine's own hours, and how many of them jobs wait for."""
    used = study.recommended[UTILISATION]
    old, new = (_HUNDRED * (one.value or 0.0) for one in (used.baseline, used.value))
    stays = f"{old:.1f} %" if round(old, 1) == round(new, 1) else f"{new:.1f} % ({old:.1f} % today)"
    told = (
        "Node-hours are neither gained nor lost: the same jobs run for as long, and utilisation is "
        f"{stays}."
    )
    if len(study.runs) < 2 or not of_the_site(study):  # noqa: PLR2004 - both
        return told
    waiting = [_waited_for(run.ran) for run in study.runs]
    word = "less" if waiting[1] < waiting[0] else "more"
    share = abs(waiting[1] - waiting[0]) / waiting[0] if waiting[0] else 0.0
    change = f"{_HUNDRED * share:.0f} % {word}" if round(_HUNDRED * share) else "as much"
    old_hours, new_hours = map(_rounded, waiting)
    hours = (
        f"{new_hours} instead of {old_hours}" if new_hours != old_hours else f"{old_hours} in both"
    )
    return (
        f"{told} Counted in processor-hours (processors x wait) jobs wait {change}: {hours} (one "
        "run of each, on the log as it is)."
    )


def _waited_for(jobs: "pd.DataFrame") -> float:
    """Return the processor-hours that jobs waited for."""
    waits = jobs["waiting_time"].to_numpy()
    return float((waits * jobs["requested_number_of_resources"].to_numpy()).sum()) / HOUR
