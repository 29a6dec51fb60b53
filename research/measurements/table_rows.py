"""Convert a made table of Eagle's form, as CSV and Parquet, beside the same jobs as SWF.

    python research/measurements/table_rows.py --rows 10000000

Prints CPU seconds, those a job, the memory, and the ratio to `convert swf` in the same run. Ends
with 1 if a table takes more than `--most` times as long, or more than `--memory` MB. Files go to
`--folder`, which needs about 700 bytes a row.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

ROWS_AT_ONCE = 250_000
START = 1_541_030_400
STATES = ["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED"]


def part(first: int, rows: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Make some jobs of 900 users over four years."""
    submit = START + first * 12 + np.sort(rng.integers(0, rows * 12, rows))
    run = rng.integers(1, 86400, rows)
    nodes = 1 << rng.integers(0, 8, rows)
    return {
        "job_id": np.arange(first + 1, first + rows + 1),
        "user": rng.integers(0, 900, rows),
        "account": rng.integers(0, 300, rows),
        "wait": rng.integers(0, 5000, rows),
        "submit": submit,
        "run": run,
        "limit": np.minimum(86400, 3 * run),
        "nodes": nodes,
        "state": rng.integers(0, len(STATES), rows),
    }


def table_of(jobs: dict[str, np.ndarray]) -> pa.Table:
    """Return jobs as Eagle's table has them, with what nobody reads beside them."""
    rows = len(jobs["job_id"])
    start = jobs["submit"] + jobs["wait"]
    return pa.table(
        {
            "job_id": jobs["job_id"],
            "user": [f"user{number:04}" for number in jobs["user"]],
            "account": [f"account{number:04}" for number in jobs["account"]],
            "name": [f"job-{number % 5000}.sh" for number in jobs["job_id"]],
            "partition": ["standard"] * rows,
            "qos": ["normal"] * rows,
            "state": [STATES[number] for number in jobs["state"]],
            "submit_time": pa.array(jobs["submit"], pa.timestamp("s")),
            "start_time": pa.array(start, pa.timestamp("s")),
            "end_time": pa.array(start + jobs["run"], pa.timestamp("s")),
            "run_time": jobs["run"],
            "wallclock_req": jobs["limit"],
            "nodes_req": jobs["nodes"],
            "processors_req": jobs["nodes"] * 36,
            "gpus_req": np.zeros(rows, np.int64),
            "mem_req": jobs["nodes"] * 90_000,
            "work_dir": ["/scratch/0123456789abcdef"] * rows,
            "submit_line": ["sbatch --account=x run.sh"] * rows,
        }
    )


def write(folder: Path, rows: int) -> None:
    """Write the same jobs three times."""
    rng = np.random.default_rng(1)
    schema = table_of(part(0, 1, rng)).schema
    with (
        (folder / "jobs.swf").open("w") as swf,
        csv.CSVWriter(str(folder / "jobs.csv"), schema) as text,
        pq.ParquetWriter(folder / "jobs.parquet", schema) as parquet,
    ):
        swf.write("; UnixStartTime: 0\n; MaxProcs: 2618\n")
        for first in range(0, rows, ROWS_AT_ONCE):
            jobs = part(first, min(ROWS_AT_ONCE, rows - first), rng)
            table = table_of(jobs)
            text.write_table(table)
            parquet.write_table(table)
            columns = ("job_id", "submit", "wait", "run", "nodes", "limit", "user", "account")
            swf.writelines(
                f"{number} {submit} {wait} {run} {nodes} -1 -1 {nodes} {limit} -1 1 {user} "
                f"{account} {number % 5000} 1 1 -1 -1\n"
                for number, submit, wait, run, nodes, limit, user, account in zip(
                    *(jobs[name].tolist() for name in columns), strict=True
                )
            )


def convert(form: str, log: Path) -> tuple[float, float, float]:
    """Convert a log; return CPU seconds, memory in MB and seconds by the clock."""
    command = [str(Path(sys.executable).with_name("pred-aware")), "convert", form, str(log), "-q"]
    begin = time.perf_counter()
    output = log.with_name("workload.json")
    child = subprocess.Popen([*command, "-o", str(output)])  # noqa: S603 - the command is ours
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(child.returncode)
    output.unlink()
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3, time.perf_counter() - begin


def main() -> int:
    """Make the tables and convert them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--most", type=float, default=1.5, help="times as long as the SWF")
    parser.add_argument("--memory", type=float, default=1000.0, help="MB")
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary one otherwise")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        write(folder, options.rows)
        swf = 0.0
        for form, log in (("swf", "jobs.swf"), ("table", "jobs.csv"), ("table", "jobs.parquet")):
            cpu, memory, wall = convert(form, folder / log)
            swf = swf or cpu
            print(
                f"{log:14}{(folder / log).stat().st_size / 1e6:8.0f} MB{cpu:8.1f} CPU s"
                f"{1e6 * cpu / options.rows:7.2f} us a job{memory:7.0f} MB{wall:8.1f} s"
                f"{cpu / swf:7.2f} x SWF",
                flush=True,
            )
            good &= cpu <= options.most * swf and memory <= options.memory
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
