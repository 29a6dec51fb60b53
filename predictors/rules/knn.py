"""kNN: the walltime, scaled by how well it fitted the nearest past jobs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from predictors.checks import require_choice, require_count, require_number, require_run_time
from predictors.estimate import in_turn
from predictors.regression.encoding import NUMBERS, require_features
from predictors.rules.neighbours import Neighbours
from predictors.submission import Submission

COMPARED = ("squared", "distance")
# stands for a missing value, as in SubmissionEncoder, because no known value is negative
MISSING = -1.0


@dataclass(kw_only=True, eq=False)
class Knn:
    """Predicts walltime x the mean of run time / walltime of the nearest past jobs [1]_.

    A job is a point whose coordinates are its features. Each feature is scaled to [0, 1] by its
    smallest and largest value among the last `window` jobs and the new job. The squared distance of
    a new job q and a past job p is d^2 = sum of (q_i - p_i)^2, plus `epsilon` if another user
    submitted p. The mean uses up to `k` nearest jobs with d^2 <= `theta`, each with the weight
    exp(-alpha d^beta). Of equally near jobs, the jobs learned last are used. There is no prediction
    if no job is near enough, or if the new job has no walltime. Jobs with a missing or zero
    walltime are not learned.

    References
    ----------
    .. [1] T. H. Le Hai, L. L. Hoang, N. Thoai, "Potential of Applying kNN with Soft Walltime to
       Improve Scheduling Performance", slides (paper 002 of this project).

    Examples
    --------
    >>> predictor = Knn()
    >>> ann, bob = (
    ...     Submission(id=user, submit_time=0.0, processors=4, walltime=1000.0, user=user)
    ...     for user in ("ann", "bob")
    ... )
    >>> predictor.learn(ann, 250.0, 250.0)
    >>> predictor.learn(ann, 500.0, 750.0)
    >>> predictor.predict(ann, 750.0), predictor.predict(bob, 750.0)
    (375.0, 375.0)
    """

    k: int = 5
    """The maximum number of neighbours."""
    window: int = 1000
    """The number of last learned jobs that are searched."""
    features: Sequence[str] = ("processors", "walltime")
    """The features of the distance: processors, walltime, nodes, gpus or memory; -1 stands for an
    unknown value."""
    theta: float = 0.001
    """The largest (squared) distance of a neighbour. 0: only jobs with equal features."""
    epsilon: float | None = None
    """Added to the squared distance of another user's job, or of a job without a user; by default
    theta / 4."""
    alpha: float = 1.0
    """The weight of a neighbour at distance d is exp(-alpha d^beta)."""
    beta: float = 1.0
    compared: str = "squared"
    """The value that must be at most `theta`: the ``squared`` distance, or the ``distance``. The
    slides allow both readings. With ``distance``, another user's job is near only if epsilon <=
    theta^2."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_count("k", self.k)
        theta = require_number("theta", self.theta)
        self._epsilon = (
            theta / 4 if self.epsilon is None else require_number("epsilon", self.epsilon)
        )
        self.alpha = require_number("alpha", self.alpha)
        self.beta = require_number("beta", self.beta)
        require_choice("compared", self.compared, COMPARED)
        self._most = theta if self.compared == "squared" else theta * theta
        self.features = require_features(self.features, NUMBERS)
        self._neighbours = Neighbours(require_count("window", self.window), len(self.features))
        self._users: dict[str, int] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x the neighbours' mean ratio in seconds; ``None`` without a neighbour."""
        walltime = submission.walltime
        if walltime is None:
            return None
        # an unknown user gets the number -2, which no past job has
        owner = -2 if submission.user is None else self._users.get(submission.user, -2)
        near = self._neighbours.nearest(
            self._point(submission), owner, self.k, self._epsilon, self._most
        )
        if not near:
            return None
        alpha, beta = self.alpha, self.beta
        exponents = [alpha * math.sqrt(squared) ** beta for squared, _ in near]
        # weights relative to the largest one, so that their sum cannot underflow to 0
        least = min(exponents)
        weights = [math.exp(least - exponent) for exponent in exponents]
        weighted = (w * factor for w, (_, factor) in zip(weights, near, strict=True))
        return in_turn(weighted) / in_turn(weights) * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        walltime = submission.walltime
        if not walltime:
            return
        user = submission.user
        owner = -1 if user is None else self._users.setdefault(user, len(self._users))
        self._neighbours.add(self._point(submission), owner, run_time / walltime)

    def _point(self, submission: Submission) -> list[float]:
        point = []
        for feature in self.features:
            value = getattr(submission, feature)
            point.append(MISSING if value is None else float(value))
        return point
