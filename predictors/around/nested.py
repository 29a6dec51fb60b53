"""The predictors inside another one."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from predictors.errors import OptionError
from predictors.predictor import Predictor, validity
from predictors.registry import PREDICTORS
from predictors.submission import Submission

Spec: TypeAlias = str | Mapping[str, Any] | Predictor
"""A predictor's name, an object with its name and options, or a predictor."""


class Nested:
    """Some predictors that are told together what becomes of the jobs.

    Parameters
    ----------
    specs
        What they are made from: names, objects with name and options, or predictors.

    Attributes
    ----------
    predictors : tuple of Predictor
        In the order of `specs`.
    valid_for : float
        For how many seconds all of their answers hold.

    Raises
    ------
    UnknownNameError, OptionError
        No such predictor, an option that it does not have, or something that is no predictor.

    Examples
    --------
    >>> nested = Nested(["last_two", {"name": "pbs_released", "valid_for": 600}])
    >>> nested.valid_for
    600.0
    """

    __slots__ = ("_informed", "predictors", "valid_for")

    def __init__(self, specs: Sequence[Spec]) -> None:
        self.predictors = tuple(_made(spec) for spec in specs)
        self.valid_for = min(validity(predictor) for predictor in self.predictors)
        self._informed: dict[str, list[Any]] = {
            hook: [predictor for predictor in self.predictors if hasattr(predictor, hook)]
            for hook in ("submitted", "started", "withdrawn")
        }

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Tell all of them that a job has ended."""
        for predictor in self.predictors:
            predictor.learn(submission, run_time, now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Tell those that want to know that a job was submitted."""
        for predictor in self._informed["submitted"]:
            predictor.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Tell those that want to know that a job starts."""
        for predictor in self._informed["started"]:
            predictor.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Tell those that want to know that a job was rejected or deleted before it ran."""
        for predictor in self._informed["withdrawn"]:
            predictor.withdrawn(submission, now)


def listed(option: str, specs: Sequence[Spec]) -> Sequence[Spec]:
    """Return a list of predictors, or say that it must be one.

    Raises
    ------
    OptionError
        It is no list, or empty.
    """
    if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
        raise OptionError(f"{option} must be a list of at least one predictor, not {specs!r}")
    return specs


def _made(spec: Spec) -> Predictor:
    if isinstance(spec, str | Mapping):
        made: Predictor = PREDICTORS.make(spec)
    else:
        made = spec
    if not (hasattr(made, "predict") and hasattr(made, "learn")):
        raise OptionError(
            "a predictor is given by its name or by an object with its name and options, such as "
            f'{{"name": "knn", "k": 3}}, and has predict and learn; {spec!r} does not'
        )
    return made
