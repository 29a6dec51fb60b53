"""Predictors inside another one."""

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
    """The base class of predictors that contain others: it reports all events to them.

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
    """The time in seconds for which all of their predictions are valid."""

    def surround(self, specs: Sequence[Spec]) -> tuple[Predictor, ...]:
        """Make the predictors inside.

        Raises
        ------
        UnknownNameError, OptionError
            A predictor or an option is unknown, or an object is not a predictor.
        """
        self._inside = tuple(_made(spec) for spec in specs)
        self.valid_for = min(validity(predictor) for predictor in self._inside)
        self._informed: dict[str, list[Any]] = {
            hook: [predictor for predictor in self._inside if hasattr(predictor, hook)]
            for hook in ("submitted", "started", "withdrawn")
        }
        return self._inside

    def estimates(self, submission: Submission, now: float) -> list[float]:
        """Return the estimates, from 1 s to the walltime, of all predictors that have one."""
        answers = [predictor.predict(submission, now) for predictor in self._inside]
        return [clamp(answer, submission) for answer in answers if answer is not None]

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Let all predictors learn from an ended job; see `Predictor`."""
        for predictor in self._inside:
            predictor.learn(submission, run_time, now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Report that a job was submitted."""
        for predictor in self._informed["submitted"]:
            predictor.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Report that a job starts."""
        for predictor in self._informed["started"]:
            predictor.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Report that a job was rejected or deleted before it ran."""
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


def _made(spec: Spec) -> Predictor:
    if isinstance(spec, str | Mapping | type):
        made: Predictor = PREDICTORS.make(spec)
    else:
        made = spec
    if not all(hasattr(made, method) for method in PREDICTORS.methods):
        raise OptionError(
            "a predictor is given by its name or by an object with its name and options, such as "
            f'{{"name": "knn", "k": 3}}, and has predict and learn; {spec!r} does not'
        )
    return made
