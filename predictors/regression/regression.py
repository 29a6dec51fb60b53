"""A predictor made of features, target, window, schedule and model."""

from collections.abc import Sequence

from predictors.checks import require_run_time
from predictors.regression.model import Fitted, Model
from predictors.regression.rows import Rows
from predictors.regression.schedule import Schedule
from predictors.regression.target import make_target
from predictors.regression.window import Table, Window
from predictors.submission import Submission


class Regression:
    """Predicts with a model that is fitted to past jobs, again and again as jobs end.

    The named regressions (`DecisionTree`, `RandomForest`, ...) are this with a model. A fit is made
    by the first prediction that needs it; what it knows is `Window`'s to say.

    Parameters
    ----------
    model
        What is fitted.
    features
        What the model sees of a job; see `Rows`.
    target
        ``seconds``, ``log`` or ``fraction`` (of the walltime); see `make_target`.
    window
        How many of the jobs that ended last are fitted; ``None`` for all of them.
    schedule
        When it is fitted again.
    epoch
        What date 0 is for the features ``hour`` and ``weekday``, in seconds; see `Clock`.

    Raises
    ------
    OptionError
        An option with a value that it can't have.
    """

    def __init__(
        self,
        model: Model,
        *,
        features: Sequence[str],
        target: str,
        window: int | None,
        schedule: Schedule,
        epoch: float,
    ) -> None:
        self._model = model
        self._window = Window(size=window, schedule=schedule)
        self._rows = Rows(features, epoch=epoch, texts=window)
        self._target = make_target(target)
        self._fitted: Fitted | None = None

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds, ``None`` before the first fit."""
        due = self._window.take_due(now=now)
        if due is not None:
            self._fit(due)
        if self._fitted is None:
            return None
        predicted = self._fitted.predict(self._rows.row(submission, now))
        return self._target.decode(predicted, submission)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job for the next fit.

        Raises
        ------
        PredictorError
            The run time is no finite number of seconds, or negative.
        """
        require_run_time(submission, run_time)
        row = self._rows.ended(submission, run_time, now)
        target = self._target.encode(run_time, submission)
        if target is not None:
            self._window.learn(row, target, now=now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Take note of a submission, where features tell of the user's other jobs."""
        self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Take note of a start."""
        self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Take note that a job will not run."""
        self._rows.withdrawn(submission, now)

    def _fit(self, table: Table) -> None:
        import numpy as np

        targets = np.frombuffer(table.targets)
        rows = np.frombuffer(table.rows).reshape(len(targets), -1)
        self._fitted = self._model.fit(rows, targets)
