"""The estimates of service and hook in a rehearsal, computed with the service's own code."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter_ns

from pred_aware.log.past_jobs import SUBMISSION, PastJobs
from pred_aware.prediction.candidate import Candidate
from pred_aware.prediction.predictions import Predictions
from pred_aware.prediction.replay import from_source, timing
from pred_aware.production import pbs_hook
from pred_aware.production.learner import Learner
from pred_aware.production.monitoring import Figures
from predictors import Predictor, Submission
from schedulers.core.estimates import EstimateSource, FromPredictor
from workload_tools.job import Job


def soft_walltime(estimate: float | None, walltime: float | None) -> float | None:
    """Return the soft walltime in seconds that the hook sets for an estimate; None if it sets none.

    Examples
    --------
    >>> soft_walltime(99.2, 3600.0), soft_walltime(3600.0, 3600.0), soft_walltime(None, 3600.0)
    (120.0, None, None)
    """
    soft = None if walltime is None else pbs_hook.soft_walltime(estimate, int(walltime))
    return None if soft is None else float(soft)


class ServedPredictor:
    """A predictor with the hook's rules: it predicts only at submission, and rounds as the hook.

    Predictions at later times, for example when a job starts, are not used.

    Parameters
    ----------
    predictor
        A predictor that has learned; the service's `Learner` calls it.
    lag
        Seconds from a job's end until the predictor learns it.
    """

    def __init__(self, predictor: Predictor, *, lag: float = 0.0) -> None:
        self._predictor = predictor
        self._learner = Learner(predictor, Figures())
        self._lag = lag
        self._ended: deque[tuple[Submission, float, float]] = deque()

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the soft walltime, or None if none is set; see `Predictor`."""
        while self._ended and self._ended[0][2] + self._lag <= now:
            self._predictor.learn(*self._ended.popleft())
        return soft_walltime(self._learner.estimate(submission), submission.walltime)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn a finished job; see `Predictor`."""
        self._ended.append((submission, run_time, now))

    def __repr__(self) -> str:
        """Return the predictor's name."""
        return repr(self._learner)


@dataclass(frozen=True, slots=True)
class ServedEstimates:
    """The soft walltimes that would have been set in a period."""

    predictions: Predictions
    """The run times with which the scheduler would have planned the jobs: soft walltimes, or
    walltimes where no soft walltime is set.
    """
    soft_walltimes: list[float | None]
    """Soft walltimes in seconds; None if none is set."""
    unknown: int
    """Number of jobs without a prediction."""


def served_estimates(
    jobs: Sequence[Job],
    past: PastJobs,
    candidate: Candidate,
    *,
    places: Sequence[int],
    lag: float = 0.0,
) -> ServedEstimates:
    """Let the service learn ended jobs, and predict some jobs at their submission.

    Parameters
    ----------
    jobs, past
        The log; the service learns the jobs that ended before the last request.
    candidate
        The predictor. A source that learns nothing, such as ``recorded``, is used without the
        service.
    places
        Indices of the jobs to predict, ascending.
    lag
        Seconds from a job's end until the service learns it.

    Raises
    ------
    PredictorError, SchedulerError
        The predictor cannot be created, or fails on a job.
    """
    source = candidate.make()
    if not isinstance(source, FromPredictor):
        return _of_source(past, candidate, source, places)
    import numpy as np

    learner = Learner(source.predictor, Figures())
    wanted = frozenset(places)
    found: dict[int, float | None] = {}
    unknown, predicting, learning = 0, [], []
    for kind, place in past.events(starts=False, lag=lag):
        begin = perf_counter_ns()
        if kind != SUBMISSION:
            learner.learn([jobs[place]])
            learning.append(perf_counter_ns() - begin)
        elif place in wanted:
            submission = past.submissions[place]
            estimate = learner.estimate(submission)
            predicting.append(perf_counter_ns() - begin)
            unknown += estimate is None
            found[place] = soft_walltime(estimate, submission.walltime)
            if len(found) == len(wanted):
                break
    softs = [found[place] for place in places]
    planned = np.array(
        [
            soft or past.submissions[place].walltime
            for place, soft in zip(places, softs, strict=True)
        ],
        float,
    )
    predictions = Predictions(
        candidate=candidate,
        places=np.array(places, np.intp),
        estimates=planned,
        at_start=planned,
        asked_again=np.zeros(len(places), bool),
        timing=timing(predicting, learning),
    )
    return ServedEstimates(predictions, softs, unknown)


def _of_source(
    past: PastJobs, candidate: Candidate, source: EstimateSource, places: Sequence[int]
) -> ServedEstimates:
    predictions = from_source(past, candidate, source, places)
    walltimes = (past.submissions[place].walltime for place in places)
    softs = [
        None if estimate == walltime else estimate
        for estimate, walltime in zip(predictions.estimates.tolist(), walltimes, strict=True)
    ]
    return ServedEstimates(predictions, softs, 0)
