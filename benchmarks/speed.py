"""Measure the CPU seconds of `pred-aware run`, divided by those of `bare_counting.py`.

Usage: python benchmarks/speed.py [--rounds N] PLATFORM WORKLOAD SCHEDULER [options of `run`]
"""

import argparse
import os
import tempfile
from pathlib import Path

from bare_counting import easy, rows_of
from children import megabytes, seconds_of

from workload_tools.batsim.reader import load_raw
from workload_tools.platform.reader import read_platform


def main() -> None:
    """Measure a run several times, alternating with bare counting on the reference workload."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--reference", type=Path, help="workload for bare counting")
    parser.add_argument("--reference-platform", type=Path)
    parser.add_argument("platform", type=Path)
    parser.add_argument("workload", type=Path)
    parser.add_argument("arguments", nargs="+", help="scheduler and other arguments of `run`")
    given, more = parser.parse_known_args()
    workload = load_raw(given.reference or given.workload)
    processors = len(read_platform(given.reference_platform or given.platform).hosts)
    rows = rows_of(workload)
    ratios, totals, bares = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        arguments = [
            "run", "-q", "-p", os.fspath(given.platform), "-w", os.fspath(given.workload),
            "-e", f"{folder}/out", "-s", *given.arguments, *more,
        ]  # fmt: skip
        for _ in range(given.rounds):
            first = easy(processors, rows)[1]
            seconds = seconds_of(*arguments)
            bare = (first + easy(processors, rows)[1]) / 2
            ratios.append(seconds / bare)
            totals.append(seconds)
            bares.append(bare)
    print(
        f"{given.workload} {' '.join([*given.arguments, *more])}: "
        f"{sorted(totals)[len(totals) // 2]:.2f} CPU s, bare counting "
        f"{sorted(bares)[len(bares) // 2]:.2f} s, ratio {sorted(ratios)[len(ratios) // 2]:.2f}, "
        f"{megabytes()} MB"
    )


if __name__ == "__main__":
    main()
