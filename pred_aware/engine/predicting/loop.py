"""Telling our predictors of what has started and ended, and asking them, in one call for a date."""

import math

from pred_aware.engine.compiled import called_by_python, compiled
from pred_aware.engine.kernel.codes import ASKS, CHANGES, ESTIMATED, FITS, NEVER, SUBMITTED
from pred_aware.engine.predicting.activity import (
    note_end,
    note_start,
    note_submission,
    note_withdrawal,
)
from pred_aware.engine.predicting.models import (
    give_row_back,
    is_fit_due,
    learn,
    learn_texts,
    make_row,
    predict,
    take_row,
)
from pred_aware.engine.predicting.nearest import add, predict_by_nearest
from pred_aware.engine.predicting.sources import CODE
from pred_aware.engine.predicting.values import (
    DONE,
    FAILED,
    FIT_IS_DUE,
    KNN,
    MODEL,
    NEXT,
    NO_ROOM,
    TOLD,
    UNUSED,
    Book,
    How,
)


@compiled
def _tell(book: Book) -> bool:
    """Tell what has started and ended since the last time; say whether there was room for it."""
    run, counts = book.run, book.counts
    while counts[TOLD] < run.counts[CHANGES]:
        change = run.changes[counts[TOLD]]
        counts[TOLD] += 1
        if change >= 0:
            note_start(book, change, run.start[change])
            continue
        job = ~change
        now = run.ends_at[job]
        run_time = min(now - run.start[job], run.longest[job])
        learn_texts(book, job)
        note_end(book, job, run_time, now)
        for place in range(len(book.asked)):
            if book.asked[place] == KNN:
                add(book, job, run_time)
            elif not learn(book, book.asked[place], job, run_time, now):
                return False
        give_row_back(book, job)
    return True


@compiled
def _clamp(prediction: float, walltime: float, default: float) -> float:
    """Return the estimate of a prediction, as `predictors.estimate.clamp` does; NaN: refused."""
    if math.isnan(prediction):
        return walltime if walltime < NEVER else default
    if prediction > walltime:
        return walltime
    if not abs(prediction) < NEVER:
        return math.nan
    return prediction if prediction >= 1.0 else min(1.0, walltime)


@compiled
def _estimate(book: Book, how: How, job: int, now: float) -> float:
    """Return the estimate of a job in seconds; NaN where an answer is no number of seconds."""
    make_row(book, job, now)
    walltime = book.run.walltime[job]
    total, known = 0.0, 0
    for place in range(len(book.asked)):
        model = book.asked[place]
        prediction = predict_by_nearest(book, job) if model == KNN else predict(book, model, job)
        if not how.combines:
            return _clamp(prediction, walltime, how.default)
        if not math.isnan(prediction):
            # above 0, since a walltime is
            total += math.log(_clamp(prediction, walltime, how.default))
            known += 1
    if math.isnan(total):
        return total
    mean = math.exp(total / known) if known else math.nan
    return _clamp(mean, walltime, how.default)


@called_by_python(CODE)
def answer(book: Book, how: How) -> int:
    """Tell what has become of jobs, and estimate those of the next date of submission.

    It is called anew when the fit that was due, or room for more rows, is made.
    """
    run, counts = book.run, book.counts
    if not _tell(book):
        return FAILED
    first = run.counts[SUBMITTED]
    job = max(first, counts[NEXT])
    while job < len(run.submit) and run.submit[job] == run.submit[first]:
        now = run.submit[job]
        if run.refused[job] == FITS:
            for place in range(len(book.asked)):
                model = book.asked[place]
                if model != KNN and is_fit_due(book.models, model, now):
                    counts[NEXT], counts[MODEL] = job, model
                    return FIT_IS_DUE
            if not counts[UNUSED]:
                counts[NEXT] = job
                return NO_ROOM
            take_row(book, job)
            estimate = _estimate(book, how, job, now)
            if math.isnan(estimate):
                return FAILED
            if how.queueing:
                run.queueing[job] = estimate
            if how.backfilling:
                run.backfilling[job] = estimate
            if how.running:
                run.running[job] = estimate
            note_submission(book, job, now)
            if how.plans and (run.running[job] == NEVER or run.backfilling[job] == NEVER):
                note_withdrawal(book, job)
                give_row_back(book, job)
        job += 1
    counts[NEXT] = job
    run.counts[ESTIMATED], run.counts[ASKS] = job, 0
    return DONE
