"""Our predictors, asked in compiled loops while a simulation in arrays stands still."""

from collections.abc import Sequence

import numpy as np

from pred_aware.engine.job_arrays import Floats, Integers
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State
from pred_aware.engine.predicting import values
from pred_aware.engine.predicting.books import book_of, with_room
from pred_aware.engine.predicting.covering import BuiltIn, Model
from pred_aware.engine.predicting.loop import answer
from pred_aware.engine.predicting.submissions import Submissions, UnclearError
from pred_aware.engine.predicting.values import Book, How, Run
from pred_aware.engine.records import for_these
from predictors.loops import LOOPS
from predictors.regression.decision_tree import DecisionTree
from predictors.regression.flat_trees import Nodes, TreeArrays
from predictors.regression.histograms.last_classes import LastClasses
from workload_tools.batsim.reader import parse_raw
from workload_tools.batsim.workload import RawWorkload


class AskingInArrays:
    """As `pred_aware.engine.asking.Asking`, of predictors that the loops cover.

    Parameters
    ----------
    built
        The predictors.
    book
        What they begin with.
    how
        What is made of their answers.
    """

    def __init__(self, built: BuiltIn, book: Book, how: How) -> None:
        self._models = built.models
        self._book = book
        self._how = how
        self._answer = for_these(answer, book, how)
        self._classes = LastClasses()

    def answer(self, _jobs: Jobs, state: State, _schedule: Schedule) -> None:
        """Estimate the jobs of the next date of submission."""
        if not self.ask():
            state.counts[codes.FAILED], state.counts[codes.ASKS] = 1, 0

    def ask(self) -> bool:
        """Estimate these jobs; say whether that could be done."""
        found = self._answer()
        while found in (values.FIT_IS_DUE, values.NO_ROOM):
            if found == values.NO_ROOM:
                self._book = with_room(self._book)
                self._answer = for_these(answer, self._book, self._how)
            else:
                self._fit(int(self._book.counts[values.MODEL]))
            found = self._answer()
        return found != values.FAILED

    def tell(self, _state: State, _schedule: Schedule) -> None:
        """Leave what ended last: nobody asks any more."""

    def _fit(self, place: int) -> None:
        """Fit a model to the jobs that it knows."""
        model, models = self._models[place], self._book.models
        counts = models.counts[place]
        known = counts[values.KNOWN] - counts[values.FORGOTTEN]
        first = max(0, known - counts[values.WINDOW])
        # copies, since what is kept moves
        rows = models.rows[place, first:known].copy()
        targets = models.targets[place, first:known].copy()
        trees, base = self._grown(model, rows, targets)
        nodes = len(trees[0].left)
        for kept, name in (
            (models.column, "feature"),
            (models.left, "left"),
            (models.right, "right"),
            (models.threshold, "threshold"),
            (models.value, "value"),
        ):
            kept[place, : len(trees), :nodes] = [getattr(tree, name) for tree in trees]
        models.dates[place, values.BASE] = base
        counts[values.FITTED], counts[values.FITS] = counts[values.KNOWN], 1

    def _grown(
        self, model: Model, rows: Floats, targets: Floats
    ) -> tuple[Sequence[Nodes | TreeArrays], float]:
        """Fit a model; return its trees, and what is predicted without any."""
        if isinstance(model, DecisionTree):
            return [model.tree_of(rows, targets)], 0.0
        fits = LOOPS.fits
        assert fits is not None
        found = fits(
            rows,
            targets,
            last=self._classes,
            trees=model.trees,
            learning_rate=model.learning_rate,
            max_leaves=model.max_leaves,
            min_samples_leaf=model.min_samples_leaf,
        )
        return found.trees, found.base


def begin(
    built: BuiltIn,
    raw: RawWorkload,
    order: Integers,
    rules: Rules,
    jobs: Jobs,
    state: State,
    schedule: Schedule,
) -> AskingInArrays | None:
    """Return what asks predictors; ``None`` where a job's fields need a closer look."""
    run = Run(
        jobs.submit, jobs.processors, jobs.walltime, jobs.refused, schedule.start,
        state.ends_at, schedule.changes, state.counts,
        jobs.queueing, jobs.backfilling, jobs.running, jobs.walltime,
    )  # fmt: skip
    how = How(
        built.combines, built.default, rules.plans, rules.queueing, rules.backfill, rules.running
    )
    submissions = Submissions(raw, order, processors=jobs.processors, walltime=jobs.walltime)
    try:
        return AskingInArrays(built, book_of(built, submissions, run), how)
    except UnclearError:
        return None


def compile_all() -> None:
    """Compile it: ask nobody."""
    raw = parse_raw(b'{"nb_res":1,"jobs":[],"profiles":{}}', "nothing")
    none, dates = np.zeros(0, np.int64), np.zeros(0)
    counts = np.zeros(codes.COUNTS, np.int64)
    run = Run(dates, none, dates, none, dates, dates, none, counts, dates, dates, dates, dates)
    built = BuiltIn((), combines=False, default=0.0)
    submissions = Submissions(raw, none, processors=none, walltime=dates)
    how = How(False, 0.0, False, False, False, False)
    for_these(answer, book_of(built, submissions, run), how)
