"""A log replayed in compiled loops, with those of our predictors that they cover."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter_ns

import numpy as np

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import codes
from pred_aware.log.past_jobs import START, SUBMISSION, PastJobs
from pred_aware.prediction.candidate import Candidate
from pred_aware.prediction.predictions import Predictions, Timing
from schedulers.policy.estimates import UNKNOWN, FromPredictor

WORTH_LOADING = 5000
"""From so many jobs on: loading takes 0.4 s, and a job is asked for 60 microseconds sooner."""
_DATES_AT_ONCE = 5000


def replayed_in_arrays(
    jobs: PastJobs,
    candidate: Candidate,
    source: FromPredictor,
    *,
    lag: float,
    progress: Callable[[int], None],
) -> Predictions | None:
    """Replay a log as `pred_aware.prediction.replay.replay` does: the same to the last bit.

    Parameters
    ----------
    jobs, candidate, lag
        As there.
    source
        Who is asked; it learns nothing of what is done here.
    progress
        Told how many jobs were predicted.

    Returns
    -------
    Predictions
        ``None`` where the loops don't cover the predictor or the log, or don't pay.
    """
    from pred_aware.engine.predicting.loading import covered

    run_times = np.array(jobs.run_times, np.float64)
    start, end = np.array(jobs.start_times), np.array(jobs.end_times)
    submit = np.array([one.submit_time for one in jobs.submissions], np.float64)
    # what is learned is the difference of two dates there
    clear = bool((end - start == run_times).all() and (np.diff(submit) >= 0.0).all())
    if not clear or source.valid_for < UNKNOWN:
        return None
    built = covered(source, len(jobs), least=WORTH_LOADING)
    if built is None:
        return None
    from pred_aware.engine.predicting.asking import AskingInArrays
    from pred_aware.engine.predicting.books import book_of
    from pred_aware.engine.predicting.submissions import SubmissionsAsTold, UnclearError
    from pred_aware.engine.predicting.values import How, Run

    changes, before = _changes(jobs, lag)
    counts = np.zeros(codes.COUNTS, np.int64)
    number, unlimited = len(jobs), np.full(len(jobs), np.inf)
    walltimes = [one.walltime for one in jobs.submissions]
    estimates = np.zeros(number)
    run = Run(
        submit,
        np.array([one.processors for one in jobs.submissions], np.int64),
        np.array([np.inf if one is None else one for one in walltimes], np.float64),
        np.full(number, codes.FITS),
        start, end, changes, counts,
        queueing=estimates, backfilling=unlimited, running=unlimited, longest=unlimited,
    )  # fmt: skip
    submissions = SubmissionsAsTold(
        jobs.submissions, processors=run.processors, walltime=run.walltime
    )
    how = How(
        built.combines, built.default,
        plans=False, queueing=True, backfilling=False, running=False,
    )  # fmt: skip
    try:
        asking = AskingInArrays(built, book_of(built, submissions, run), how)
    except UnclearError:
        return None
    firsts = np.flatnonzero(np.diff(submit, prepend=-np.inf)).tolist()
    took = []
    for done, (first, beyond) in enumerate(zip(firsts, [*firsts[1:], number], strict=True), 1):
        counts[codes.SUBMITTED], counts[codes.CHANGES] = first, before[first]
        begin = perf_counter_ns()
        if not asking.ask():
            return None
        took.append((perf_counter_ns() - begin, beyond - first))
        if done % _DATES_AT_ONCE == 0 or beyond == number:
            progress(beyond)
    places = np.flatnonzero(jobs.counted)
    return Predictions(
        candidate=candidate,
        places=places,
        estimates=estimates[places],
        at_start=estimates[places],
        asked_again=np.zeros(len(places), bool),
        timing=_timing(took),
    )


def _changes(jobs: PastJobs, lag: float) -> tuple[Integers, Integers]:
    """Return starts (a job's place) and ends (its complement), and how many a submission sees."""
    kinds, places = np.array(jobs.events(starts=True, lag=lag), np.int64).reshape(-1, 2).T
    submitted = kinds == SUBMISSION
    before = np.cumsum(~submitted)[submitted]
    changes = np.where(kinds == START, places, ~places)[~submitted]
    return changes, before


def _timing(took: Sequence[tuple[int, int]]) -> Timing:
    """Sum up the nanoseconds of dates of so many jobs each; what they learn is in them."""
    return Timing(
        predict_median=median(time / jobs for time, jobs in took) / 1000 if took else None,
        learn_median=None,
        predict_total=sum(time for time, _ in took) / 1e9,
        learn_total=0.0,
    )
