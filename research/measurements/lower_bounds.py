"""Show how far policies are from what no schedule can beat.

Usage: python research/measurements/lower_bounds.py LOG... [--rounds N]

Prints a row for each log and figure: the lower bound, its CPU seconds, and the figure under EASY,
EASY++ and `pred_aware` by the mean of the user's last two run times, each also with run times known
exactly.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import pred_aware as pa

MEASURES = ("mean_waiting_time", "mean_turnaround_time", "mean_bounded_slowdown")
POLICIES: dict[str, dict[str, Any]] = {
    "easy": {},
    "easy_plus_plus": {},
    "pred_aware": {"predictor": "last_two"},
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    columns = [cell for policy in POLICIES for cell in (f"`{policy}`", "exact")]
    head = ["log", "figure", "lower bound", "CPU s", *columns]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for path in given.logs:
        log = pa.read_log(path)
        runs = [
            pa.simulate(log, policy, options=one)
            for policy, options in POLICIES.items()
            for one in (options, {**options, "predictor": "actual"})
        ]
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
