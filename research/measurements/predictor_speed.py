"""Microseconds that predictors take for a job, and what they are worth.

    python research/measurements/predictor_speed.py --log LOG.swf.gz --jobs 50000
    python predictor_speed.py --log LOG.swf.gz --predictor '{"name": "knn", "k": 3}'

Each job's prediction is asked for in the order of submission, and its run time learned where it
would end if every job started at once; predictors that want to know of submissions and starts are
told. The columns:

`median` a prediction, in us (a fit is made by the first one that needs it, and not in the median);
`mean` a prediction with the fits, in us;
`learn` the mean of learning a job, submission and start told included, in us;
`CPU` seconds of the whole replay, all of the above, without reading the log;
`accuracy` the mean of min(e, r) / max(e, r), where e is the estimate and r the run time.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from pathlib import Path
from statistics import mean, median
from time import perf_counter_ns, process_time
from typing import Any, NamedTuple

from msgspec.structs import replace

from pred_aware.prediction import read_past
from predictors import PREDICTORS, Predictor, Submission, clamp

Job = tuple[Submission, float]


def read_jobs(log: Path, most: int) -> list[Job]:
    """Read the first jobs of a log."""
    past = read_past(log)
    jobs = sorted(
        zip(past.submissions, past.run_times, strict=True), key=lambda job: job[0].submit_time
    )
    first = jobs[0][0].submit_time
    return [
        (replace(job, submit_time=job.submit_time - first), run_time)
        for job, run_time in jobs[:most]
    ]


def moments(jobs: Sequence[Job]) -> Iterator[tuple[float, bool, Submission, float]]:
    """Yield date, whether it is a submission (else an end), and the job, in order."""
    ends: list[tuple[float, int, Submission, float]] = []
    for number, (job, run_time) in enumerate(jobs):
        while ends and ends[0][0] <= job.submit_time:
            now, _, ended, took = heappop(ends)
            yield now, False, ended, took
        yield job.submit_time, True, job, run_time
        heappush(ends, (job.submit_time + run_time, number, job, run_time))
    while ends:
        now, _, ended, took = heappop(ends)
        yield now, False, ended, took


class Measured(NamedTuple):
    """What a predictor takes for a job, in microseconds, in all, in CPU seconds, and its worth."""

    median: float
    mean: float
    learn: float
    cpu: float
    accuracy: float


def measure(predictor: Predictor, jobs: Sequence[Job]) -> Measured:
    """Let a predictor go through the jobs."""
    submitted, started = hook(predictor, "submitted"), hook(predictor, "started")
    predicting, learning, accuracies = [], [], []
    order = list(moments(jobs))
    cpu = process_time()
    for now, is_submission, job, run_time in order:
        begin = perf_counter_ns()
        if is_submission:
            prediction = predictor.predict(job, now)
            predicted = perf_counter_ns()
            submitted(job, now)
            started(job, now)
            predicting.append(predicted - begin)
            learning.append(perf_counter_ns() - predicted)
            estimate, actual = clamp(prediction, job), max(run_time, 1.0)
            accuracies.append(min(estimate, actual) / max(estimate, actual))
        else:
            predictor.learn(job, run_time, now)
            learning.append(perf_counter_ns() - begin)
    return Measured(
        median=median(predicting) / 1000,
        mean=mean(predicting) / 1000,
        learn=sum(learning) / len(jobs) / 1000,
        cpu=process_time() - cpu,
        accuracy=mean(accuracies),
    )


def hook(predictor: Predictor, name: str) -> Any:  # noqa: ANN401 - a method or nothing
    """Return an optional method, or one that does nothing."""
    return getattr(predictor, name, lambda _job, _now: None)


def make(spec: str) -> Predictor:
    """Make a predictor of its name or of JSON with its name and options."""
    predictor: Predictor = PREDICTORS.make(json.loads(spec) if spec.startswith("{") else spec)
    return predictor


def main() -> None:
    """Measure predictors, by default every one that is found by entry point."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--log", type=Path, required=True, help="a log or a table of past jobs")
    parser.add_argument("--jobs", type=int, default=20_000, help="how many jobs at most")
    parser.add_argument("--predictor", action="append", help="a name, or JSON; may be repeated")
    given = parser.parse_args()
    jobs = read_jobs(given.log, given.jobs)
    print("| predictor | median, us | mean, us | learning, us | CPU, s | accuracy |")
    print("|---|---|---|---|---|---|")
    for spec in given.predictor or PREDICTORS.names():
        # the first use imports what is needed and warms up; the second is measured
        measure(make(spec), jobs[:100])
        found = measure(make(spec), jobs)
        print(
            f"| `{spec}` | {found.median:.2f} | {found.mean:.2f} | {found.learn:.2f} "
            f"| {found.cpu:.2f} | {found.accuracy:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
