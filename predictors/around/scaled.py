"""Multiply another predictor's predictions by a factor."""

from dataclasses import dataclass

from predictors.around.nested import Around
from predictors.checks import require_number
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Scaled(Around):
    """Multiplies another predictor's predictions by a factor.

    If the other predictor has no prediction, there is none.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = Scaled(predictor="pbs_v1", factor=1.5)
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    150.0
    """

    factor: float = 2.0
    """The factor of its answers, above 0."""

    def __post_init__(self) -> None:
        """Make the other predictor and check the options."""
        super().__post_init__()
        self.factor = require_number("factor", self.factor, open_ends=True)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the other's prediction times the factor in seconds, or ``None``."""
        prediction = self._predictor.predict(submission, now)
        return None if prediction is None else prediction * self.factor
