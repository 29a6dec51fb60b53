"""Microseconds that predictors take for a job, beside scikit-learn, and what they are worth.

    python benchmarks/predictor_speed.py
    python benchmarks/predictor_speed.py --log LOG.swf.gz --jobs 50000 --json
    python benchmarks/predictor_speed.py --predictor knn --predictor '{"name": "knn", "k": 3}'
    python benchmarks/predictor_speed.py --log LOG.swf.gz --refits
    python benchmarks/predictor_speed.py --memory --predictor last_two

Without a log, made-up jobs. Each job's prediction is asked for in the order of submission, and its
run time learned where it would end if every job started at once; predictors that want to know of
submissions and starts are told. The columns:

`median` a prediction, in us (a fit is made by the first one that needs it, and not in the median);
`mean` a prediction with the fits, in us;
`learn` the mean of learning a job, submission and start told included, in us;
`CPU` seconds of the whole replay, all of the above, without reading the log;
`sklearn` the median CPU time of scikit-learn's `predict` of a ready one-row DataFrame, in us,
measured in the same run on one thread: by the model that the predictor is made of, else by a
decision tree, fitted to the last 10,000 jobs;
`share` median / sklearn;
`accuracy` the mean of min(e, r) / max(e, r), where e is the estimate and r the run time.

With `--refits`: the CPU seconds of a replay with `decision_tree`, fitted daily, and of
scikit-learn's fits of the same tables alone. With `--memory`: the peak memory of a process in MiB,
above that before the first job, after 50,000 and after 200,000 made-up jobs that each have another
name.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from heapq import heappop, heappush
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import mean, median
from time import perf_counter_ns, process_time, process_time_ns
from typing import Any, NamedTuple

from msgspec.structs import replace
from threadpoolctl import threadpool_limits

from predictors import PREDICTORS, Predictor, Submission
from predictors.estimate import clamp
from predictors.history import load_history
from predictors.regression.decision_tree import DecisionTree
from predictors.regression.encoding import SubmissionEncoder
from predictors.regression.rows import FEATURES

Job = tuple[Submission, float]
WINDOW = 10_000


def make_jobs(number: int, *, named: bool = False) -> Iterator[Job]:
    """Make jobs of 50 users who each repeat a few kinds of them."""
    rng = random.Random(1)  # noqa: S311 - no secret
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
            name=f"job{index}" if named else None,
        )
        yield submission, min(walltime, usual * rng.lognormvariate(0.0, 0.5))


def read_jobs(log: Path, most: int) -> list[Job]:
    """Read the first jobs of a log."""
    past = sorted(load_history(log), key=lambda job: job.submission.submit_time)
    first = past[0].submission.submit_time
    return [
        (replace(job.submission, submit_time=job.submission.submit_time - first), job.run_time)
        for job in past[:most]
    ]


def moments(jobs: Iterable[Job]) -> Iterator[tuple[float, bool, Submission, float]]:
    """Yield date, whether it is a submission (else an end), and the job, in order.

    Jobs come one by one, so that there are never more in memory than run.
    """
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


def measure(predictor: Predictor, jobs: list[Job]) -> Measured:
    """Let a predictor go through the jobs."""
    submitted, started = hook(predictor, "submitted"), hook(predictor, "started")
    predicting, learning, accuracies = [], [], []
    order = list(moments(jobs))
    cpu = process_time()
    for now, is_submission, job, run_time in order:
        begin = perf_counter_ns()
        if is_submission:
            prediction = predictor.predict(job, now)
            asked = perf_counter_ns()
            submitted(job, now)
            started(job, now)
            predicting.append(asked - begin)
            learning.append(perf_counter_ns() - asked)
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


def one_row_of_scikit_learn(jobs: list[Job]) -> dict[str, float]:
    """Return the median microseconds of a one-row prediction, by the predictor's name."""
    import pandas as pd
    from sklearn import ensemble, tree

    encoder = SubmissionEncoder(FEATURES)
    table = pd.DataFrame(
        [encoder.learn(job) for job, _ in jobs[-WINDOW:]], columns=list(FEATURES), dtype=float
    )
    run_times = [run_time for _, run_time in jobs[-WINDOW:]]
    medians = {}
    for name, regressor in [
        ("decision_tree", tree.DecisionTreeRegressor()),
        ("random_forest", ensemble.RandomForestRegressor()),
        ("gradient_boosting", ensemble.GradientBoostingRegressor()),
        ("hist_gradient_boosting", ensemble.HistGradientBoostingRegressor(early_stopping=False)),
        (
            "ada_boost",
            ensemble.AdaBoostRegressor(tree.DecisionTreeRegressor(max_depth=3), n_estimators=50),
        ),
    ]:
        regressor.fit(table, run_times)
        # threads bring nothing for one row, and wait for each other where the machine is busy
        with threadpool_limits(limits=1, user_api="openmp"):
            times = [cpu_of(regressor.predict, table.iloc[[place]]) for place in range(100)]
        medians[name] = median(times) / 1000
    return medians


def cpu_of(function: Callable[[Any], Any], argument: Any) -> int:  # noqa: ANN401 - anything
    """Return the CPU time of a call in ns; a long one is interrupted where the machine is busy."""
    begin = process_time_ns()
    function(argument)
    return process_time_ns() - begin


def speeds(specs: list[str], jobs: list[Job]) -> Iterator[dict[str, Any]]:
    """Measure predictors and scikit-learn."""
    beside = one_row_of_scikit_learn(jobs)
    for spec in specs:
        # the first use imports what is needed and warms up; the second is measured
        measure(make(spec), jobs[:100])
        it = measure(make(spec), jobs)
        name = PREDICTORS.split(parse(spec))[0]
        reference = beside.get(name, beside["decision_tree"])
        yield {
            "predictor": spec,
            "jobs": len(jobs),
            "median_us": it.median,
            "mean_us": it.mean,
            "learn_us": it.learn,
            "cpu_s": it.cpu,
            "sklearn_us": reference,
            "share": it.median / reference,
            "accuracy": it.accuracy,
        }


class Recording(DecisionTree):
    """A decision tree that keeps a copy of each table that it is fitted to."""

    def __post_init__(self) -> None:
        """Begin with no table."""
        super().__post_init__()
        self.tables: list[tuple[Any, Any]] = []

    def fit(self, rows: Any, targets: Any) -> Any:  # noqa: ANN401 - numpy arrays
        """Fit, as the tree does."""
        self.tables.append((rows.astype("float32"), targets.copy()))
        return super().fit(rows, targets)


def refits(jobs: list[Job]) -> dict[str, float]:
    """Compare a replay with daily fits of a tree with these fits alone."""
    from sklearn.tree import DecisionTreeRegressor

    recording = Recording()
    measure(recording, jobs)
    replayed = measure(PREDICTORS.make("decision_tree"), jobs).cpu
    begin = process_time()
    for rows, targets in recording.tables:
        DecisionTreeRegressor(random_state=13).fit(rows, targets)
    bare = process_time() - begin
    return {
        "jobs": len(jobs),
        "fits": len(recording.tables),
        "replay_cpu_s": replayed,
        "bare_fits_cpu_s": bare,
        "ratio": replayed / bare,
    }


def memory(spec: str) -> dict[str, Any]:
    """Return a predictor's memory, in a process of its own."""
    # maximum resident size is counted in KiB, on macOS in bytes
    per_mib = 2**20 if sys.platform == "darwin" else 2**10
    counts = (50_000, 200_000)
    predictor = make(spec)
    # imports what is needed
    measure(make(spec), list(make_jobs(100)))
    before = getrusage(RUSAGE_SELF).ru_maxrss
    submitted, started = hook(predictor, "submitted"), hook(predictor, "started")
    peaks: list[float] = []
    ended = 0
    for now, is_submission, job, run_time in moments(make_jobs(counts[-1], named=True)):
        if is_submission:
            predictor.predict(job, now)
            submitted(job, now)
            started(job, now)
            continue
        predictor.learn(job, run_time, now)
        ended += 1
        if ended in counts:
            peaks.append((getrusage(RUSAGE_SELF).ru_maxrss - before) / per_mib)
    return {"predictor": spec, **dict(zip(("mib_50000", "mib_200000"), peaks, strict=True))}


def make(spec: str) -> Predictor:
    """Make a predictor of its name or of JSON with its name and options."""
    predictor: Predictor = PREDICTORS.make(parse(spec))
    return predictor


def parse(spec: str) -> Any:  # noqa: ANN401 - a name or an object
    """Read JSON where it is given."""
    return json.loads(spec) if spec.startswith("{") else spec


def show(results: Iterator[dict[str, Any]], *, as_json: bool) -> None:
    """Print results as they come, or all as JSON."""
    if as_json:
        print(json.dumps(list(results), indent=2))
        return
    for place, result in enumerate(results):
        if place == 0:
            print(f"{'predictor':<24}" + "".join(f"{key:>17}" for key in list(result)[1:]))
        values = list(result.values())
        numbers = "".join(
            f"{value:>17}" if isinstance(value, int) else f"{value:>17.3f}" for value in values[1:]
        )
        print(f"{values[0]:<24}{numbers}", flush=True)


def main() -> None:
    """Measure predictors, by default every one that is found by entry point."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--log", type=Path, help="a log, a workload or a CSV of past jobs")
    parser.add_argument("--jobs", type=int, default=20_000, help="how many jobs at most")
    parser.add_argument("--predictor", action="append", help="a name, or JSON; may be repeated")
    parser.add_argument("--refits", action="store_true", help="a tree's daily fits")
    parser.add_argument("--memory", action="store_true", help="peak memory")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of a table")
    options = parser.parse_args()
    specs = options.predictor or PREDICTORS.names()
    if options.memory:
        # a process for each, since a peak stays; spawned, as a forked one begins with this one's
        with ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), max_tasks_per_child=1
        ) as processes:
            show(processes.map(memory, specs), as_json=options.json)
        return
    jobs = (
        list(make_jobs(options.jobs))
        if options.log is None
        else read_jobs(options.log, options.jobs)
    )
    if options.refits:
        show(iter([{"predictor": "decision_tree", **refits(jobs)}]), as_json=options.json)
    else:
        show(speeds(specs, jobs), as_json=options.json)


if __name__ == "__main__":
    main()
