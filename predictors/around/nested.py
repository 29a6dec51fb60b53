"""Predictors inside another predictor, and their estimates at submission."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from predictors.errors import OptionError
from predictors.estimate import clamp
from predictors.predictor import Predictor, validity
from predictors.registry import PREDICTORS
from predictors.submission import Submission

Spec: TypeAlias = str | Mapping[str, Any] | Predictor
"""A predictor's name (or class), an object with its name and options, or a predictor."""


class Nested:
    """The base class of predictors that contain others; it passes all events to the inner ones.

    Examples
    --------
    >>> nested = Nested()
    >>> [last_two, released] = nested.surround(
    ...     ["last_two", {"name": "pbs_released", "valid_for": 600}]
    ... )
    >>> nested.valid_for
    600.0
    """

    valid_for: float
    """The time in seconds for which the predictions of all inner predictors are valid."""

    def surround(self, specs: Sequence[Spec]) -> tuple[Predictor, ...]:
        """Make and return the inner predictors.

        Raises
        ------
        UnknownNameError, OptionError
            A predictor or an option is unknown, or an object is not a predictor.
        """
        self._inside = tuple(_make_predictor(spec) for spec in specs)
        self.valid_for = min(validity(predictor) for predictor in self._inside)
        self._informed: dict[str, list[Any]] = {
            hook: [predictor for predictor in self._inside if hasattr(predictor, hook)]
            for hook in ("submitted", "started", "withdrawn")
        }
        return self._inside

    def estimates(self, submission: Submission, now: float) -> list[float]:
        """Return the known estimates of the inner predictors, from 1 s to the walltime."""
        answers = [predictor.predict(submission, now) for predictor in self._inside]
        return [clamp(answer, submission) for answer in answers if answer is not None]

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Let all inner predictors learn from an ended job; see `Predictor`."""
        for predictor in self._inside:
            predictor.learn(submission, run_time, now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Report to the inner predictors that a job was submitted."""
        for predictor in self._informed["submitted"]:
            predictor.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Report to the inner predictors that a job starts."""
        for predictor in self._informed["started"]:
            predictor.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Report to the inner predictors that a job was rejected, or was deleted before it ran."""
        for predictor in self._informed["withdrawn"]:
            predictor.withdrawn(submission, now)


@dataclass(kw_only=True, eq=False)
class Around(Nested):
    """The base class of predictors that change the predictions of one other predictor."""

    predictor: Spec = "last_two"
    """The other predictor: its name, or an object with its name and options."""

    def __post_init__(self) -> None:
        """Make the other predictor."""
        [self._predictor] = self.surround([self.predictor])
        self.predictor = self._predictor


def _make_predictor(spec: Spec) -> Predictor:
    if isinstance(spec, str | Mapping | type):
        predictor: Predictor = PREDICTORS.make(spec)
    else:
        predictor = spec
    if not all(hasattr(predictor, method) for method in PREDICTORS.methods):
        raise OptionError(
            "a predictor is its name, an object with its name and options, such as "
            f'{{"name": "knn", "k": 3}}, or has the methods predict and learn; {spec!r} does not'
        )
    return predictor


class FirstEstimates:
    """Keeps a predictor's estimate of each job at its submission until the job ends.

    If the submission was not reported, `take` lets the predictor predict after the job has ended.
    This happens with past jobs of a history, and with hooks that only call `predict` and `learn`.
    Therefore, call `take` before the predictor learns the job. An invalid prediction raises a
    `PredictorError`.

    Examples
    --------
    >>> from predictors import LastTwo
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> last_two = LastTwo()
    >>> estimates = FirstEstimates(last_two)
    >>> estimates.submitted(job, 0.0)
    >>> for run_time in (100.0, 300.0):
    ...     last_two.learn(job, run_time, run_time)
    >>> estimates.take(job, 300.0) is None
    True
    >>> estimates.take(job, 300.0)
    200.0
    """

    __slots__ = ("_noted", "_predictor")

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor
        self._noted: dict[str, float | None] = {}

    def __len__(self) -> int:
        """Return the number of jobs whose estimate is kept."""
        return len(self._noted)

    def submitted(self, submission: Submission, now: float) -> None:
        """Keep the estimate of a job that was just submitted."""
        self._noted[submission.id] = self._estimate(submission, now)

    def withdrawn(self, submission: Submission) -> None:
        """Drop the estimate of a job that will not run."""
        self._noted.pop(submission.id, None)

    def take(self, submission: Submission, now: float) -> float | None:
        """Return and drop an ended job's estimate in seconds; ``None`` without a prediction."""
        if submission.id in self._noted:
            return self._noted.pop(submission.id)
        return self._estimate(submission, now)

    def _estimate(self, submission: Submission, now: float) -> float | None:
        prediction = self._predictor.predict(submission, now)
        return None if prediction is None else clamp(prediction, submission)
