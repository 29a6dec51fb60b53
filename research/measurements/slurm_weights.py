"""One workload under many weights of a real Slurm, beside the same simulated.

Usage: python slurm_weights.py FOLDER [--half-life DAYS...]

FOLDER has jobs.csv.gz, runs.csv.gz and settings.csv: jobs that a real Slurm ran several times, with
other weights of fair share, age and job size each time. Each setting is simulated with the
scheduler `slurm`. What is not known there, the half-life of usage, is fitted on every second
setting. The table has the mean wait by setting, then the other settings' mean error, and for all
pairs of these whether the simulated change has the sign of the real one where that exceeds 5 %.
"""

import argparse
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pandas as pd

from pred_aware import Workload, simulate

CONTRADICTED = (40, 63)
"""Runs that wait as if fair share were off."""
WEIGHTS = ["fairshare", "age", "jobsize"]
LARGE = 0.05


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half-life", type=float, nargs="+", default=[1.0, 7.0])
    arguments = parser.parse_args()
    folder = arguments.folder
    jobs = pd.read_csv(folder / "jobs.csv.gz")
    real = _real(folder)
    workload = _workload(jobs)
    fitted, judged = real.index[::2], real.index[1::2]
    kept: dict[tuple[float, tuple[int, int, int]], float] = {}
    errors = {}
    for days in arguments.half_life:
        kept |= {(days, one): _mean_wait(workload, one, days) for one in fitted}
        errors[days] = fmean(abs(kept[days, one] / real[one] - 1.0) for one in fitted)
        print(f"half-life {days:g} days: mean error {100 * errors[days]:.1f} %", flush=True)
    days = min(errors, key=lambda each: errors[each])
    found = {one: kept.get((days, one)) or _mean_wait(workload, one, days) for one in real.index}
    for one in real.index:
        weights = " | ".join(f"{weight:,}" for weight in one)
        print(f"| {weights} | {real[one]:,.0f} | {found[one]:,.0f} |", flush=True)
    off = fmean(abs(found[one] / real[one] - 1.0) for one in judged)
    print(f"mean error of the mean wait, settings not fitted on: {100 * off:.1f} %")
    pairs = [
        (real[two] / real[one] - 1.0, found[two] / found[one] - 1.0)
        for one, two in combinations(judged, 2)
    ]
    large = [pair for pair in pairs if abs(pair[0]) > LARGE]
    right = sum(truth * told > 0.0 for truth, told in large)
    apart = fmean(abs(truth - told) for truth, told in pairs)
    print(f"changes above 5 %: {right} of {len(large)} with the right sign")
    print(f"mean error of all {len(pairs)} changes: {100 * apart:.1f} points")


def _real(folder: Path) -> "pd.Series[float]":
    """Return the mean wait by weights, over the runs that have them."""
    runs = pd.read_csv(folder / "runs.csv.gz").dropna()
    runs = runs[~runs["run"].isin(CONTRADICTED)]
    waits = (runs["start"] - runs["submit"]).groupby(runs["run"]).mean().rename("wait")
    settings = pd.read_csv(folder / "settings.csv").set_index("run").join(waits, how="inner")
    return settings.groupby(WEIGHTS)["wait"].mean()


def _workload(jobs: pd.DataFrame) -> Workload:
    lasts = jobs["run_time"].clip(lower=1)
    content = {
        "nb_res": 78 * 64,
        "jobs": [
            {
                "id": one.job, "subtime": one.submit, "res": one.cpus, "profile": str(one.run_time),
                "walltime": 60.0 * one.limit_minutes, "user": str(one.user),
                "project": str(one.account),
            }
            for one in jobs.itertuples()
        ],
        "profiles": {
            str(name): {"type": "delay", "delay": float(delay)}
            for name, delay in zip(jobs["run_time"], lasts, strict=True)
        },
    }  # fmt: skip
    return Workload.of(content, "weights")


def _mean_wait(workload: Workload, weights: tuple[int, int, int], half_life: float) -> float:
    share, age, size = weights
    slurm = {
        "version": "22.05.8", "bf_window": 2880, "priority_weight_fairshare": share,
        "priority_weight_age": age, "priority_weight_job_size": size,
        "priority_decay_half_life": 86400.0 * half_life,
    }  # fmt: skip
    run = simulate(workload, "slurm", site={"name": "weights", "slurm": slurm})
    return float(run.ran["waiting_time"].mean())


if __name__ == "__main__":
    main()
