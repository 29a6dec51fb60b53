"""The error of told changes: sites whose truth is known, simulated with inferred rules.

Usage: python research/measurements/told_changes.py FOLDER

FOLDER has logs SITE.swf.gz and truth.csv with the columns site, rule, stream and
true_change_same_order_percent. That is by how many percent easy_plus_plus changes EASY's mean wait
on the site in its own order, over ten copies of the log with moved submissions. For each site the
same is simulated here, on ten perturbed copies. The last lines have the errors of the sites of
which a change is reported, the bar that covers nine of ten, and how many errors of each stream the
bar of all other streams covers.
"""

import argparse
import csv
import math
from pathlib import Path
from statistics import fmean

from pred_aware import infer_site, read_log, simulate

SHAKES, MOVED = 10, 300.0


def main() -> None:
    """Print a row for each site, and the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    errors: dict[str, list[float]] = {}
    with (folder / "truth.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            log = read_log(folder / f"{row['site']}.swf.gz")
            found = infer_site(log)
            said, true = "nothing", float(row["true_change_same_order_percent"])
            if found.verdict == "fitted":
                site = found.site if found.taken else None
                told = fmean(
                    _change(log.workload.shaken(seed, MOVED), site) for seed in range(SHAKES)
                )
                said = f"{told:+.1f}"
                errors.setdefault(row["stream"], []).append(abs(told - true))
            rules = "; ".join(step.rule for step in found.taken) or "none"
            print(f"| {row['site']} | {row['rule']} | {rules} | {said} | {true:+.1f} |", flush=True)
    every = sorted(error for each in errors.values() for error in each)
    covered = 0
    for stream, each in errors.items():
        others = [error for name, them in errors.items() if name != stream for error in them]
        covered += sum(error <= bar(others) for error in each)
    print(f"{len(every)} errors, mean {fmean(every):.1f}:", *(f"{one:.1f}" for one in every))
    print(f"bar {bar(every):.1f}; covered by that of the other streams: {covered} of {len(every)}")


def bar(errors: list[float]) -> float:
    """Return the smallest bar that covers nine of ten new errors (split conformal prediction)."""
    place = math.ceil(0.9 * (len(errors) + 1))
    return sorted(errors)[place - 1] if place <= len(errors) else math.inf


def _change(workload, site) -> float:  # noqa: ANN001 - as `simulate` takes them
    old, new = (
        float(simulate(workload, policy, site=site).ran["waiting_time"].mean())
        for policy in ("easy", "easy_plus_plus")
    )
    return 100.0 * (new / old - 1.0)


if __name__ == "__main__":
    main()
