"""The predictor of the service, and all that it learns."""

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
    """Owns a predictor; not to be used by two threads at the same time.

    Parameters
    ----------
    predictor
        New, or warm already.
    figures
        Where it is noted how right the estimates were.
    """

    def __init__(self, predictor: Predictor, figures: Figures) -> None:
        self._predictor = predictor
        self._figures = figures
        self.learned = 0
        self.newest_end: float | None = None

    def estimate(self, submission: Submission) -> float | None:
        """Return what a scheduler should plan with, in seconds; None where nothing is known.

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
        """Learn the jobs of a store, by their ends."""
        for job in jobs:
            self._learn(job)

    def learn(self, jobs: Iterable[Job]) -> None:
        """Learn jobs that have just ended; compare each with its estimate first.

        That is the soft walltime which it had, as far as it is told; else what would be estimated
        now.

        Raises
        ------
        PredictorError, SchedulerError
            The predictor fails on a job, the first of these; the others are learned.
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
        """Name the predictor."""
        return PREDICTORS.name_of(self._predictor)


def predictor_of(text: str) -> MakePredictor:
    """Return what makes a predictor.

    Parameters
    ----------
    text
        A name, ``module:Class``, or a JSON object with name and options.

    Raises
    ------
    PredictorError, PredAwareError
        There is none of that name, it has no such option, or it is none that could be asked about
        a job which has not run.

    Examples
    --------
    >>> predictor_of("pbs_v3")()
    PbsV3(jobs=15, margin=900.0)
    """
    (candidate,) = read_candidates([text])
    source = candidate.make()
    if not isinstance(source, FromPredictor):
        raise PredAwareError(
            f"'{candidate.label}' is no predictor: it exists in simulation only; "
            "`pred-aware predictors` lists those that are"
        )

    def make() -> Predictor:
        made = candidate.make()
        assert isinstance(made, FromPredictor)
        return made.predictor

    return make
