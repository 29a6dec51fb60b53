"""How often an interval over shakes holds what it is to hold, and what chance alone is significant.

    python research/measurements/interval_coverage.py
    python interval_coverage.py --pool 100 --campaigns 500 --keep /tmp/pool.json
    python interval_coverage.py --log KTH-SP2-1996-2.1-cln.swf.gz --sizes 3 4 5 10 20 40

Simulates a pool of shakes of made logs (the demo's model), or of the first jobs of a log, under
some policies. A campaign is drawn from the pool, with replacement, and its interval holds the
pool's mean or not; 2,000 campaigns tell how often, to 1 % (two deviations). Prints the Markdown
tables of research/docs/intervals-measured.md.

Two of the policies differ by nothing but how they break ties: by a number drawn from a seed, for
each job of each run. So any difference between them is chance, and which of the two a run of the
pool stands for is drawn, too.
"""

import argparse
import functools
import json
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import pred_aware as pa
from pred_aware.demo import LogModel, model_log
from pred_aware.statistics import mean_interval, paired_difference, shakes_wanted

LOGS = {
    "busy": LogModel(jobs=2000, processors=128, load=0.85),
    "crowded": LogModel(jobs=2000, processors=256, load=1.0, users=30),
    "quiet": LogModel(jobs=1500, processors=64, load=0.65),
}
FIGURES = {
    "mean_waiting_time": "mean wait",
    "mean_bounded_slowdown": "mean bounded slowdown",
    "max_waiting_time": "longest wait",
}
"""What is measured, and what the tables call it."""
BASELINE = "easy"
FIXED = (10, 20, 40)
NAIVE = 10
"""Shakes of the naive interval."""
PRECISION, MOST = 0.02, 40


@dataclass(frozen=True)
class SeededTies:
    """Shortest walltime first; the same ones in an order drawn from a seed."""

    seed: str = ""
    changes = False

    def key(self, job: Any, now: float) -> float:  # noqa: ANN401 - a job of the queue
        """Return the walltime, which is whole, and less than a second that tells equal ones."""
        return job.queueing + zlib.crc32(f"{self.seed} {job.id}".encode()) / 2.0**33


def policies(shake: int) -> dict[str, dict[str, Any]]:
    """Return the policies, by what they are called."""
    return {
        "easy": {"policy": "easy"},
        "easy_plus_plus": {"policy": "easy_plus_plus"},
        "pred_aware, last_two": {"policy": "pred_aware", "predictor": "last_two"},
        "conservative": {"policy": "conservative"},
        "ties 1": {"policy": "easy", "order": SeededTies(f"1 {shake}")},
        "ties 2": {"policy": "easy", "order": SeededTies(f"2 {shake}")},
    }


def workload(name: str) -> pa.Workload:
    """Make a log of the model."""
    model = LOGS[name]
    jobs, profiles = [], {}
    for number, job in enumerate(model_log(model, np.random.default_rng(1))):
        profile = f"D_{job.run_time}"
        profiles[profile] = {"type": "delay", "delay": job.run_time}
        jobs.append(
            {
                "id": str(number),
                "subtime": job.submit_time,
                "res": job.processors,
                "walltime": job.walltime,
                "user_id": job.user,
                "profile": profile,
            }
        )
    content = {"nb_res": model.processors, "jobs": jobs, "profiles": profiles}
    return pa.Workload.of(content, name)


def simulated(log: pa.Workload, shake: int) -> dict[str, list[float]]:
    """Return the figures of each policy on a shake."""
    shaken = log.shaken(shake)
    found = {}
    for label, options in policies(shake).items():
        summary = pa.simulate(shaken, **options).summary
        found[label] = [float(summary[figure]) for figure in FIGURES]
    return found


def beginning(log: Path, jobs: int) -> dict[str, pa.Workload]:
    """Return the first jobs of a log, by what the tables call it."""
    name = f"{log.name.partition('-')[0]}'s first {jobs:,} jobs"
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "workload.json")
        pa.read_log(log).workload.write(whole)
        content = json.loads(whole.read_text())
    return {name: pa.Workload.of({**content, "jobs": content["jobs"][:jobs]}, name)}


def pool(
    logs: Mapping[str, pa.Workload], shakes: int, keep: Path | None
) -> dict[str, list[dict[str, list[float]]]]:
    """Return the figures of each shake, by log; read where they were kept."""
    if keep is not None and keep.exists():
        return dict(json.loads(keep.read_text()))
    with ProcessPoolExecutor() as processes:
        found = {
            name: [*processes.map(functools.partial(simulated, log), range(shakes))]
            for name, log in logs.items()
        }
    if keep is not None:
        keep.write_text(json.dumps(found))
    return found


def naive(baseline: Any, other: Any) -> tuple[float, float]:  # noqa: ANN401 - arrays
    """Return the interval in which the baseline's mean counts as known."""
    found, mean = mean_interval((other - baseline).tolist()), float(baseline.mean())
    return found.low / mean, found.high / mean


def until_known(baseline: Any, other: Any) -> Any:  # noqa: ANN401 - arrays
    """Return the difference over as many shakes as the rule wants."""
    there = shakes_wanted([], precision=PRECISION, most=MOST)
    while True:
        found = paired_difference(baseline[:there].tolist(), other[:there].tolist())
        wanted = shakes_wanted([found], precision=PRECISION, most=MOST)
        if wanted == there:
            return found
        there = wanted


def coverage(
    baseline: Any,  # noqa: ANN401 - an array
    other: Any,  # noqa: ANN401 - an array
    *,
    sizes: Sequence[int],
    campaigns: int,
    rng: Any,  # noqa: ANN401 - of NumPy
) -> list[float]:
    """Return how many campaigns hold the pool's mean: naive, of fixed size, by the rule; shakes."""
    truth = other.mean() / baseline.mean() - 1.0
    held = np.zeros(len(sizes) + 3)
    for _ in range(campaigns):
        drawn = rng.integers(len(baseline), size=MOST)
        one, two = baseline[drawn], other[drawn]
        low, high = naive(one[:NAIVE], two[:NAIVE])
        held[0] += low <= truth <= high
        for place, size in enumerate(sizes, 1):
            found = paired_difference(one[:size].tolist(), two[:size].tolist())
            held[place] += found.low <= truth <= found.high
        found = until_known(one, two)
        held[-2] += found.low <= truth <= found.high
        held[-1] += found.shakes
    return [float(x) for x in held / campaigns]


def by_chance(
    one: Any,  # noqa: ANN401 - an array
    two: Any,  # noqa: ANN401 - an array
    *,
    sizes: Sequence[int],
    campaigns: int,
    rng: Any,  # noqa: ANN401 - of NumPy
) -> list[float]:
    """Return how many campaigns tell policies apart that differ by the seed of their ties."""
    told = np.zeros(len(sizes) + 1)
    for _ in range(campaigns):
        drawn, swapped = rng.integers(len(one), size=MOST), rng.random(MOST) < 0.5  # noqa: PLR2004
        baseline, other = np.where(swapped, (two[drawn], one[drawn]), (one[drawn], two[drawn]))
        for place, size in enumerate(sizes):
            found = paired_difference(baseline[:size].tolist(), other[:size].tolist())
            told[place] += bool(found.significant)
        told[-1] += bool(until_known(baseline, other).significant)
    return [float(x) for x in told / campaigns]


def drawn(
    pools: Mapping[str, list[dict[str, list[float]]]], sizes: Sequence[int], campaigns: int
) -> dict[str, Any]:
    """Return how often the intervals hold, and what chance alone is significant."""
    rng = np.random.default_rng(1)
    drawing: dict[str, Any] = {"sizes": sizes, "campaigns": campaigns, "rng": rng}
    held, chance = [], []
    for log, shakes in pools.items():
        for place, figure in enumerate(FIGURES):
            values = {name: np.array([one[name][place] for one in shakes]) for name in shakes[0]}
            baseline = values[BASELINE]
            for other in ("easy_plus_plus", "pred_aware, last_two", "conservative"):
                new = values[other]
                ratio = new.mean() / baseline.mean()
                spread = np.std(new - ratio * baseline, ddof=1) / baseline.mean()
                *shares, taken = coverage(baseline, new, **drawing)
                held.append(
                    {
                        "log": log, "policy": other, "figure": figure, "change": ratio - 1.0,
                        "deviation": spread, "held": shares, "shakes": taken,
                    }
                )  # fmt: skip
            told = by_chance(values["ties 1"], values["ties 2"], **drawing)
            chance.append({"log": log, "figure": figure, "significant": told})
    return {"sizes": [*sizes], "held": held, "chance": chance}


def held_table(found: Mapping[str, Any]) -> str:
    """Return the table of how often each interval holds."""
    lines = [
        f"| | change, % | deviation, % | held, %: naive, {NAIVE} | {_sizes(found)} | shakes |",
        "|---|---|---|---|" + "---|" * (len(found["sizes"]) + 2),
    ]
    for one in found["held"]:
        cells = " | ".join(f"{100 * share:.1f}" for share in one["held"])
        name = f"{one['log']}: {one['policy']}, {FIGURES[one['figure']]}"
        change, deviation = (100 * one[told] for told in ("change", "deviation"))
        lines.append(
            f"| {name} | {change:+.1f} | {deviation:.1f} | {cells} | {one['shakes']:.1f} |"
        )
    return "\n".join(lines)


def chance_table(found: Mapping[str, Any]) -> str:
    """Return the table of what chance alone is significant."""
    lines = [
        f"| significant by chance, % | {_sizes(found)} |",
        "|---|" + "---|" * (len(found["sizes"]) + 1),
    ]
    for one in found["chance"]:
        cells = " | ".join(f"{100 * share:.1f}" for share in one["significant"])
        lines.append(f"| {one['log']}: {FIGURES[one['figure']]} | {cells} |")
    return "\n".join(lines)


def _sizes(found: Mapping[str, Any]) -> str:
    told = (f"{size} shakes" for size in found["sizes"])
    return " | ".join([*told, f"until {100 * PRECISION:g} % or {MOST}"])


def main() -> None:
    """Simulate the pool, draw the campaigns, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pool", type=int, default=400, help="shakes of each log")
    parser.add_argument("--campaigns", type=int, default=2000)
    parser.add_argument("--keep", type=Path, help="a file for the pool's figures")
    parser.add_argument("--results", type=Path, help="a JSON file for what the tables tell")
    parser.add_argument("--log", type=Path, help="a real one, in place of those of the model")
    parser.add_argument("--jobs", type=int, default=3000, help="how many of its first are taken")
    parser.add_argument("--sizes", type=int, nargs="+", default=FIXED, help="numbers of shakes")
    given = parser.parse_args()
    logs = (
        {name: workload(name) for name in LOGS}
        if given.log is None
        else beginning(given.log, given.jobs)
    )
    found = drawn(pool(logs, given.pool, given.keep), given.sizes, given.campaigns)
    if given.results:
        given.results.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{held_table(found)}\n\n{chance_table(found)}")


if __name__ == "__main__":
    main()
