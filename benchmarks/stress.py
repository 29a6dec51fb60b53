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
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.campaign import Campaign

if TYPE_CHECKING:
    import pandas as pd

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
                worst = here.loc[here["difference"].idxmax()]
                share = untrusted.loc[list(zip(here["log"], here["policy"], strict=True))].mean()
                yield [
                    measure, f"{load:g}", name, f"{(here['high'] < 0.0).sum()}",
                    f"{((here['low'] <= 0.0) & (here['high'] >= 0.0)).sum()}",
                    f"{(here['low'] > 0.0).sum()}", f"{100 * _mean_ratio(here):+.0f} %",
                    f"{worst['log'].rpartition(' at ')[0]}: {_change(worst)}",
                    f"{100 * share:.0f} %",
                ]  # fmt: skip


def _mean_ratio(here: "pd.DataFrame") -> float:
    """Return the geometric mean of the ratios to EASY, less 1."""
    return math.exp(sum(math.log1p(max(one, -0.999)) for one in here["difference"]) / len(here)) - 1


def _change(row: "pd.Series[Any]") -> str:
    value, low, high = (100 * float(row[name]) for name in ("difference", "low", "high"))
    return f"{value:+.0f} % [{low:+.0f}, {high:+.0f}]"


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
    table = list(rows(found, asked.loads))
    for row in (heads, ["---"] * len(heads), *table):
        print(f"| {' | '.join(row)} |")
    return int(any(int(row[5]) for row in table))


if __name__ == "__main__":
    sys.exit(main())
