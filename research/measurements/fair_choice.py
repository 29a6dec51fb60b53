"""Choose version 5 of `recommended` by a rule written down before.

    python research/measurements/fair_choice.py record FOLDER JOBS LOG...
    python research/measurements/fair_choice.py search FOLDER MINUTES
    python research/measurements/fair_choice.py choose FOLDER

The rule stands in research/docs/recommended.md. *record* keeps the last JOBS jobs of each log and
the estimates that the predictors of `recommended` make of them, as a workload. *search* simulates
the candidates on perturbed copies of these workloads with the recorded estimates, and writes the
figures of each run to a file. It leaves out runs that the file has. *choose* applies the rule to
that file and prints the tables in Markdown.
"""

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import msgspec
import numpy as np
from scipy.stats import t

from pred_aware import Run, Workload, read_log, simulate
from predictors import PREDICTORS, Submission, clamp
from schedulers import COMBINATIONS

ALLOCATED = "allocated:"
"""Before an SWF: its jobs take the processors that they had, not those that they asked for."""
WINDOW = 20_000
"""So many jobs of each workload are simulated: the last ones."""
KEPT = ("id", "subtime", "res", "walltime", "profile", "user_id")
SHORT = 10.0
"""Run times below this count as this in bounded slowdowns, in seconds."""

CLASSES = {"at most 1 %": 0.01, "1 to 5 %": 0.05, "5 to 25 %": 0.25, "over 25 %": 1.0}
"""Classes of jobs by their largest share of the machine."""
LEAST = 100
"""A class with fewer jobs in a log does not count there."""

MEAN_LIMITS = {
    "slowdown": 0.52, "wait": 0.62, "p99": 0.85, "longest": 1.00, "weighted": 0.98,
    **dict.fromkeys(CLASSES, 1.05),
}  # fmt: skip
"""The largest geometric mean over the logs of a figure's ratio to EASY."""
WORST_LIMITS = {"p99": 1.10, "longest": 1.30, "weighted": 1.10}
"""The largest ratio to EASY on any log."""

Ratios = Mapping[str, Mapping[str, float]]
"""The ratio of each figure to EASY by log and figure."""
Point = tuple[float, ...]
"""Exponent, share of the backlog, ageing, percentile for running jobs (0: walltimes)."""

VALUES = ((0.5, 0.6, 0.7, 0.8), (0.8, 1.0, 1.2), (0.0, 2.0), (0.0, 90.0))
"""The values of each part of a `Point`; values beside each other are neighbours."""
POINTS: tuple[Point, ...] = tuple(product(*VALUES))
HEAD_START = 7200.0
RECORDED = {"queueing": "recorded", "backfilling": "recorded"}


def options_of(point: Point) -> dict[str, Any]:
    """Return the options of a candidate; its estimates are the recorded ones."""
    exponent, share, ageing, percentile = point
    running = {"running": {"name": "percentile", "percentile": percentile}} if percentile else {}
    trust = {} if percentile else {"min_concordance": 0.55}
    return {
        "order": {
            "name": "lxf", "head_start": HEAD_START, "exponent": exponent, "ageing": ageing,
        },
        "backfilling": {"name": "easy", "reservations": 3},
        "estimates": RECORDED | running,
        "max_wait": {"backlog": share},
        **trust,
    }  # fmt: skip


def name_of(point: Point) -> str:
    """Return a candidate's name in tables."""
    exponent, share, ageing, percentile = point
    drains = f", running by percentile {percentile:g}" if percentile else ""
    return f"e {exponent:g}, share {share:g}, ageing {ageing:g}{drains}"


def policies() -> dict[str, dict[str, Any]]:
    """Return the options of all policies by name: EASY, version 4, and the candidates."""
    fourth = COMBINATIONS["recommended_v4"].made_of
    found: dict[str, dict[str, Any]] = {"easy": {}, "version 4": fourth | {"estimates": RECORDED}}
    return found | {name_of(point): options_of(point) for point in POINTS}


class Recorder:
    """Predicts like `recommended`, and keeps the estimates by job."""

    def __init__(self, made: dict[str, float]) -> None:
        self.inner = PREDICTORS.make(COMBINATIONS["recommended_v4"].options["predictor"])
        self.made = made

    def __deepcopy__(self, memo: object) -> "Recorder":
        """Return itself: a run uses a copy, whose estimates are wanted here."""
        return self

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the predictor has
        """Return another method of the predictor: `submitted`, `started` or `withdrawn`."""
        return getattr(self.inner, name)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the prediction, and keep the estimate."""
        predicted: float | None = self.inner.predict(submission, now)
        self.made[submission.id.rpartition("!")[2]] = clamp(predicted, submission)
        return predicted

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Let the predictor learn from an ended job."""
        self.inner.learn(submission, run_time, now)


def last_jobs(content: Mapping[str, Any], count: int) -> dict[str, Any]:
    """Return the last jobs of a workload, the first of which comes at second 0."""
    jobs = [dict(job) for job in content["jobs"][-count:]]
    first = jobs[0]["subtime"]
    for job in jobs:
        job["subtime"] -= first
    used = {job["profile"] for job in jobs}
    profiles = {name: one for name, one in content["profiles"].items() if name in used}
    return {"nb_res": content["nb_res"], "jobs": jobs, "profiles": profiles}


def record(folder: Path, log: str, count: int) -> None:
    """Write the last jobs of a log with their estimates, as a workload."""
    options = {"processors_from": "allocated"} if log.startswith(ALLOCATED) else {}
    path = Path(log.removeprefix(ALLOCATED))
    read = read_log(path, missing_walltime="drop", **options)
    raw = json.loads(read.workload.raw.content) | {"nb_res": read.machine.processors}
    content = last_jobs(raw, count)
    content["jobs"] = [{name: job[name] for name in KEPT if name in job} for job in content["jobs"]]
    made: dict[str, float] = {}
    recorder = Recorder(made)
    fourth = policies()["version 4"] | {
        "estimates": {"queueing": recorder, "backfilling": recorder}
    }
    simulate(Workload.of(content), "policy", options=fourth)
    for job in content["jobs"]:
        job["soft_walltime"] = made[str(job["id"])]
    name = path.name.partition(".")[0]
    (folder / f"{name}.json").write_bytes(msgspec.json.encode(content))
    print(name, len(content["jobs"]), flush=True)


def figures_of(run: Run, processors: int) -> dict[str, float]:
    """Return the figures of a run: means over jobs, the longest wait, waits by size class."""
    jobs = run.jobs
    wait = jobs["waiting_time"].to_numpy()
    length = (jobs["finish_time"] - jobs["starting_time"]).to_numpy()
    size = jobs["requested_number_of_resources"].to_numpy()
    figures = {
        "slowdown": np.maximum(1.0, (wait + length) / np.maximum(length, SHORT)).mean(),
        "wait": wait.mean(),
        "p99": np.quantile(wait, 0.99),
        "longest": wait.max(),
        "weighted": (wait * size * length).sum() / (size * length).sum(),
    }
    above = 0.0
    for name, most in CLASSES.items():
        inside = (size > above * processors) & (size <= most * processors)
        above = most
        if inside.sum() >= LEAST:
            figures[name] = wait[inside].mean()
    return {name: float(value) for name, value in figures.items()}


def search(folder: Path, minutes: float) -> None:
    """Simulate what is missing, copy by copy, and stop after so many minutes."""
    ends = time.monotonic() + 60.0 * minutes
    results = folder / "results.jsonl"
    known = {(one["copy"], one["log"], one["policy"]) for one in read_results(results)}
    workloads = {
        one.stem: Workload.of(last_jobs(json.loads(one.read_bytes()), WINDOW), one.stem)
        for one in sorted(folder.glob("*.json"))
    }
    with results.open("a") as out:
        copy = 0
        while True:
            copy += 1
            for log, workload in workloads.items():
                missing = [name for name in policies() if (copy, log, name) not in known]
                perturbed = workload.shaken(copy) if missing else workload
                for name in missing:
                    if time.monotonic() > ends:
                        return
                    began = time.process_time()
                    policy = "easy" if name == "easy" else "policy"
                    run = simulate(perturbed, policy, options=policies()[name])
                    figures = figures_of(run, workload.processors or 1)
                    cpu = round(time.process_time() - began, 3)
                    row = {"copy": copy, "log": log, "policy": name, "cpu": cpu} | figures
                    out.write(json.dumps(row) + "\n")
                    out.flush()


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return the rows of the file of results; none where there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def complete(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of the copies of logs on which all policies ran."""
    runs = Counter((row["copy"], row["log"]) for row in rows)
    return [row for row in rows if runs[row["copy"], row["log"]] == len(policies())]


def ratios_of(rows: list[dict[str, Any]]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the ratios to EASY by policy, log and figure: of the means over the copies."""
    logs = sorted({row["log"] for row in rows})
    means: dict[tuple[str, str], dict[str, float]] = {}
    for policy, log in product(policies(), logs):
        mine = [row for row in rows if row["policy"] == policy and row["log"] == log]
        names = [name for name in MEAN_LIMITS if all(name in row for row in mine)]
        means[policy, log] = {name: fmean(row[name] for row in mine) for name in names}
    return {
        policy: {
            log: {
                name: value / means["easy", log][name]
                for name, value in means[policy, log].items()
                if means["easy", log].get(name, 0.0) > 0.0
            }
            for log in logs
        }
        for policy in policies()
    }


def over_logs(ratios: Ratios, logs: Iterable[str]) -> Iterator[tuple[str, float, float]]:
    """Return the geometric mean and the largest ratio of each figure over some logs."""
    for name in MEAN_LIMITS:
        values = [ratios[log][name] for log in logs if ratios[log].get(name, 0.0) > 0.0]
        if values:
            yield name, math.exp(fmean(map(math.log, values))), max(values)


def violation(ratios: Ratios, logs: Iterable[str]) -> float:
    """Return by how much the limits are exceeded: the sum of the logarithms."""
    total = 0.0
    for name, mean, worst in over_logs(ratios, [*logs]):
        total += max(0.0, math.log(mean / MEAN_LIMITS[name]))
        if name in WORST_LIMITS:
            total += max(0.0, math.log(worst / WORST_LIMITS[name]))
    return total


def gain(ratios: Ratios, logs: Iterable[str]) -> float:
    """Return the logarithm of the product of slowdown, mean wait and 99th percentile."""
    means = {name: mean for name, mean, _ in over_logs(ratios, logs)}
    return sum(math.log(means[name]) for name in ("slowdown", "wait", "p99"))


def neighbours(point: Point) -> list[Point]:
    """Return a candidate and those that differ from it by one step in one part."""

    def steps(one: Point) -> list[int]:
        return [
            abs(values.index(a) - values.index(b))
            for values, a, b in zip(VALUES, one, point, strict=True)
        ]

    return [one for one in POINTS if sum(steps(one)) <= 1]


def best(ratios: Mapping[str, Ratios], logs: list[str]) -> str:
    """Return the policy that the rule chooses by some logs."""

    def plateau(point: Point, score: Callable[[Ratios, Iterable[str]], float]) -> float:
        return fmean(score(ratios[name_of(one)], logs) for one in neighbours(point))

    allowed = [one for one in POINTS if not violation(ratios[name_of(one)], logs)]
    if allowed:
        return name_of(min(allowed, key=lambda one: plateau(one, gain)))
    chosen = name_of(min(POINTS, key=lambda one: plateau(one, violation)))
    fourth = violation(ratios["version 4"], logs)
    return "version 4" if fourth <= violation(ratios[chosen], logs) else chosen


def interval(logarithms: list[float]) -> str:
    """Return the 95 % interval of a mean ratio from the logarithms of independent ratios."""
    if len(logarithms) < 2:  # noqa: PLR2004 - one ratio has no spread
        return ""
    reach = t.ppf(0.975, len(logarithms) - 1) * stdev(logarithms) / math.sqrt(len(logarithms))
    middle = fmean(logarithms)
    return f" [{math.exp(middle - reach):.2f}, {math.exp(middle + reach):.2f}]"


def cells(ratios: Ratios, logs: list[str]) -> str:
    """Return the cells of a row: violation, geometric means with intervals, and the worst."""
    shown = [f"{violation(ratios, logs):.3f}"]
    for name, mean, worst in over_logs(ratios, logs):
        found = [math.log(ratios[log][name]) for log in logs if ratios[log].get(name, 0.0) > 0.0]
        shown.append(f"{mean:.3f}{interval(found)} ({worst:.2f})")
    return " | ".join(shown)


def on_log(rows: list[dict[str, Any]], log: str, policy: str) -> str:
    """Return the cells of a policy on one log: ratios with intervals over the copies."""
    runs = {(row["copy"], row["policy"]): row for row in rows if row["log"] == log}
    copies = sorted({copy for copy, _ in runs})
    shown = []
    for name in MEAN_LIMITS:
        pairs = [(runs[copy, policy].get(name), runs[copy, "easy"].get(name)) for copy in copies]
        found = [math.log(mine / base) for mine, base in pairs if mine and base]
        reach = "" if name == "longest" else interval(found)  # few copies give no interval of it
        shown.append(f"{math.exp(fmean(found)):.2f}{reach}" if found else "-")
    return " | ".join(shown)


def choose(folder: Path) -> None:
    """Print what the rule chooses, all candidates, and what it chooses without each log."""
    rows = complete(read_results(folder / "results.jsonl"))
    ratios = ratios_of(rows)
    logs = sorted({row["log"] for row in rows})
    chosen = best(ratios, logs)
    say = print
    copies = Counter(row["log"] for row in rows if row["policy"] == "easy")
    say(f"Copies: {', '.join(f'{log} {count}' for log, count in copies.items())}.")
    say(f"Chosen: {chosen}\n")
    heads = ["violation", *MEAN_LIMITS]
    say("| policy | " + " | ".join(heads) + " |\n|" + " --- |" * (len(heads) + 1))
    for policy in policies():
        say(f"| {policy} | {cells(ratios[policy], logs)} |")
    say("\n| log | policy | " + " | ".join(MEAN_LIMITS) + " |\n|" + " --- |" * (len(heads) + 1))
    left_out: dict[str, Mapping[str, float]] = {}
    for log in logs:
        without = best(ratios, [one for one in logs if one != log])
        left_out[log] = ratios[without][log]
        for label, policy in (("", "version 4"), ("", chosen), ("without it: ", without)):
            say(f"| {log} | {label}{policy} | {on_log(rows, log, policy)} |")
    say(f"\nChosen without each log, on that log: | {cells(left_out, logs)} |")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("record", "search", "choose"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("rest", nargs="*")
    asked = parser.parse_args()
    if asked.what == "record":
        for log in asked.rest[1:]:
            record(asked.folder, log, int(asked.rest[0]))
    elif asked.what == "search":
        search(asked.folder, float(asked.rest[0]))
    else:
        choose(asked.folder)


if __name__ == "__main__":
    main()
