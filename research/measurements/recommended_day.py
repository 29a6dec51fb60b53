"""The scheduler `recommended` on paper 001's day of Marconi100, row by row of the paper's tables.

Usage: python research/measurements/recommended_day.py [--shakes N] [--keep FOLDER] OUTPUTS

On 512 and 15,680 processors: what EASY, the paper's scheduler and the recommended one change
against batsched's `easy_bf`, with run times predicted and known, over shakes of the day. OUTPUTS
is the folder with the published outputs of the paper's runs, of which the day is rebuilt: the
folder `Experiments` of github.com/davide-leone/runtime-aware-scheduling.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pred_aware.statistics import paired_difference
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
    if baseline == mine:
        return "the same"
    found = paired_difference(baseline, mine)
    if found.value is None:
        return "-"
    told = f"{100 * found.value:+.1f}"
    # of a longest wait so few shakes have no interval
    if row.startswith("max") or found.low is None or found.high is None:
        return told
    same = "" if (found.low > 0) == (found.high > 0) else " ="
    return f"{told} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]{same}"


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
