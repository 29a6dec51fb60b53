"""A user's recent jobs, as `predictors.regression.activity.Activity` tells of them."""

from typing import Final

from pred_aware.engine.compiled import compiled
from pred_aware.engine.predicting.values import (
    ASKED,
    ENDED,
    FIRST,
    LAST,
    LAST_ASKED,
    LAST_END,
    MEAN_RUN_TIME,
    PROCESSORS,
    RUNNING,
    SEEN,
    SUM_OF_STARTS,
    WAITING,
    Book,
    Floats,
)
from predictors.regression.activity import ACTIVITY, LATELY
from predictors.regression.encoding import MISSING as UNKNOWN

_RUN_TIME: Final = ACTIVITY.index("last_run_time_1")
_MEAN: Final = ACTIVITY.index("mean_run_time")
_SINCE_END: Final = ACTIVITY.index("since_last_end")
_SINCE_ASKED: Final = ACTIVITY.index("since_last_submission")
_RUNNING: Final = ACTIVITY.index("running_jobs")
_PROCESSORS: Final = ACTIVITY.index("running_processors")
_LONGEST: Final = ACTIVITY.index("longest_running")
_SUM: Final = ACTIVITY.index("sum_running")
_WAITING: Final = ACTIVITY.index("waiting_jobs")
_THREE: Final = 3


@compiled
def look(book: Book, job: int, now: float) -> None:
    """Find the numbers of a job's groups."""
    groups = book.groups
    for kind in range(len(book.activity)):
        numbers = book.activity[kind]
        for place in range(len(numbers)):
            numbers[place] = UNKNOWN
        group = book.told.groups[job, kind]
        if group < 0:
            continue
        counts, dates = groups.counts[group], groups.dates[group]
        number = counts[ENDED]
        for place in range(min(number, _THREE)):
            numbers[_RUN_TIME + place] = groups.ended[group, number - 1 - place]
        if number:
            numbers[_MEAN] = dates[MEAN_RUN_TIME]
            numbers[_SINCE_END] = now - dates[LAST_END]
        if counts[ASKED]:
            for mean in range(len(book.means)):
                numbers[book.means[mean]] = groups.means[group, mean]
            numbers[_SINCE_ASKED] = now - dates[LAST_ASKED]
        # before the first submission nobody knows whether starts are told
        if not book.counts[SEEN]:
            continue
        running = counts[RUNNING]
        numbers[_RUNNING] = running
        numbers[_PROCESSORS] = numbers[_LONGEST] = numbers[_SUM] = 0.0
        numbers[_WAITING] = counts[WAITING]
        if running:
            numbers[_PROCESSORS] = counts[PROCESSORS]
            numbers[_LONGEST] = now - book.run.start[counts[FIRST]]
            numbers[_SUM] = running * now - dates[SUM_OF_STARTS]


@compiled
def _note(last: Floats, number: int, value: float) -> None:
    """Put a value behind the last few, of which there are so many; the oldest goes."""
    if number == LATELY:
        for place in range(LATELY - 1):
            last[place] = last[place + 1]
        number -= 1
    last[number] = value


@compiled
def note_submission(book: Book, job: int, now: float) -> None:
    """Count a job among the waiting ones."""
    groups = book.groups
    for kind in range(len(book.activity)):
        group = book.told.groups[job, kind]
        if group < 0:
            continue
        counts = groups.counts[group]
        counts[WAITING] += 1
        for mean in range(len(book.means)):
            last = groups.asked[group, mean]
            _note(last, counts[ASKED], book.told.requested[job, mean])
            groups.means[group, mean] = _mean(last, min(counts[ASKED] + 1, LATELY))
        counts[ASKED] = min(counts[ASKED] + 1, LATELY)
        groups.dates[group, LAST_ASKED] = now
    book.counts[SEEN] = 1


@compiled
def _mean(last: Floats, number: int) -> float:
    """Return the mean of those that are known."""
    total, known = 0.0, 0
    for place in range(number):
        if last[place] != UNKNOWN:
            total += last[place]
            known += 1
    return total / known if known else UNKNOWN


@compiled
def note_start(book: Book, job: int, now: float) -> None:
    """Count a job among the running ones."""
    groups = book.groups
    for kind in range(len(book.activity)):
        group = book.told.groups[job, kind]
        if group < 0:
            continue
        counts = groups.counts[group]
        counts[WAITING] -= 1
        before = counts[LAST] if counts[RUNNING] else -1
        groups.before[job, kind], groups.after[job, kind] = before, -1
        if before < 0:
            counts[FIRST] = job
        else:
            groups.after[before, kind] = job
        counts[LAST] = job
        counts[RUNNING] += 1
        counts[PROCESSORS] += book.run.processors[job]
        groups.dates[group, SUM_OF_STARTS] += now


@compiled
def note_withdrawal(book: Book, job: int) -> None:
    """Count a waiting job no longer."""
    for kind in range(len(book.activity)):
        group = book.told.groups[job, kind]
        if group >= 0:
            book.groups.counts[group, WAITING] -= 1


@compiled
def note_end(book: Book, job: int, run_time: float, now: float) -> None:
    """Count a running job among those that have ended."""
    groups = book.groups
    for kind in range(len(book.activity)):
        group = book.told.groups[job, kind]
        if group < 0:
            continue
        counts, dates, last = groups.counts[group], groups.dates[group], groups.ended[group]
        before, after = groups.before[job, kind], groups.after[job, kind]
        if before < 0:
            counts[FIRST] = after
        else:
            groups.after[before, kind] = after
        if after < 0:
            counts[LAST] = before
        else:
            groups.before[after, kind] = before
        counts[RUNNING] -= 1
        counts[PROCESSORS] -= book.run.processors[job]
        # as there: a sum begins anew when it can
        left = dates[SUM_OF_STARTS] - book.run.start[job]
        dates[SUM_OF_STARTS] = left if counts[RUNNING] else 0.0
        _note(last, counts[ENDED], run_time)
        counts[ENDED] = min(counts[ENDED] + 1, LATELY)
        total = 0.0
        for place in range(counts[ENDED]):
            total += last[place]
        dates[MEAN_RUN_TIME] = total / counts[ENDED]
        dates[LAST_END] = now
