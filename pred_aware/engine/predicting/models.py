"""The rows of jobs, the windows that are fitted, and trees: as `predictors.regression` has them."""

import math

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.predicting.activity import look
from pred_aware.engine.predicting.values import (
    BASE,
    EVERY,
    FITS,
    FITTED,
    FORGOTTEN,
    FRACTION,
    HISTORY,
    JOBS,
    KNOWN,
    LEARNED,
    LOG,
    MINIMUM,
    SINCE,
    TARGET,
    TREES,
    WINDOW,
    Book,
    Models,
)

_LARGEST_LOG = 709.0


@compiled
def make_row(book: Book, job: int, now: float) -> None:
    """Make the row of a job that is submitted."""
    fields, row = book.told.fields[job], book.rows[job]
    for place in range(len(fields)):
        row[place] = fields[place]
        if book.told.is_text[place] and fields[place] >= 0.0:
            code = book.codes[place, int(fields[place])]
            row[place] = code if code >= 0 else book.new[place]
    look(book, job, now)
    for column in range(len(book.places)):
        place = book.places[column]
        row[len(fields) + column] = book.activity[place[0], place[1]]


@compiled
def learn_texts(book: Book, job: int) -> None:
    """Give a code to each text of a job that is new, and put the codes into its row."""
    fields = book.told.fields[job]
    for place in range(len(fields)):
        if book.told.is_text[place] and fields[place] >= 0.0:
            text = int(fields[place])
            if book.codes[place, text] < 0:
                book.codes[place, text] = book.new[place]
                book.new[place] += 1
            book.rows[job, place] = book.codes[place, text]


@compiled
def learn(book: Book, model: int, job: int, run_time: float, now: float) -> bool:
    """Let a model learn a job that has ended; say whether there was room for it."""
    models, walltime = book.models, book.run.walltime[job]
    counts, dates = models.counts[model], models.dates[model]
    target = run_time
    if counts[TARGET] == FRACTION:
        if walltime == NEVER:
            return True
        target = run_time / walltime
    elif counts[TARGET] == LOG:
        target = math.log1p(max(run_time, 0.0))
    if counts[KNOWN] < counts[HISTORY] and now > 0.0:
        know_history(models, model)
    if counts[LEARNED] - counts[FORGOTTEN] == models.targets.shape[1]:
        _forget(models, model)
    place = counts[LEARNED] - counts[FORGOTTEN]
    if place == models.targets.shape[1]:
        return False
    for column in range(book.rows.shape[1]):
        models.rows[model, place, column] = book.rows[job, column]
    models.targets[model, place] = target
    counts[LEARNED] += 1
    if now <= 0.0:
        counts[HISTORY] = counts[LEARNED]
    if _is_due(models, model, now):
        counts[KNOWN], dates[SINCE] = counts[LEARNED], now
    return True


@compiled
def know_history(models: Models, model: int) -> None:
    """Make what ended at date 0 known."""
    counts = models.counts[model]
    if counts[HISTORY] >= counts[MINIMUM]:
        counts[KNOWN] = counts[HISTORY]
        models.dates[model, SINCE] = 0.0


@compiled
def _is_due(models: Models, model: int, now: float) -> bool:
    counts, dates = models.counts[model], models.dates[model]
    learned, known = counts[LEARNED], counts[KNOWN]
    if learned < counts[MINIMUM]:
        return False
    if known == 0:
        return True
    if counts[JOBS] == 0 and dates[EVERY] == NEVER:
        return False
    by_number = counts[JOBS] > 0 and learned >= known + counts[JOBS]
    return bool(learned >= 2 * known or now >= dates[SINCE] + dates[EVERY] or by_number)


@compiled
def _forget(models: Models, model: int) -> None:
    """Drop the jobs before the last, but not those that are still to be fitted."""
    counts = models.counts[model]
    until = counts[LEARNED]
    if counts[FITTED] != counts[KNOWN]:
        until = counts[KNOWN]
    surplus = until - counts[WINDOW] - counts[FORGOTTEN]
    if surplus <= 0:
        return
    kept = counts[LEARNED] - counts[FORGOTTEN] - surplus
    for place in range(kept):
        models.targets[model, place] = models.targets[model, place + surplus]
        for column in range(models.rows.shape[2]):
            models.rows[model, place, column] = models.rows[model, place + surplus, column]
    counts[FORGOTTEN] += surplus


@compiled
def is_fit_due(models: Models, model: int, now: float) -> bool:
    """Say whether a model is to be fitted before it is asked."""
    counts = models.counts[model]
    if counts[KNOWN] < counts[HISTORY] and now >= 0.0:
        know_history(models, model)
    return bool(counts[FITTED] != counts[KNOWN])


@compiled
def _decoded(predicted: float, target: int, walltime: float) -> float:
    """Return the run time that a number stands for."""
    if target == FRACTION:
        return predicted * walltime
    if target == LOG:
        return math.expm1(predicted) if predicted < _LARGEST_LOG else NEVER
    return predicted


@compiled
def predict(book: Book, model: int, job: int) -> float:
    """Return what trees predict for a job, in seconds; NaN where nothing is known."""
    models, walltime, row = book.models, book.run.walltime[job], book.rows[job]
    counts = models.counts[model]
    if not counts[FITS] or (counts[TARGET] == FRACTION and walltime == NEVER):
        return math.nan
    total = 0.0
    for tree in range(counts[TREES]):
        left, right = models.left[model, tree], models.right[model, tree]
        column, threshold = models.column[model, tree], models.threshold[model, tree]
        node = 0
        while left[node] >= 0:
            node = left[node] if row[column[node]] <= threshold[node] else right[node]
        total += models.value[model, tree, node]
    total += models.dates[model, BASE]
    return _decoded(total, counts[TARGET], walltime)
