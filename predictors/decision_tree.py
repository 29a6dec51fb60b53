"""Regression by a decision tree on what is known at submission (paper 001)."""

import math
from array import array
from collections.abc import Sequence

from predictors.encoding import SubmissionEncoder
from predictors.errors import OptionError, PredictorError
from predictors.flat_tree import FlatTree
from predictors.submission import Submission

PAPER_FEATURES = ("processors", "memory", "nodes", "gpus", "user", "qos", "walltime")
FEATURES = (*PAPER_FEATURES, "group", "queue", "partition", "executable", "name")


class DecisionTree:
    """Predicts with scikit-learn's regression tree, refitted as jobs end.

    As in paper 001, section "Scheduling algorithm", but that jobs which end are learned too. What
    the tree knows depends on the jobs learned and on when they ended, never on what was asked:

    - what was learned up to date 0 (a history) is known from date 0 on;
    - a job that ends `refit_every` or more after the last fit brings a new one, on the last
      `window` jobs;
    - so does a job with which the number learned has doubled since, so that a simulation without
      a history need not wait a day for its first predictions.

    Nothing (the walltime) before the first job has ended.

    Parameters
    ----------
    window
        How many of the jobs that ended last are fitted; ``None`` for all of them. 10,000 by
        default: users change what they run, and a fit takes a fraction of a second.
    refit_every
        Seconds between two fits; a day by default.
    features
        Fields of `Submission` to look at. By default those of paper 001 (processors, memory, nodes,
        gpus, user, qos, walltime) and group, queue, partition, executable and name. What a log does
        not tell costs nothing and changes nothing.
    max_depth
        Levels of the tree; ``None`` (as in the paper) for no limit.
    min_samples_leaf
        The fewest jobs that a prediction is the mean of; 1 as in the paper.
    seed
        Decides between equally good splits; 13 as in the paper.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    Examples
    --------
    >>> predictor = DecisionTree(features=["user", "processors"])
    >>> ann, bob = (
    ...     Submission(id=user, submit_time=0.0, processors=4, user=user) for user in ("ann", "bob")
    ... )
    >>> predictor.predict(ann, 0.0) is None
    True
    >>> predictor.learn(ann, 60.0, 0.0)
    >>> predictor.learn(bob, 500.0, 0.0)
    >>> predictor.predict(ann, 1.0), predictor.predict(bob, 1.0)
    (60.0, 500.0)
    """

    def __init__(
        self,
        *,
        window: int | None = 10_000,
        refit_every: float = 86400.0,
        features: Sequence[str] = FEATURES,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        seed: int = 13,
    ) -> None:
        if window is not None:
            _require_count("window", window)
        if max_depth is not None:
            _require_count("max_depth", max_depth)
        _require_count("min_samples_leaf", min_samples_leaf)
        _require_count("seed", seed, least=0)
        if not isinstance(refit_every, int | float) or not refit_every > 0:
            raise OptionError(f"refit_every must be a number of seconds above 0, not {refit_every}")
        self.window = window
        self.refit_every = refit_every
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.seed = seed
        self._encoder = SubmissionEncoder(features)
        # the jobs learned last, row behind row; the first of them is number `_forgotten` of all
        self._rows = array("d")
        self._run_times = array("d")
        self._forgotten = 0
        # the tree to use is the one of the first `_known` jobs, of which the last was learned at
        # `_known_since`; it is fitted when it is first asked for
        self._known = 0
        self._known_since = -math.inf
        self._history = 0
        self._fitted = 0
        self._due: tuple[array[float], array[float]] | None = None
        self._tree: FlatTree | None = None

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean run time, in seconds, of the jobs in the same leaf of the tree."""
        if self._known < self._history and now >= 0:
            self._begin()
        if self._fitted != self._known:
            self._fit()
        tree = self._tree
        return None if tree is None else tree.predict(self._encoder.encode(submission))

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job for the next fit.

        Raises
        ------
        PredictorError
            The run time is not a finite number of seconds.
        """
        if not math.isfinite(run_time):
            raise PredictorError(f"job '{submission.id}': run time {run_time} is not finite")
        if self._known < self._history and now > 0:
            self._begin()
        self._rows.extend(self._encoder.learn(submission))
        self._run_times.append(run_time)
        learned = self._forgotten + len(self._run_times)
        if now <= 0:
            self._history = learned
        if now >= self._known_since + self.refit_every or learned >= 2 * self._known:
            self._know(learned, now)
        if self.window is not None and len(self._run_times) >= 2 * self.window:
            self._forget(learned - self.window)

    def _begin(self) -> None:
        """Make the whole history known, at date 0."""
        self._know(self._history, 0.0)

    def _know(self, number: int, now: float) -> None:
        """Make that number of jobs known: the next prediction fits them."""
        self._known = number
        self._known_since = now
        self._due = None

    def _forget(self, number: int) -> None:
        """Drop the jobs before that number, but put aside those that are still to be fitted."""
        if self._fitted != self._known and self._due is None:
            self._due = self._last_known()
        surplus = number - self._forgotten
        del self._rows[: surplus * len(self._encoder.features)], self._run_times[:surplus]
        self._forgotten = number

    # quoted: at run time an array takes no parameter before Python 3.12
    def _last_known(self) -> "tuple[array[float], array[float]]":
        """Return the rows and the run times of the jobs that are known, the last `window`."""
        last = self._known - self._forgotten
        first = 0 if self.window is None else max(0, last - self.window)
        width = len(self._encoder.features)
        return self._rows[first * width : last * width], self._run_times[first:last]

    def _fit(self) -> None:
        """Fit the tree to the jobs that are due."""
        import numpy as np  # noqa: PLC0415 - heavy
        from sklearn.tree import DecisionTreeRegressor  # noqa: PLC0415 - heavy

        rows, run_times = self._last_known() if self._due is None else self._due
        self._due = None
        largest = np.finfo(np.float32).max
        table = np.clip(np.frombuffer(rows), -largest, largest).astype(np.float32)
        regressor = DecisionTreeRegressor(
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed,
        )
        # the table is as scikit-learn wants it: checking that would take half as long as the fit
        regressor.fit(
            table.reshape(len(run_times), -1), np.frombuffer(run_times), check_input=False
        )
        self._tree = FlatTree(regressor.tree_)
        self._fitted = self._known


def _require_count(option: str, value: object, *, least: int = 1) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise OptionError(f"{option} must be a whole number of at least {least}, not {value!r}")
