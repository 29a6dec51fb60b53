"""The walltime, corrected by how right it was for the nearest past jobs."""

import math
from collections.abc import Sequence

from predictors.checks import require_count, require_number, require_run_time
from predictors.errors import OptionError
from predictors.registry import nearest
from predictors.rules.neighbours import Neighbours
from predictors.submission import Submission

NUMBERS = ("processors", "walltime", "nodes", "gpus", "memory")
COMPARED = ("squared", "distance")
# as in SubmissionEncoder: no known value is below 0
MISSING = -1.0


class Knn:
    """Predicts walltime x the mean of run time / walltime of the nearest of the last jobs [1]_.

    A job is a point whose coordinates are its features, each brought to [0, 1] by the smallest and
    the largest among the last `window` jobs and the job in question. The squared distance of a job
    q and a past job p is d^2 = sum of (q_i - p_i)^2, and `epsilon` more if p is another user's. Up
    to `k` jobs with d^2 <= `theta` count, each with the weight exp(-alpha d^beta); of jobs as near
    as each other, those that were learned last. Nothing (the walltime) where no job is that near,
    and for a job without a walltime. Jobs without a walltime, or with one of 0, are not learned.

    Parameters
    ----------
    k
        How many neighbours count at most.
    window
        Among how many jobs they are looked for, those learned last.
    features
        Of processors, walltime, nodes, gpus and memory those that make the distance. What is not
        known of a job counts as -1.
    theta
        How far a neighbour may be, from 0 (only jobs equal in all features).
    epsilon
        What another user's job is further away, in squared distance; theta / 4 if not given. Jobs
        without a user are each another's.
    alpha, beta
        The weight of a neighbour at distance d is exp(-alpha d^beta).
    compared
        What is compared with `theta`: the ``squared`` distance, or the ``distance``, as the
        slides can be read. Then no other user's job is a neighbour unless epsilon <= theta^2.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

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

    __slots__ = (
        "_alpha",
        "_beta",
        "_epsilon",
        "_features",
        "_most",
        "_neighbours",
        "_users",
        "k",
    )

    def __init__(  # noqa: PLR0913 - one for each symbol of the paper
        self,
        *,
        k: int = 5,
        window: int = 1000,
        features: Sequence[str] = ("processors", "walltime"),
        theta: float = 0.001,
        epsilon: float | None = None,
        alpha: float = 1.0,
        beta: float = 1.0,
        compared: str = "squared",
    ) -> None:
        self.k = require_count("k", k)
        theta = require_number("theta", theta)
        self._epsilon = theta / 4 if epsilon is None else require_number("epsilon", epsilon)
        self._alpha = require_number("alpha", alpha)
        self._beta = require_number("beta", beta)
        if compared not in COMPARED:
            raise OptionError(f"compared must be one of {', '.join(COMPARED)}, not {compared!r}")
        self._most = theta if compared == "squared" else theta * theta
        self._features = _checked(features)
        self._neighbours = Neighbours(require_count("window", window), len(self._features))
        self._users: dict[str, int] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x the neighbours' mean factor in seconds, ``None`` without any."""
        walltime = submission.walltime
        if walltime is None:
            return None
        # whom nobody knows is nobody's neighbour: no job has the owner -2
        owner = -2 if submission.user is None else self._users.get(submission.user, -2)
        near = self._neighbours.nearest(
            self._point(submission), owner, k=self.k, epsilon=self._epsilon, most=self._most
        )
        if not near:
            return None
        alpha, beta = self._alpha, self._beta
        exponents = [alpha * math.sqrt(squared) ** beta for squared, _ in near]
        # relative to the heaviest, so that not all of them can vanish
        least = min(exponents)
        weights = [math.exp(least - exponent) for exponent in exponents]
        mean = sum(w * factor for w, (_, factor) in zip(weights, near, strict=True)) / sum(weights)
        return mean * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended.

        Raises
        ------
        PredictorError
            The run time is no finite number of seconds.
        """
        require_run_time(submission, run_time)
        walltime = submission.walltime
        if not walltime:
            return
        user = submission.user
        owner = -1 if user is None else self._users.setdefault(user, len(self._users))
        self._neighbours.add(self._point(submission), owner, value=run_time / walltime)

    def _point(self, submission: Submission) -> list[float]:
        point = []
        for feature in self._features:
            value = getattr(submission, feature)
            point.append(MISSING if value is None else float(value))
        return point


def _checked(features: Sequence[str]) -> tuple[str, ...]:
    if isinstance(features, str) or not isinstance(features, Sequence) or not features:
        raise OptionError(f"features must be a list of at least one field, not {features!r}")
    for feature in features:
        if feature not in NUMBERS:
            raise OptionError(f"unknown feature {feature!r}: {nearest(str(feature), NUMBERS)}")
    if len(set(features)) < len(features):
        raise OptionError(f"a feature is repeated in {', '.join(features)}")
    return tuple(features)
