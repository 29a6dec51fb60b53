"""Verdicts on paper 001's predictions, each from 20 random splits, made several times.

Usage: python benchmarks/split_verdicts.py [--times N] [--keep FOLDER] LOG NAME

NAME is the log's in `reproductions.logs.LOGS`, such as KTH. Prints of each claim how often it came
out how, each time with other seeds of splits and models, and of how many claims the verdict turned
from holds to does not hold: with intervals that are worth something, of none.
"""

import argparse
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from reproductions.checks.claim import FAILS, HOLDS
from reproductions.checks.of_counts import ExperimentDifference, ExperimentFigure
from reproductions.checks.statement import Statement
from reproductions.claims.paper_001 import PAPER
from reproductions.experiments import SPLITS, experiments_on


def main() -> None:
    """Make the experiments so many times, and count the verdicts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", type=Path)
    parser.add_argument("name")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for time in range(asked.times):
            seeds = range(1000 * time + 1, 1000 * time + 1 + SPLITS)
            made = experiments_on(asked.log, folder=asked.keep or Path(folder), seeds=seeds)
            evidence: Any = SimpleNamespace(experiments=lambda _, made=made: made)
            for claim in PAPER.claims:
                for place, check in enumerate(claim.checks):
                    if check.log == asked.name and _split(check):
                        name = f"{claim.name} {place + 1}"
                        verdicts[name][check.look(evidence).verdict] += 1
    for name, counts in verdicts.items():
        print(f"{name}: {', '.join(f'{verdict} {count}' for verdict, count in counts.items())}")
    turned = sum(HOLDS in counts and FAILS in counts for counts in verdicts.values())
    print(f"of {len(verdicts)} trials {turned} hold at one time and do not at another")


def _split(check: Any) -> bool:  # noqa: ANN401 - any check
    quantity = check.quantity if isinstance(check, Statement) else None
    return isinstance(quantity, ExperimentFigure | ExperimentDifference)


if __name__ == "__main__":
    main()
