"""The scheduler `recommended` on paper 001's day of Marconi100, row by row of the paper's tables.

Usage: python benchmarks/recommended_day.py [--shakes N] [--keep FOLDER] OUTPUTS

On 512 and 15,680 processors: what EASY, the paper's scheduler and the recommended one change
against batsched's `easy_bf`, with run times predicted and known, over shakes of the day. OUTPUTS
is the folder with the published outputs of the paper's runs, of which the day is rebuilt: the
folder `Experiments` of github.com/davide-leone/runtime-aware-scheduling.
"""

import argparse
import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tables

from pred_aware.effects.kinds import over_shakes
from reproductions.day import FIGURES, WAITS, Day
from reproductions.published import published_in

MACHINES = (512, 15_680)
SCHEDULERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "easy": ("easy", {}),
    "paper 001's": ("pred_aware", {}),
    "paper 001's, known": ("pred_aware", {"predictor": "actual"}),
    "recommended": ("recommended", {}),
    "recommended, known": ("recommended", {"predictor": "actual"}),
}


def change(row: str, baseline: list[float], mine: list[float]) -> str:
    """Return what a scheduler changes of a row, in percent, with its interval, if any."""
    one = over_shakes(baseline, mine, policy="", measure=row)
    found = one.change
    if found.value is None:
        return "-"
    if one.same:
        return "the same"
    low, high = (math.nan if end is None else end for end in (found.low, found.high))
    return tables.change(found.value, low, high)


def main() -> None:
    """Print a table for each machine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("outputs", type=Path)
    parser.add_argument("--shakes", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outputs = published_in([asked.outputs])
        if not outputs:
            parser.error(f"{asked.outputs}: has not the outputs of all four runs")
        day, seeds = Day(outputs, asked.keep or Path(folder)), range(1, asked.shakes + 1)
        for processors in MACHINES:
            baseline = [day.run(processors, "easy_bf", seed=seed).figures for seed in seeds]
            found = {
                name: [day.run(processors, *made, seed=seed).figures for seed in seeds]
                for name, made in SCHEDULERS.items()
            }
            print(f"\n**{processors:,} processors**, change against `easy_bf` in percent\n")
            print(f"| | `easy_bf` | {' | '.join(SCHEDULERS)} |")
            print(f"|---|---|{'---|' * len(SCHEDULERS)}")
            for row in (*FIGURES, *WAITS):
                old = [one[row] for one in baseline]
                cells = [change(row, old, [one[row] for one in mine]) for mine in found.values()]
                print(f"| {row} | {sum(old) / len(old):,.4g} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
