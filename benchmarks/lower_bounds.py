"""Show how far policies are from what no schedule can beat.

Usage: python benchmarks/lower_bounds.py LOG... [--policy NAME]... [--rounds N]

Prints a row for each log and figure: the lower bound, its CPU seconds, and the figure under each
policy (by default EASY, EASY++, and the shortest first with run times known exactly).
"""

import argparse
import time
from pathlib import Path

import pred_aware as pa
from pred_aware.at_best.bound import MEASURES

KNOWN = {"policy": "policy", "order": "sjf", "backfilling": "easy", "predictor": "actual"}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--policy", action="append")
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    policies = given.policy or ["easy", "easy_plus_plus"]
    head = ["log", "figure", "at best", "CPU s", *policies, "exact, shortest first"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for path in given.logs:
        log = pa.read_log(path)
        runs = [pa.simulate(log, policy) for policy in policies]
        runs.append(pa.simulate(log, **KNOWN))
        for measure in MEASURES:
            began = time.process_time()
            bound = pa.lower_bound(runs[0], measure, rounds=given.rounds)
            seconds = time.process_time() - began
            told = "none" if bound.value is None else f"{bound.value:.4g}"
            figures = [f"{run.figures[measure]:.4g}" for run in runs]
            row = [path.name.partition(".swf")[0], measure, told, f"{seconds:.0f}", *figures]
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
