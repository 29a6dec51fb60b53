"""What a campaign costs beside its simulations, and how long `status` of a large store takes.

Usage: python benchmarks/campaign_cost.py [--runs N] [--store N] LOG

The first: CPU seconds of ``pred-aware campaign run`` with one worker, which makes N runs of EASY
(the log as it is, and shakes of it), processes started and files written included, beside N times
the median of warm runs in this process: `simulate` on such shakes, and the same measures. What the
worker notes of each run tells what is spent on each and what once, so that it says, too, what 1,000
runs take. The second: seconds of ``pred-aware campaign status``, start of Python included, in a
store of N made records, for the first time and again, when the cache of their figures is there.
"""

import argparse
import json
import math
import tempfile
import time
from pathlib import Path
from statistics import median

from children import seconds_of

import pred_aware
from pred_aware.campaign.campaign import Campaign, read_campaign
from pred_aware.campaign.kept_metrics import OF_A_RUN, figures_of, groups_of
from pred_aware.campaign.run_key import RunKey
from pred_aware.campaign.store import MEASURED, RUN

WARM = 7
"""How many warm runs the median is of, before the campaign and after it."""

MANY = 1000
"""Of so many runs it says what they would take, from those that were made."""

POLICIES = 245
SHAKES = 40


def warm_seconds(log: pred_aware.JobLog) -> tuple[float, float]:
    """Return the median CPU seconds of simulating and measuring, and those of shaking before it."""
    took, shaking = [], []
    for seed in range(WARM):
        began = time.process_time()
        workload = log.workload.shaken(seed)
        shaking.append(time.process_time() - began)
        began = time.process_time()
        run = pred_aware.simulate(workload, "easy", platform=log.platform)
        figures_of(run, tau=10.0)
        groups_of(run, tau=10.0)
        took.append(time.process_time() - began)
    return median(took[1:]), median(shaking[1:])


def command(*arguments: object) -> tuple[float, float]:
    """Run ``pred-aware campaign``; return CPU seconds and seconds by the clock."""
    wall = time.perf_counter()
    return seconds_of("campaign", *arguments), time.perf_counter() - wall


def overhead(path: Path, runs: int, folder: Path) -> None:
    """Measure a campaign beside its simulations."""
    file = folder / "cost.toml"
    file.write_text(
        f"[logs.one]\nfile = {json.dumps(str(path.resolve()))}\n[policies.easy]\n"
        f"[shakes]\nat_least = {runs - 1}\nat_most = {max(runs - 1, SHAKES)}\n"
    )
    log = pred_aware.read_log(path)
    before, shaking = warm_seconds(log)
    cpu, wall = command("run", "-q", "-j", 1, file)
    after, _ = warm_seconds(log)
    warm = (before + after) / 2
    made = read_campaign(file).runs(cost=True)
    # the first run pays for what is loaded then; it is no run like the others
    each = float(made["cpu_seconds"].median())
    once = cpu - each * runs
    print(f"{runs} runs: {cpu:.1f} s of CPU, {wall:.1f} s; {1000 * cpu / runs:.0f} ms each")
    print(
        f"a warm run with the same measures: {1000 * warm:.0f} ms; shaking: {1000 * shaking:.0f} ms"
    )
    print(f"ratio {cpu / runs / warm:.2f}; beside shaking and simulating "
          f"{cpu / runs / (warm + shaking):.2f}")  # fmt: skip
    print(f"each run {1000 * each:.0f} ms, once {once:.1f} s: of {MANY:,} runs the ratio would be "
          f"{(each + once / MANY) / warm:.2f}")  # fmt: skip
    print(f"memory of the worker: {made['memory_bytes'].max() / 1e6:.0f} MB")
    records = [one.stat().st_size for one in (folder / "cost.runs").glob(f"runs/*/*/{RUN}")]
    print(f"a record: {max(records):,} bytes at most; with groups and users "
          f"{made['disk_bytes'].median():,.0f} bytes")  # fmt: skip


def large_store(size: int, folder: Path) -> None:
    """Measure `status` of a store of made records."""
    logs = math.ceil(size / (POLICIES * (1 + SHAKES)))
    file = folder / "large.toml"
    bounds = list(range(1000, 1000 + POLICIES - 1))
    shakes = f"[shakes]\nat_least = {SHAKES}\nat_most = {SHAKES}\n"
    policies = f"[policies.easy]\n[policies.bounded]\nscheduler = 'easy'\nmax_wait = {bounds}\n"
    lines = [shakes, policies]
    for number in range(logs):
        (folder / f"{number}.swf").write_text(
            f"; MaxProcs: 8\n1 {number} 5 60 4 -1 -1 4 90 -1 1 7 1 -1 1 -1 -1 -1\n"
        )
        lines.append(f"[logs.log{number}]\nfile = '{number}.swf'\n")
    file.write_text("".join(lines))
    made = fill(read_campaign(file))
    for when in ("first", "again"):
        cpu, wall = command("status", file)
        print(f"status of {made:,} runs, {when}: {cpu:.2f} s of CPU, {wall:.2f} s")


def fill(campaign: Campaign) -> int:
    """Write made records of all runs of a campaign; return how many."""
    inventory = campaign.inventory
    inventory.store.begin()
    made = 0
    for log in range(len(campaign.logs)):
        for policy in range(len(campaign.policies)):
            for copy in inventory.specification.logs[log].copies:
                seed = None if copy is None else copy.seed
                digest = inventory.digest(RunKey(log, policy, copy))
                assert digest is not None
                figures = dict.fromkeys(OF_A_RUN, 1000.0 + policy + (seed or 0) % 7)
                record = {"digest": digest, "seed": seed, "figures": figures}
                files = {RUN: json.dumps(record).encode(), MEASURED: b"{}"}
                inventory.store.publish(digest, files)
                made += 1
    return made


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--store", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.runs:
            overhead(given.log, given.runs, Path(folder))
        if given.store:
            large_store(given.store, Path(folder))


if __name__ == "__main__":
    main()
