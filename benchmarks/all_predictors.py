"""All predictors on all logs: the tables of docs/predictors-measured.md.

    python benchmarks/all_predictors.py --cache CACHE LOG.swf.gz ...
    python benchmarks/all_predictors.py --cache CACHE --table LOG.swf.gz ... > tables.md

Replays each log with every predictor that is installed, as `pred-aware predict` does, each with its
defaults, but the ensembles refitted each 2,000 ended jobs; `--predictor` names others. The folder
CACHE gets a line of JSON for each predictor and log: what is there is not computed again, so that a
run can be stopped and go on later. `--table` computes nothing and prints Markdown.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from math import exp, log
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from pred_aware.log.past_jobs import PastJobs, past_jobs
from pred_aware.prediction.candidate import Candidate, read_candidates
from pred_aware.prediction.evaluation import evaluate
from pred_aware.prediction.replay import replay
from predictors import PREDICTORS
from workload_tools.formats import open_log
from workload_tools.log import gather

REFIT_JOBS = 2000
ENSEMBLES = ("random_forest", "gradient_boosting", "hist_gradient_boosting", "ada_boost")
BASE = "last_two"
"""Whom the others are compared with."""

Results = dict[tuple[str, str], dict[str, Any]]
"""What was measured, by predictor and log."""

MEASURES = (
    ("mae", "Mean absolute error, min", 1 / 60, ".1f", True),
    ("median_absolute_error", "Median absolute error, s", 1.0, ".0f", True),
    ("deviation_ratio", "Mean deviation ratio, max(e / r, r / e)", 1.0, ".1f", True),
    ("underestimated", "Underestimated, % of all jobs", 100.0, ".1f", False),
    (
        "underestimated_within_walltime",
        "Underestimated, % of the jobs that ended within their walltime",
        100.0,
        ".1f",
        False,
    ),
    ("predict_median", "Median microseconds for a prediction", 1.0, ".2f", False),
    ("learn_median", "Median microseconds for learning a job", 1.0, ".2f", False),
)
"""The measure's key, its title, its factor and form, and whether small is good."""


def everybody() -> list[Candidate]:
    """Return all that are installed."""
    return [
        Candidate(name, {"name": name, "refit_jobs": REFIT_JOBS} if name in ENSEMBLES else name)
        for name in PREDICTORS.names()
    ]


def name_of(path: Path) -> str:
    """Return what a log is called in the tables."""
    return path.name.split(".")[0]


def shown(name: str) -> str:
    """Return the part of a log's name before its year and version.

    Examples
    --------
    >>> shown("KTH-SP2-1996-2")
    'KTH-SP2'
    """
    return re.split(r"-(?=(19|20)\d\d)", name)[0]


def load(cache: Path, logs: Iterable[Path]) -> Results:
    """Read what was measured before."""
    found: Results = {}
    for path in logs:
        file = cache / f"{name_of(path)}.jsonl"
        for line in file.read_bytes().splitlines() if file.exists() else ():
            result = msgspec.json.decode(line)
            found[result["predictor"], name_of(path)] = result
    return found


def measure(jobs: PastJobs, asked: Candidate) -> dict[str, Any]:
    """Replay a log with one predictor."""
    began = process_time()
    (found,) = replay(jobs, [asked])
    seconds = process_time() - began
    result = evaluate(jobs, found).to_dict()
    return {
        **{key: value for key, value in result.items() if not isinstance(value, dict | list)},
        "specification": asked.specification,
        "walltime": result["walltime"],
        "effectiveness": result["effectiveness"],
        "by_length": result["by_length"],
        **result["microseconds"],
        "cpu_seconds": seconds,
    }


def compute(asked: Sequence[Candidate], logs: Sequence[Path], cache: Path) -> None:
    """Measure what the cache does not have, and note each result at once."""
    cache.mkdir(parents=True, exist_ok=True)
    known = load(cache, logs)
    for path in logs:
        missing = [
            one
            for one in asked
            if known.get((one.label, name_of(path)), {}).get("specification") != one.specification
        ]
        if not missing:
            continue
        jobs = past_jobs(gather(open_log(path)).jobs)
        for one in missing:
            result = measure(jobs, one)
            with (cache / f"{name_of(path)}.jsonl").open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")
            print(
                f"{name_of(path)} {one.label}: MAE {result['mae']:.0f} s, "
                f"{result['cpu_seconds']:.1f} CPU s",
                file=sys.stderr,
                flush=True,
            )


def table(results: Results, logs: Sequence[str], key: str) -> list[str]:
    """Return a table in Markdown: a row for each predictor, a column for each log."""
    title, factor, form, small_is_good = next(row[1:] for row in MEASURES if row[0] == key)
    names = sorted({name for name, _ in results})
    best = {
        log_name: min(
            value
            for name in names
            if (value := results.get((name, log_name), {}).get(key)) is not None
        )
        for log_name in logs
    }

    def cell(name: str, log_name: str) -> str:
        value = results.get((name, log_name), {}).get(key)
        if value is None:
            return ""
        text = format(value * factor, form)
        return f"**{text}**" if small_is_good and value == best[log_name] else text

    return [
        f"### {title}",
        "",
        f"| | {' | '.join(map(shown, logs))} |",
        f"|---|{'---|' * len(logs)}",
        *(f"| `{name}` | {' | '.join(cell(name, one) for one in logs)} |" for name in names),
        "",
    ]


def against_base(results: Results, logs: Sequence[str]) -> list[str]:
    """Say who does better than `last_two`, and where nobody does."""
    names = sorted({name for name, _ in results} - {BASE})
    lines = [
        f"### Against `{BASE}`",
        "",
        (
            "In how many logs each is better, and the geometric mean of its figure / that of "
            f"`{BASE}` (below 1 is better)."
        ),
        "",
        "| | MAE | | median | | deviation ratio | |",
        "|---|---|---|---|---|---|---|",
    ]
    keys = [row[0] for row in MEASURES if row[4]]
    winners: dict[tuple[str, str], list[str]] = {(one, key): [] for one in logs for key in keys}
    for name in names:
        cells = []
        for key in keys:
            ratios = {
                one: ratio
                for one in logs
                if (ratio := _ratio(results, name, one=one, key=key)) is not None
            }
            for one, ratio in ratios.items():
                if ratio < 1.0:
                    winners[one, key].append(name)
            better = sum(ratio < 1.0 for ratio in ratios.values())
            positive = [ratio for ratio in ratios.values() if ratio > 0.0]
            mean = exp(sum(map(log, positive)) / len(positive)) if positive else float("nan")
            cells.append(f"{better} of {len(ratios)} | {mean:.2f}")
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    nobody = [f"{shown(one)} ({key})" for (one, key), who in winners.items() if not who]
    lines += ["", f"Where nobody is better than `{BASE}`: {', '.join(nobody) or 'nowhere'}.", ""]
    return lines


def best_by_length(results: Results, logs: Sequence[str]) -> list[str]:
    """Say who has the smallest mean absolute error among short, medium and long jobs."""
    names = sorted({name for name, _ in results})
    lines = [
        "### The smallest mean absolute error, by run time",
        "",
        (
            f"In brackets: that error / the one of `{BASE}`, and the share of the jobs. Short: "
            "up to 2 h; medium: up to 24 h."
        ),
        "",
        "| | short | medium | long |",
        "|---|---|---|---|",
    ]
    for one in logs:
        measured = {
            name: results[name, one]["by_length"] for name in names if (name, one) in results
        }
        cells = []
        for place in range(3):
            base = measured[BASE][place]
            if not base["jobs"]:
                cells.append("no job")
                continue
            mae, name = min((groups[place]["mae"], name) for name, groups in measured.items())
            cells.append(f"`{name}` ({mae / base['mae']:.2f}; {100 * base['share']:.1f} %)")
        lines.append(f"| {shown(one)} | {' | '.join(cells)} |")
    return [*lines, ""]


def _ratio(results: Results, name: str, *, one: str, key: str) -> float | None:
    mine = results.get((name, one), {}).get(key)
    base = results.get((BASE, one), {}).get(key)
    return mine / base if mine is not None and base else None


def main() -> None:
    """Measure, or print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logs", nargs="+", type=Path, help="job logs of any known format")
    parser.add_argument("--cache", required=True, type=Path, help="folder of what was measured")
    parser.add_argument("--predictor", action="append", help="as for pred-aware predict")
    parser.add_argument("--table", action="store_true", help="print the tables, compute nothing")
    arguments = parser.parse_args()
    asked = read_candidates(arguments.predictor) if arguments.predictor else everybody()
    if not arguments.table:
        compute(asked, arguments.logs, arguments.cache)
        return
    results = load(arguments.cache, arguments.logs)
    logs = [name_of(path) for path in arguments.logs]
    logs = [one for one in logs if any(found == one for _, found in results)]
    for row in MEASURES:
        print("\n".join(table(results, logs, row[0])))
    print("\n".join(against_base(results, logs)))
    print("\n".join(best_by_length(results, logs)))


if __name__ == "__main__":
    main()
