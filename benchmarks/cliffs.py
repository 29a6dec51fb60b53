"""CPU seconds of schedulers on a queue as long as can be: all jobs are submitted at one date.

Usage: python benchmarks/cliffs.py --jobs 2000 --jobs 20000 easy_plus_plus wfp

The workload is made: jobs of 1 to 16 processors on a machine of 16, with walltimes of all kinds,
that run for any part of them. If a scheduler goes through its queue at each event, ten times the
jobs take a hundred times as long.
"""

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from time import process_time

from pred_aware import Platform, read_workload, simulate

PROCESSORS = 16
SCHEDULERS = ("easy", "easy_sjbf", "easy_plus_plus", "wfp")


def write_workload(path: Path, jobs: int) -> None:
    """Write a workload of jobs that are all submitted at once, the same each time."""
    rng = random.Random(1)  # noqa: S311 - a seeded workload
    profiles, rows = {}, []
    for number in range(1, jobs + 1):
        size = rng.choice((1, 1, 2, 2, 3, 4, 8, 16))
        walltime = rng.choice((600, 1200, 3600, 7200, rng.randint(60, 40000)))
        run = max(1, int(walltime * rng.random()))
        profiles[f"d{run}"] = {"type": "delay", "delay": run}
        rows.append(
            {
                "id": str(number), "subtime": 0, "res": size, "profile": f"d{run}",
                "walltime": walltime, "user_id": f"u{rng.randint(1, 50)}",
            }
        )  # fmt: skip
    path.write_text(json.dumps({"nb_res": PROCESSORS, "jobs": rows, "profiles": profiles}))


def main() -> None:
    """Run each scheduler on each number of jobs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, action="append", help="how many; again for others")
    parser.add_argument("--max-wait", type=float, help="a bound on waiting, in seconds")
    parser.add_argument("schedulers", nargs="*", default=SCHEDULERS)
    given = parser.parse_args()
    options = {} if given.max_wait is None else {"max_wait": given.max_wait}
    with tempfile.TemporaryDirectory() as folder:
        for jobs in given.jobs or (2000, 20000):
            path = Path(folder, f"{jobs}.json")
            write_workload(path, jobs)
            workload = read_workload(path)
            for scheduler in given.schedulers:
                began = process_time()
                run = simulate(
                    workload, scheduler, platform=Platform.of(PROCESSORS), options=options
                )
                seconds = process_time() - began
                wait = run.figures["mean_waiting_time"]
                print(f"{scheduler}, {jobs} jobs: {seconds:.2f} CPU s, mean wait {wait:.0f} s")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
