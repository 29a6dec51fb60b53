"""A log and its twins side by side: how close they are, and what schedulers make of them.

    python research/measurements/twin.py KTH-SP2-1996-2.1-cln.swf.gz
    python research/measurements/twin.py KTH-SP2-1996-2.1-cln.swf.gz --seeds 3 --alike 2 --noise 0

Makes a twin with each of the seeds 1, 2, ..., simulates the original and the twins under EASY and
EASY++, and prints the Markdown tables of docs/how-to/twin.md. Means over a log's jobs change by
some percent with the least change of its dates, so that the original is also simulated as often
with its sessions shaken: each 10 minutes earlier or later at most, all else as it is. Options are
those of `pred-aware log model twin`.
"""

import argparse
import tempfile
from pathlib import Path
from statistics import mean, stdev

from pred_aware import read_workload, simulate
from workload_tools import Workload, gather, open_log, write_platform, write_workload
from workload_tools.changes.twin import (
    Closeness,
    Disclosure,
    TwinLog,
    TwinOptions,
    closeness,
    disclosure,
)

SCHEDULERS = {"EASY": "easy", "EASY++": "easy_plus_plus"}
FIGURES = {"mean wait, s": "mean_waiting_time", "mean bounded slowdown": "mean_bounded_slowdown"}

Figures = dict[str, dict[str, float]]
"""By what is measured, then by scheduler."""

SHAKEN = {"alike": 1, "noise": 0.0, "few": 1}
"""Options of a twin that is the original but for the jitter."""


def run(workload: Workload, folder: Path) -> Figures:
    """Return the figures of each scheduler, and what EASY++ changes in percent."""
    platform, file = folder / "platform.xml", folder / "workload.json"
    assert workload.processors is not None
    write_platform(platform, hosts=workload.processors)
    write_workload(workload, file)
    found: Figures = {label: {} for label in FIGURES}
    for scheduler, name in SCHEDULERS.items():
        result = simulate(
            read_workload(file), name, platform=platform, write_to=folder / "run", options={}
        )
        for label, column in FIGURES.items():
            found[label][scheduler] = float(result.summary[column])
    for figures in found.values():
        figures["change, %"] = 100.0 * (figures["EASY++"] / figures["EASY"] - 1.0)
    return found


def schedules(original: Figures, shaken: list[Figures], twins: list[Figures]) -> None:
    """Print what schedulers make of the original and of its twins."""
    print("| | original | shaken: mean | deviation | twins: mean | deviation | least | most |")
    print("|---|---|---|---|---|---|---|---|")
    for label, columns in original.items():
        for column, value in columns.items():
            of_shaken = [one[label][column] for one in shaken]
            of_twins = [twin[label][column] for twin in twins]
            row = (
                value,
                mean(of_shaken),
                stdev(of_shaken),
                mean(of_twins),
                stdev(of_twins),
                min(of_twins),
                max(of_twins),
            )
            print(f"| {label}: {column} | {' | '.join(f'{x:,.1f}' for x in row)} |")


def distances(found: list[Closeness]) -> None:
    """Print how close the twins are, the mean over all and the worst."""
    print("| | Kolmogorov-Smirnov: mean | largest | typical factor: mean | largest |")
    print("|---|---|---|---|---|")
    for place, distance in enumerate(found[0].distances):
        steps = [one.distances[place].kolmogorov_smirnov or 0.0 for one in found]
        factors = [one.distances[place].typical_factor or 1.0 for one in found]
        figures = (mean(steps), max(steps), mean(factors), max(factors))
        print(f"| {distance.name} | {' | '.join(f'{x:.4f}' for x in figures)} |")
    print("\n| rank correlation | original | twins: mean |\n|---|---|---|")
    for place, correlation in enumerate(found[0].correlations):
        twins = [one.correlations[place].twin for one in found]
        if correlation.original is not None and None not in twins:
            print(f"| {correlation.name} | {correlation.original:.3f} | {mean(twins):.3f} |")
    print(f"\nWork, twin over original: {min(one.work for one in found):.4f} to ", end="")
    print(f"{max(one.work for one in found):.4f}.")


def leaks(found: list[Disclosure]) -> None:
    """Print what the twins could still reveal, the mean over all."""
    print("| | share |\n|---|---|")
    for name in ("copied", "same_second", "in_place", "found", "found_right"):
        print(f"| {name} | {100 * mean(getattr(one, name) for one in found):.1f} % |")
    counted = mean(one.known_by_count for one in found)
    print(f"\nUsers known by their number of jobs: {counted:.0f} of {found[0].users}.")


def main() -> None:
    """Make and simulate the twins."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", type=Path)
    parser.add_argument("--seeds", type=int, default=10, help="how many, at least 2")
    defaults = TwinOptions()
    for name in ("alike", "noise", "jitter", "few"):
        value = getattr(defaults, name)
        parser.add_argument(f"--{name}", type=type(value), default=value)
    given = parser.parse_args()
    options = {name: getattr(given, name) for name in ("alike", "noise", "jitter", "few")}
    with tempfile.TemporaryDirectory() as folder:
        original = run(gather(open_log(given.log)), Path(folder))
        shaken, twins, close, revealed = [], [], [], []
        for seed in range(1, given.seeds + 1):
            same = TwinLog(open_log(given.log), options=TwinOptions(seed=seed, **SHAKEN))
            shaken.append(run(gather(same), Path(folder)))
            twin = TwinLog(open_log(given.log), options=TwinOptions(seed=seed, **options))
            twins.append(run(gather(twin), Path(folder)))
            close.append(closeness(twin.pairs))
            revealed.append(disclosure(twin.pairs))
    schedules(original, shaken, twins)
    print()
    distances(close)
    print()
    leaks(revealed)


if __name__ == "__main__":
    main()
