"""Replay of a log in time order: each job is predicted at submission, and learned at its end."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import perf_counter_ns

import numpy as np

from pred_aware.log.past_jobs import END, SUBMISSION, PastJobs
from pred_aware.prediction.candidate import Candidate
from pred_aware.prediction.predictions import Predictions, Timing
from predictors import Predictor, PredictorError, Submission
from predictors.estimate import DEFAULT, clamp
from predictors.history import warm
from predictors.submission import PastJob
from schedulers.core.estimates import UNKNOWN, EstimateSource, FromPredictor
from schedulers.core.job import Job
from schedulers.foreign import described, failure

Progress = Callable[[int, int], None]
"""Called at intervals with the number of finished predictions, and their total number."""

_EVENTS_AT_ONCE = 20_000


def replay(
    jobs: PastJobs,
    candidates: Sequence[Candidate],
    *,
    history: Iterable[PastJob] = (),
    lag: float = 0.0,
    progress: Progress | None = None,
) -> list[Predictions]:
    """Replay a log: predict at each submission, and learn the run time at each end.

    One predictor gets all events before the next predictor starts, so that the computing time of
    each predictor is measured separately.

    Parameters
    ----------
    jobs
        The log's jobs.
    candidates
        The predictors.
    history
        Past jobs that all predictors learn first, as `predictors.history.load_history` returns
        them.
    lag
        Seconds after a job's end until predictors learn the job.
    progress
        Called with the number of finished predictions, and the total number for all predictors.

    Returns
    -------
    list of Predictions
        The predictions of each candidate, in the order of `candidates`.

    Raises
    ------
    PredictorError, SchedulerError
        A predictor cannot be created, or fails on a job.
    """
    past = list(history)
    events = jobs.events(starts=False, lag=lag)
    events_and_starts = None
    total = len(jobs) * len(candidates)
    found = []
    for one in candidates:
        source = one.make()
        if not isinstance(source, FromPredictor):
            found.append(from_source(jobs, one, source))
            continue
        warm(source.predictor, past)

        def tell(done: int, before: int = len(found) * len(jobs)) -> None:
            if progress is not None:
                progress(before + done, total)

        run = _Replay(jobs, source)
        if run.wants_starts:
            events_and_starts = events_and_starts or jobs.events(starts=True, lag=lag)
        for chosen in _pieces(events_and_starts if run.wants_starts else events):
            run.go_through(chosen)
            tell(len(run.predicting))
        found.append(run.predictions(one))
    return found


def _pieces(events: list[tuple[int, int]] | None) -> Iterable[list[tuple[int, int]]]:
    assert events is not None
    return (events[i : i + _EVENTS_AT_ONCE] for i in range(0, len(events), _EVENTS_AT_ONCE))


class _Replay:
    """The state of one predictor's replay."""

    def __init__(self, jobs: PastJobs, source: FromPredictor) -> None:
        self._jobs = jobs
        self._predictor = predictor = source.predictor
        self._default = source.default
        self._submitted = getattr(predictor, "submitted", None)
        self._started = getattr(predictor, "started", None)
        self._valid_for = source.valid_for
        self.wants_starts = self._started is not None or self._valid_for < UNKNOWN
        self._estimates = [0.0] * len(jobs)
        self._later: dict[int, float] = {}
        self.predicting: list[int] = []
        self.learning: list[int] = []

    def go_through(self, events: Iterable[tuple[int, int]]) -> None:
        """Let the predictor predict or learn the job of each event."""
        jobs, predictor, default = self._jobs, self._predictor, self._default
        predict, learn, submitted = predictor.predict, predictor.learn, self._submitted
        submissions, run_times, ends = jobs.submissions, jobs.run_times, jobs.end_times
        estimates = self._estimates
        predicting, learning = self.predicting.append, self.learning.append
        submission = None
        try:
            for kind, place in events:
                submission = submissions[place]
                if kind == SUBMISSION:
                    now = submission.submit_time
                    begin = perf_counter_ns()
                    prediction = predict(submission, now)
                    predicting(perf_counter_ns() - begin)
                    estimates[place] = clamp(prediction, submission, default=default)
                    if submitted is not None:
                        submitted(submission, now)
                elif kind == END:
                    begin = perf_counter_ns()
                    learn(submission, run_times[place], ends[place])
                    learning(perf_counter_ns() - begin)
                else:
                    self._start(place, submission)
        except PredictorError as error:
            raise PredictorError(f"predictor {described(predictor)}: {error}") from error
        except Exception as error:
            name = "" if submission is None else submission.id
            raise failure("predictor", predictor, error, job_id=name) from error

    def _start(self, place: int, submission: Submission) -> None:
        now = self._jobs.start_times[place]
        if now - submission.submit_time > self._valid_for:
            prediction = self._predictor.predict(submission, now)
            self._later[place] = clamp(prediction, submission, default=self._default)
        if self._started is not None:
            self._started(submission, now)

    def predictions(self, candidate: Candidate) -> Predictions:
        """Return the predictions of all jobs except warm-up jobs."""
        estimates = np.array(self._estimates)
        at_start = estimates.copy()
        at_start[list(self._later)] = list(self._later.values())
        again = np.zeros(len(estimates), bool)
        again[list(self._later)] = True
        places = np.flatnonzero(self._jobs.counted)
        return Predictions(
            candidate=candidate,
            places=places,
            estimates=estimates[places],
            at_start=at_start[places],
            asked_again=again[places],
            timing=timing(self.predicting, self.learning),
        )


def timing(predicting: list[int], learning: list[int]) -> Timing:
    """Return the medians and sums of the calls' durations, which are given in nanoseconds."""
    return Timing(
        predict_median=median(predicting) / 1000 if predicting else None,
        learn_median=median(learning) / 1000 if learning else None,
        predict_total=sum(predicting) / 1e9,
        learn_total=sum(learning) / 1e9,
    )


def predict_all(
    jobs: PastJobs, predictor: Predictor, *, places: Iterable[int], now: float, default: float
) -> tuple[list[float], list[int]]:
    """Return a predictor's estimates for some jobs, without any learning.

    Parameters
    ----------
    jobs, places
        The log, and indices of its jobs.
    predictor
        The predictor.
    now
        Date of the predictions, in seconds; jobs submitted later are predicted at their submission.
    default
        The estimate in seconds for a job that has no prediction and no walltime.

    Returns
    -------
    list of float, list of int
        The estimates in seconds, and the nanoseconds of each call.

    Raises
    ------
    PredictorError, SchedulerError
        The predictor fails on a job.
    """
    estimates, took = [], []
    for place in places:
        submission = jobs.submissions[place]
        try:
            begin = perf_counter_ns()
            prediction = predictor.predict(submission, max(now, submission.submit_time))
            took.append(perf_counter_ns() - begin)
            estimates.append(clamp(prediction, submission, default=default))
        except PredictorError as error:
            raise PredictorError(f"predictor {described(predictor)}: {error}") from error
        except Exception as error:
            raise failure("predictor", predictor, error, job_id=submission.id) from error
    return estimates, took


def from_source(
    jobs: PastJobs,
    candidate: Candidate,
    source: EstimateSource,
    places: Iterable[int] | None = None,
) -> Predictions:
    """Return the estimates of a source that learns nothing, such as ``actual`` (the run time).

    Parameters
    ----------
    jobs, places
        The log, and indices of its jobs; by default all jobs except warm-up jobs.
    candidate, source
        The candidate, and the source that was created from it.
    """
    chosen = np.flatnonzero(jobs.counted) if places is None else np.array(list(places), np.intp)
    estimates = np.empty(len(chosen))
    took = []
    for number, place in enumerate(chosen.tolist()):
        submission = jobs.submissions[place]
        job = Job(
            submission.id,
            submission.submit_time,
            submission.processors,
            submission.walltime,
            {"soft_walltime": jobs.soft_walltimes[place]},
            delay=jobs.run_times[place],
        )
        begin = perf_counter_ns()
        estimate = source.estimate(job, submission.submit_time)
        took.append(perf_counter_ns() - begin)
        estimates[number] = DEFAULT if estimate == UNKNOWN else estimate
    return Predictions(
        candidate=candidate,
        places=chosen,
        estimates=estimates,
        at_start=estimates,
        asked_again=np.zeros(len(chosen), bool),
        timing=timing(took, []),
    )
