"""Splits of a log: predictors learn some jobs first, and then predict others, without a replay."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pred_aware.errors import PredAwareError
from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction.candidate import Candidate
from pred_aware.prediction.predictions import Predictions
from pred_aware.prediction.replay import from_source, predict_all, timing
from predictors import Predictor, PredictorError
from predictors.submission import PastJob
from schedulers.core.estimates import FromPredictor
from schedulers.foreign import failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Split:
    """The jobs to learn, and the jobs to predict afterwards without further learning."""

    name: str
    """Name of the kind of split."""
    learned: "NDArray[np.intp]"
    predicted: "NDArray[np.intp]"
    """Indices of the jobs in the log."""
    zero: float
    """The date between learning and prediction, in seconds since the log's first submission."""
    remark: str
    """A note that says which jobs were learned, and whether this learning uses future
    information."""
    leaks: bool
    """True if predictors learned run times that were unknown at the first prediction."""


def at_date(jobs: PastJobs, date: float) -> Split:
    """Split a log at a date: learn the jobs that had ended, predict the jobs submitted later.

    Parameters
    ----------
    jobs
        The log.
    date
        Date in seconds since the first submission.

    Raises
    ------
    PredAwareError
        No job had ended by this date, or no job was submitted later.
    """
    import numpy as np

    submitted, ended = _submitted(jobs), np.array(jobs.end_times)
    before = submitted < date
    learned = np.flatnonzero(before & (ended <= date))
    still = int(before.sum()) - len(learned)
    return _checked(
        jobs,
        Split(
            "train-until",
            learned,
            np.flatnonzero(~before),
            zero=date,
            remark=f"Learned: {len(learned):,} jobs that had ended at {date:.0f} s, and no later "
            "job. Jobs that still waited or ran at this date were neither learned nor predicted: "
            f"{still:,}.",
            leaks=False,
        ),
    )


def consecutive(jobs: PastJobs, share: float) -> Split:
    """Split a log: learn the first submitted jobs, predict the last (paper 001, section 4).

    Parameters
    ----------
    jobs
        The log.
    share
        Share of jobs to predict.

    Raises
    ------
    PredAwareError
        The share leaves no job to learn or to predict.
    """
    import numpy as np

    learned, predicted = np.split(np.arange(len(jobs)), [len(jobs) - _number(jobs, share)])
    ended = np.array(jobs.end_times)[learned]
    late = int((ended > _submitted(jobs)[predicted].min()).sum())
    return _checked(
        jobs,
        Split(
            "consecutive",
            learned,
            predicted,
            zero=float(ended.max()),
            remark=f"Learned: the first {len(learned):,} jobs, as in paper 001. {late:,} of these "
            "jobs ended after the first prediction, so their run times were not yet known at "
            "this prediction (--train-until omits such jobs).",
            leaks=late > 0,
        ),
    )


def at_random(jobs: PastJobs, share: float, *, seed: int) -> Split:
    """Split a log: learn jobs drawn at random, predict the others (paper 001, section 1).

    Parameters
    ----------
    jobs
        The log.
    share
        Share of jobs to predict.
    seed
        Seed of the random draw.

    Raises
    ------
    PredAwareError
        The share leaves no job to learn or to predict, or the seed is below 0.
    """
    import numpy as np

    if seed < 0:
        raise PredAwareError(f"the seed of a random split is {seed}; it must be 0 or more")
    number = _number(jobs, share)
    drawn = np.random.default_rng(seed).permutation(len(jobs))
    learned, predicted = np.sort(drawn[number:]), np.sort(drawn[:number])
    return _checked(
        jobs,
        Split(
            "random",
            learned,
            predicted,
            zero=float(np.array(jobs.end_times)[learned].max()),
            remark="In a random split, predictors learn jobs that ended after the submission of "
            "predicted jobs. The measures use future information, so they are worse in production.",
            leaks=True,
        ),
    )


def predict_split(
    jobs: PastJobs,
    candidates: Sequence[Candidate],
    split: Split,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> list[Predictions]:
    """Let all predictors learn some jobs in the order of their ends, and then predict the others.

    Parameters
    ----------
    jobs
        The log.
    candidates
        The predictors.
    split
        The jobs to learn and to predict.
    progress
        Called with the number of finished predictions, and the total number for all predictors.

    Raises
    ------
    PredictorError, SchedulerError
        A predictor cannot be created, or fails on a job.
    """
    import numpy as np

    zero = split.zero
    moved = PastJobs(
        submissions=[replace(job, submit_time=job.submit_time - zero) for job in jobs.submissions],
        start_times=[start - zero for start in jobs.start_times],
        end_times=[end - zero for end in jobs.end_times],
        run_times=jobs.run_times,
        counted=jobs.counted,
        soft_walltimes=jobs.soft_walltimes,
    )
    order = np.lexsort((split.learned, np.array(jobs.end_times)[split.learned]))
    history = [
        PastJob(moved.submissions[place], moved.run_times[place], moved.end_times[place])
        for place in split.learned[order].tolist()
    ]
    found = []
    for number, one in enumerate(candidates, 1):
        source = one.make()
        places = split.predicted
        if isinstance(source, FromPredictor):
            learning = _learn(source.predictor, history)
            estimates, took = predict_all(
                moved, source.predictor, places=places.tolist(), now=0.0, default=source.default
            )
            found.append(
                Predictions(
                    candidate=one,
                    places=places,
                    estimates=np.array(estimates),
                    at_start=np.array(estimates),
                    asked_again=np.zeros(len(places), bool),
                    timing=timing(took, learning),
                )
            )
        else:
            found.append(from_source(moved, one, source, places.tolist()))
        if progress is not None:
            progress(number * len(split.predicted), len(candidates) * len(split.predicted))
    return found


def _learn(predictor: Predictor, history: list[PastJob]) -> list[int]:
    """Let a predictor learn past jobs, and return the nanoseconds for each job."""
    took = []
    for job in history:
        begin = perf_counter_ns()
        try:
            predictor.learn(job.submission, job.run_time, job.end or 0.0)
        except PredictorError:
            raise
        except Exception as error:
            raise failure("predictor", predictor, error, job_id=job.submission.id) from error
        took.append(perf_counter_ns() - begin)
    return took


def _submitted(jobs: PastJobs) -> "NDArray[np.float64]":
    import numpy as np

    return np.array([submission.submit_time for submission in jobs.submissions], float)


def _number(jobs: PastJobs, share: float) -> int:
    """Return the number of jobs to predict."""
    if not 0.0 < share < 1.0:
        raise PredAwareError(f"the share of jobs to predict is {share}; it must be between 0 and 1")
    number = math.ceil(share * len(jobs))
    if not 0 < number < len(jobs):
        raise PredAwareError(
            f"a share of {share} of {len(jobs)} jobs leaves no job to learn or no job to predict"
        )
    return number


def _checked(jobs: PastJobs, split: Split) -> Split:
    """Leave out warm-up jobs; check that there are jobs to learn and to predict."""
    import numpy as np

    predicted = split.predicted[np.array(jobs.counted)[split.predicted]]
    if not len(split.learned) or not len(predicted):
        missing = "has ended by" if not len(split.learned) else "is submitted from"
        raise PredAwareError(f"no job {missing} {split.zero:.0f} s after the first submission")
    return dataclasses.replace(split, predicted=predicted)
