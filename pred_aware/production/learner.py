"""The predictor of the service, and its learning."""

from collections.abc import Callable, Iterable

from pred_aware.errors import PredAwareError
from pred_aware.log.past_jobs import past_job
from pred_aware.prediction.candidate import read_candidates
from pred_aware.production.monitoring import Figures
from predictors import PREDICTORS, Predictor, PredictorError, Submission
from predictors.estimate import clamp
from schedulers.core.estimates import FromPredictor
from schedulers.errors import SchedulerError
from schedulers.foreign import failure
from workload_tools.job import Job

MakePredictor = Callable[[], Predictor]


class Learner:
    """Owns a predictor. Two threads must not use a learner at the same time.

    Parameters
    ----------
    predictor
        A new predictor, or one that has learned.
    figures
        Receives the errors of estimates.
    """

    def __init__(self, predictor: Predictor, figures: Figures) -> None:
        self._predictor = predictor
        self._figures = figures
        self.learned = 0
        self.newest_end: float | None = None

    def estimate(self, submission: Submission) -> float | None:
        """Return the estimate for the scheduler in seconds; None if the predictor has none.

        Raises
        ------
        PredictorError, SchedulerError
            The predictor fails.
        """
        try:
            prediction = self._predictor.predict(submission, submission.submit_time)
        except Exception as error:
            raise failure("predictor", self._predictor, error, job_id=submission.id) from error
        return None if prediction is None else clamp(prediction, submission)

    def warm(self, jobs: Iterable[Job]) -> None:
        """Learn the jobs of a store, in the order of their ends."""
        for job in jobs:
            self._learn(job)

    def learn(self, jobs: Iterable[Job]) -> None:
        """Learn jobs that have just ended; first compare each run time with its estimate.

        The estimate is the job's soft walltime, if known, or otherwise the current prediction.

        Raises
        ------
        PredictorError, SchedulerError
            The predictor failed on a job. The first error is raised after the other jobs were
            learned.
        """
        failed = None
        for job in jobs:
            try:
                self._learn_compared(job)
            except (PredictorError, SchedulerError) as error:
                failed = failed or error
        if failed is not None:
            raise failed

    def _learn_compared(self, job: Job) -> None:
        estimate = job.soft_walltime
        if estimate is None:
            estimate = self.estimate(past_job(job).submission) or job.walltime
        if estimate is not None:
            self._figures.count_end(estimate, job.run_time)
        self._learn(job)

    def _learn(self, job: Job) -> None:
        past = past_job(job)
        assert past.end is not None
        try:
            self._predictor.learn(past.submission, past.run_time, past.end)
        except Exception as error:
            raise failure("predictor", self._predictor, error, job_id=job.id) from error
        self.learned += 1
        self.newest_end = max(past.end, self.newest_end or past.end)

    def __repr__(self) -> str:
        """Return the predictor's name."""
        return PREDICTORS.name_of(self._predictor)


def predictor_of(text: str) -> MakePredictor:
    """Return a function that creates a predictor.

    Parameters
    ----------
    text
        A name, ``module:Class``, or a JSON object with name and options.

    Raises
    ------
    PredictorError, PredAwareError
        The name or an option is unknown, or the predictor works only in simulations.

    Examples
    --------
    >>> predictor_of("pbs_v3")()
    PbsV3(jobs=15, margin=900.0)
    """
    (candidate,) = read_candidates([text])
    source = candidate.make()
    if not isinstance(source, FromPredictor):
        raise PredAwareError(
            f"'{candidate.label}' works only in simulations; "
            "`pred-aware predictors` lists the predictors for services"
        )

    def make() -> Predictor:
        source = candidate.make()
        assert isinstance(source, FromPredictor)
        return source.predictor

    return make
