"""Predictors that no site would want, for `campaigns/stress.toml`."""

import random
from dataclasses import dataclass

import msgspec

from predictors import PREDICTORS, Submission


@dataclass(kw_only=True, eq=False)
class Random:
    """Predicts a length drawn from the same distribution for each job, whatever that is."""

    median: float = 1000.0
    """Of the lognormal distribution, in seconds."""
    spread: float = 2.5
    """Standard deviation of the logarithm."""

    def __post_init__(self) -> None:
        """Begin the sequence of draws."""
        self._chance = random.Random(1)  # noqa: S311 - a seeded choice

    def predict(self, submission: Submission, now: float) -> float:
        """Return a draw, in seconds."""
        return self.median * self._chance.lognormvariate(0.0, self.spread)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Nothing to do."""


class WithoutUsers:
    """As `knn`, of a log that tells nobody's name."""

    def __init__(self) -> None:
        self._knn = PREDICTORS.make("knn")

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return what is predicted for the same job of somebody unknown."""
        return self._knn.predict(_nobodys(submission), now)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job whose user is unknown."""
        self._knn.learn(_nobodys(submission), run_time, now)


def _nobodys(submission: Submission) -> Submission:
    return msgspec.structs.replace(submission, user=None, group=None)
