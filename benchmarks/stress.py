"""Whether a scheduler does harm where its predictions are bad, or the machine is nearly empty.

Usage: python benchmarks/stress.py [--scheduler JSON] [--loads 0.5,0.8,1.1] [--shakes N]
           [--store FOLDER] [-j N] LOG...

A campaign of EASY and of the scheduler (`recommended`, with its options) with its own predictor,
with none (walltimes), with one that answers at random, with 1 s for every job, and with its own of
a log that tells no users, on each log brought to each load. The tables say, for each predictor and
load, on how many of the logs mean wait, mean bounded slowdown and 99th percentile are better and
worse than under EASY by more than their interval, which log is the worst, and which share of the
jobs started without trust in the predictions. Ends with 1 if any was worse.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from written import change, geometric_mean, table

from pred_aware.campaign.campaign import Campaign

MEASURES = ("mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time")
UNTRUSTED = "started_without_trust"
PREDICTORS: dict[str, Any] = {
    "its own": None,
    "no users": "unhelpful:WithoutUsers",
    "walltimes": "walltime",
    "random": "unhelpful:Random",
    "always 1 s": {"name": "constant", "seconds": 1},
}


def campaign(asked: argparse.Namespace) -> Campaign:
    """Return the campaign of all of it."""
    scheduler = json.loads(asked.scheduler)
    policies: dict[str, Any] = {"easy": {}}
    for name, predictor in PREDICTORS.items():
        policies[name] = scheduler if predictor is None else {**scheduler, "predictor": predictor}
    logs = {
        f"{path.name.partition('.')[0]} at {load:g}": {"file": str(path.resolve()), "load": load}
        for path in asked.log
        for load in asked.loads
    }
    return Campaign.of(
        {
            "store": str(asked.store),
            "baseline": "easy",
            "logs": logs,
            "policies": policies,
            "measures": [*MEASURES, UNTRUSTED],
            "shakes": {"at_least": asked.shakes, "at_most": asked.shakes},
        },
        name="stress",
    )


def rows(found: Campaign, loads: list[float]) -> Iterator[list[str]]:
    """Yield a row for each measure, load and predictor."""
    compared, runs = found.compared(), found.runs()
    untrusted = runs.groupby(["log", "policy"])[UNTRUSTED].mean()
    for measure in MEASURES:
        for load in loads:
            for name in PREDICTORS:
                here = compared[
                    (compared["measure"] == measure)
                    & (compared["policy"] == name)
                    & compared["log"].str.endswith(f" at {load:g}")
                ]
                # where EASY lets nobody wait there is no ratio
                here = here[here["base"] > 0.0]
                ratios = (here["difference"] + 1.0).clip(lower=0.001)
                worst = here.loc[here["difference"].idxmax()]
                told = change(*(float(worst[name]) for name in ("difference", "low", "high")))
                share = untrusted.loc[list(zip(here["log"], here["policy"], strict=True))].mean()
                yield [
                    measure, f"{load:g}", name, f"{(here['high'] < 0.0).sum()}",
                    f"{((here['low'] <= 0.0) & (here['high'] >= 0.0)).sum()}",
                    f"{(here['low'] > 0.0).sum()}", f"{100 * (geometric_mean(ratios) - 1):+.0f} %",
                    f"{worst['log'].rpartition(' at ')[0]}: {told}",
                    f"{100 * share:.0f} %",
                ]  # fmt: skip


def main() -> int:
    """Run the campaign, print the table, and say whether anything was worse."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", nargs="+", type=Path)
    parser.add_argument("--scheduler", default='{"scheduler": "recommended"}')
    parser.add_argument("--loads", default="0.5,0.8,1.1")
    parser.add_argument("--shakes", type=int, default=5)
    parser.add_argument("--store", type=Path, default=Path("stress.runs"))
    parser.add_argument("-j", "--workers", type=int)
    asked = parser.parse_args()
    asked.loads = [float(load) for load in asked.loads.split(",")]
    found = campaign(asked)
    found.run(workers=asked.workers)
    for name, reason in found.failures.items():
        print(f"{name}: {reason}", file=sys.stderr)
    heads = ["measure", "load", "predictions", "better", "not told apart", "worse", "on average",
             "the worst", "without trust"]  # fmt: skip
    found_rows = list(rows(found, asked.loads))
    table(heads, found_rows)
    return int(any(int(row[5]) for row in found_rows))


if __name__ == "__main__":
    sys.exit(main())
