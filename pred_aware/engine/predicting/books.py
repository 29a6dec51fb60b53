"""The arrays with which our predictors begin, where the compiled loops cover them."""

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

from pred_aware.engine.asked_of_site import told_apart
from pred_aware.engine.job_arrays import Floats, Integers
from pred_aware.engine.predicting import values
from pred_aware.engine.predicting.covering import BuiltIn, Model, nodes_of, trees_of, window_of
from pred_aware.engine.predicting.nearest import KNN_NUMBERS
from pred_aware.engine.predicting.submissions import Submissions, UnclearError
from pred_aware.engine.predicting.values import Book, Groups, Models, Run, Told
from predictors.regression.activity import ACTIVITY, LATELY, SIMILAR
from predictors.regression.calendar import CALENDAR, CalendarFeatures
from predictors.regression.encoding import TEXTS
from predictors.regression.rows import FIELDS
from predictors.rules.knn import Knn
from predictors.rules.nearest import Points

_ROWS = 16
"""So many jobs may wait or run at first; then there is room for twice as many."""
_SPARE = 1000
"""Beyond two windows: so many jobs may end at least before a fit that is due is made."""
_TARGETS: Final = {"seconds": values.SECONDS, "log": values.LOG, "fraction": values.FRACTION}
_MEANS: Final = {
    f"mean_{name}": name for name in ("processors", "walltime", "memory", "nodes", "gpus")
}


def book_of(built: BuiltIn, submissions: Submissions, run: Run) -> Book:
    """Return all that is kept while a policy is simulated.

    Raises
    ------
    UnclearError
        Jobs have what only one by one can be understood, or more texts than are remembered.
    """
    number = len(run.submit)
    features = built.models[0].row_features if built.models else ()
    fields = [name for name in features if name in FIELDS or name in CALENDAR]
    inputs = [_input(built, submissions, run, name) for name in fields]
    is_text = np.array([name in TEXTS for name in fields], np.int64)
    texts = (
        max((int(one.max(initial=-1.0)) for one in itertools.compress(inputs, is_text)), default=-1)
        + 1
    )
    if any(texts > 2 * window_of(model) for model in built.models):
        raise UnclearError
    told_of_groups = [_place(name) for name in features if name not in fields]
    means = sorted({place for _, place in told_of_groups if ACTIVITY[place] in _MEANS})
    requested = [submissions.inputs(_MEANS[ACTIVITY[place]]) for place in means]
    groups, number_of_groups = _groups(submissions, run, kinds=_kinds(told_of_groups))
    counts = _integers(values.COUNTS)
    counts[values.UNUSED] = _ROWS
    return Book(
        run=run,
        told=Told(
            fields=_table(inputs, number),
            is_text=is_text,
            requested=_table(requested, number),
            groups=groups,
            points=_table([submissions.numbers(name) for name in _axes(built)], number),
        ),
        groups=Groups(
            ended=np.zeros((number_of_groups, LATELY)),
            asked=np.zeros((number_of_groups, len(means), LATELY)),
            means=np.full((number_of_groups, len(means)), -1.0),
            dates=np.zeros((number_of_groups, values.GROUP_DATES)),
            counts=_integers(number_of_groups, values.GROUP_COUNTS),
            before=_integers(number, 2),
            after=_integers(number, 2),
        ),
        models=_models(built.models, number, columns=len(features)),
        points=_points(built.knn, number),
        codes=np.full((len(fields), texts), -1),
        new=_integers(len(fields)),
        places=np.array(told_of_groups, np.int64).reshape(-1, 2),
        means=np.array(means, np.int64),
        rows=np.empty((_ROWS, len(features))),
        row_of=_integers(number),
        unused=np.arange(_ROWS),
        activity=np.zeros((_kinds(told_of_groups), len(ACTIVITY))),
        asked=np.array(_asked(built), np.int64),
        known_users=_integers(number_of_groups),
        knn=_numbers(built.knn),
        counts=counts,
    )  # fmt: skip


def with_room(book: Book) -> Book:
    """Return the same with twice as many rows, where each is used."""
    number = len(book.rows)
    rows = np.concatenate([book.rows, np.empty_like(book.rows)])
    unused = np.append(np.arange(number, 2 * number), book.unused)
    book.counts[values.UNUSED] = number
    return book._replace(rows=rows, unused=unused)


def _table(columns: list[Floats], jobs: int) -> Floats:
    return np.column_stack(columns) if columns else np.zeros((jobs, 0))


def _integers(*shape: int) -> Integers:
    return np.zeros(shape, np.int64)


def _input(built: BuiltIn, submissions: Submissions, run: Run, name: str) -> Floats:
    """Return a feature that is no activity."""
    if name in FIELDS:
        return submissions.inputs(name)
    tell = getattr(CalendarFeatures(epoch=built.models[0].epoch), name)
    return np.array([tell(date) for date in run.submit.tolist()], np.float64)


def _place(name: str) -> tuple[int, int]:
    """Return of which groups an activity tells, and its place among their numbers."""
    return (int(name in SIMILAR), ACTIVITY.index(name.removeprefix("similar_")))


def _kinds(told: Sequence[tuple[int, int]]) -> int:
    """Return of how many kinds of groups is told: of users alone, or of their similar jobs, too."""
    return max((kind + 1 for kind, _ in told), default=0)


def _groups(submissions: Submissions, run: Run, *, kinds: int) -> tuple[Integers, int]:
    """Return the groups of each job, and how many there are."""
    users = submissions.texts("user")
    owners = int(users.max(initial=-1)) + 1
    alike = told_apart([users, run.processors, run.walltime])[1] if kinds > 1 else users
    groups = np.column_stack([users, np.where(users < 0, -1, owners + alike)])
    return groups, int(groups.max(initial=-1)) + 1


def _asked(built: BuiltIn) -> list[int]:
    places = itertools.count()
    return [values.KNN if isinstance(one, Knn) else next(places) for one in built.asked]


def _models(models: Sequence[Model], jobs: int, *, columns: int) -> Models:
    trees = max(map(trees_of, models), default=0)
    fitted = {model: min(window_of(model), jobs) for model in models}
    nodes = max((nodes_of(model, jobs=fitted[model]) for model in models), default=0)
    kept = max((min(2 * window_of(model) + _SPARE, jobs) for model in models), default=0)
    counts = _integers(len(models), values.MODEL_COUNTS)
    dates = np.zeros((len(models), values.MODEL_DATES))
    for model, count, date in zip(models, counts, dates, strict=True):
        count[values.TARGET] = _TARGETS[model.target]
        count[values.WINDOW] = window_of(model)
        count[values.MINIMUM] = model.min_jobs
        count[values.JOBS] = model.refit_jobs or 0
        count[values.TREES] = trees_of(model)
        date[values.SINCE] = -np.inf
        date[values.EVERY] = np.inf if model.refit_every is None else model.refit_every
    shape = (len(models), trees, nodes)
    return Models(
        rows=np.empty((len(models), kept, columns)),
        targets=np.empty((len(models), kept)),
        counts=counts,
        dates=dates,
        column=_integers(*shape),
        left=np.full(shape, -1),
        right=_integers(*shape),
        threshold=np.zeros(shape),
        value=np.zeros(shape),
    )


def _axes(built: BuiltIn) -> Sequence[str]:
    return () if built.knn is None else built.knn.features


def _points(knn: Knn | None, jobs: int) -> Points:
    size = 1 if knn is None else min(knn.window, max(jobs, 1))
    axes = 0 if knn is None else len(knn.features)
    return Points(
        coordinates=np.zeros((axes, size)),
        owners=_integers(size),
        values=np.zeros(size),
        ranges=np.array([[np.inf] * axes, [-np.inf] * axes]),
        asked=np.zeros(axes),
        squared=np.zeros(size),
        found=np.zeros((2, 1 if knn is None else min(knn.k, size))),
    )


def _numbers(knn: Knn | None) -> Floats:
    numbers = np.zeros(KNN_NUMBERS)
    if knn is not None:
        numbers[:] = knn.alpha, knn.beta, *knn.limits
    return numbers
