"""Microseconds that predictors take for a job, side by side, and what their predictions are worth.

    python benchmarks/predictor_speed.py
    python benchmarks/predictor_speed.py --log LOG.swf.gz --jobs 50000

Without a log, made-up jobs. Each job's prediction is asked for in the order of submission, and its
run time learned where it would end if every job started at once. `ratio` is to the predictor
`walltime`, measured in the same run, so that figures of two machines can be compared. A fit is made
by the first prediction that needs it: `median` is without fits, `mean` with them. `accuracy` is the
mean of min(e, r) / max(e, r), where e is the estimate and r the run time.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean, median
from time import perf_counter_ns
from typing import NamedTuple

from predictors import PREDICTORS, Predictor, Submission
from predictors.estimate import clamp
from predictors.history import load_history


def make_jobs(number: int) -> list[tuple[Submission, float]]:
    """Make jobs of 50 users who each repeat a few kinds of them."""
    rng = random.Random(1)  # noqa: S311 - no secret
    jobs = []
    for index in range(number):
        user = int(rng.paretovariate(1.2)) % 50
        kind = random.Random(user * 100 + rng.randrange(3))  # noqa: S311 - no secret
        usual, walltime = kind.uniform(10.0, 20000.0), kind.choice([3600.0, 14400.0, 86400.0])
        submission = Submission(
            id=str(index),
            submit_time=index * 60.0,
            processors=2 ** kind.randrange(8),
            walltime=walltime,
            user=f"user{user}",
            queue=kind.choice(["short", "long"]),
        )
        jobs.append((submission, min(walltime, usual * rng.lognormvariate(0.0, 0.5))))
    return jobs


class Measured(NamedTuple):
    """What a predictor takes for a job, in microseconds, and what it is worth."""

    median: float
    mean: float
    learn: float
    accuracy: float


def measure(make: Callable[[], Predictor], jobs: list[tuple[Submission, float]]) -> Measured:
    """Let a predictor go through the jobs."""
    predictor = make()
    moments = [(job.submit_time, 1, job, run_time) for job, run_time in jobs]
    moments += [(job.submit_time + run_time, 0, job, run_time) for job, run_time in jobs]
    predicting, learning, accuracies = [], [], []
    for now, is_submission, job, run_time in sorted(moments, key=lambda moment: moment[:2]):
        begin = perf_counter_ns()
        if is_submission:
            prediction = predictor.predict(job, now)
            predicting.append(perf_counter_ns() - begin)
            estimate, actual = clamp(prediction, job), max(run_time, 1.0)
            accuracies.append(min(estimate, actual) / max(estimate, actual))
        else:
            predictor.learn(job, run_time, now)
            learning.append(perf_counter_ns() - begin)
    return Measured(
        median=median(predicting) / 1000,
        mean=mean(predicting) / 1000,
        learn=mean(learning) / 1000,
        accuracy=mean(accuracies),
    )


def main() -> None:
    """Measure every predictor that is found by entry point."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--log", type=Path, help="a log, a workload or a CSV of past jobs")
    parser.add_argument("--jobs", type=int, default=20_000, help="how many jobs at most")
    options = parser.parse_args()
    if options.log is None:
        jobs = make_jobs(options.jobs)
    else:
        past = sorted(load_history(options.log), key=lambda job: job[0].submit_time)
        first = past[0][0].submit_time
        jobs = [
            (replace(job, submit_time=job.submit_time - first), run_time)
            for job, run_time, _ in past[: options.jobs]
        ]
    measure(partial(PREDICTORS.make, "walltime"), jobs)
    base = measure(partial(PREDICTORS.make, "walltime"), jobs)
    print(f"{len(jobs)} jobs; microseconds a job")
    print(
        f"{'predictor':<16}{'median':>8}{'ratio':>7}{'mean':>8}{'ratio':>7}"
        f"{'learn':>8}{'ratio':>7}{'accuracy':>10}"
    )
    for name in PREDICTORS.names():
        # the first use imports what is needed and warms up; the second is measured
        measure(partial(PREDICTORS.make, name), jobs[:10])
        it = measure(partial(PREDICTORS.make, name), jobs)
        print(
            f"{name:<16}{it.median:>8.2f}{it.median / base.median:>7.1f}"
            f"{it.mean:>8.2f}{it.mean / base.mean:>7.1f}"
            f"{it.learn:>8.2f}{it.learn / base.learn:>7.1f}{it.accuracy:>10.3f}"
        )


if __name__ == "__main__":
    main()
