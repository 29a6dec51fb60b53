"""Measure the prediction service: a log replayed through it, and many connections a second.

Usage: python benchmarks/service.py LOG [--predictor pbs_v3] [--connections 10000] [--rate 100]

The service is a process of its own. First each job of the log is asked about at its submission and
told of at its end, one request after the other, as fast as they are answered, on one connection;
the estimates must be those that `predict` gives for the log. Then connections are opened at a
steady rate, and each asks about one job and is closed. Latencies are those that a client sees.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pred_aware.log.job_log import JobLog, read_log
from pred_aware.log.past_jobs import SUBMISSION, past_jobs
from pred_aware.prediction.predict import predict
from pred_aware.production.finished_jobs import why_not
from predictors import Submission

LATE = 0.1
"""Seconds after which an answer is too late, as for the service itself."""


def main() -> None:
    """Start the service, measure, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("log", type=Path)
    parser.add_argument("--predictor", default="pbs_v3")
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=100.0, help="connections a second")
    told = parser.parse_args()
    log = read_log(told.log)
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        place = Path(folder) / "socket"
        command = [
            sys.executable, "-m", "pred_aware", "service", "serve", "--store", f"{folder}/jobs.db",
            "--socket", str(place), "--predictor", told.predictor, "--deadline", "10",
        ]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:  # noqa: S603
            assert serving.stdout is not None
            print(serving.stdout.readline().rstrip())
            print(f"memory at the start: {_memory(serving.pid):.0f} MB")
            asked = _replay(log, place, told.predictor)
            print(f"memory after the log: {_memory(serving.pid):.0f} MB")
            asyncio.run(_connect(place, asked, told.connections, rate=told.rate))
            print(f"memory after the connections: {_memory(serving.pid):.0f} MB")
            serving.terminate()


def _replay(log: JobLog, place: Path, predictor: str) -> list[bytes]:
    """Ask about each job and tell of its end, in the order of the dates; return what was asked."""
    jobs = log.machine.jobs
    asked: list[bytes] = []
    estimates: dict[str, float | None] = {}
    latencies: dict[str, list[float]] = {"estimate": [], "ended": []}
    begun = time.perf_counter()
    with socket.socket(socket.AF_UNIX) as asking, asking.makefile("rwb") as stream:
        asking.connect(str(place))
        for kind, job in ((kind, jobs[one]) for kind, one in past_jobs(jobs).events(starts=False)):
            request: dict[str, Any]
            if kind == SUBMISSION:
                known = msgspec.convert(job, Submission, from_attributes=True)
                request = {"ask": "estimate", "job": msgspec.to_builtins(known)}
            elif why_not(job) is None:
                request = {"ask": "ended", "jobs": [msgspec.to_builtins(job)]}
            else:
                continue
            line = msgspec.json.encode(request) + b"\n"
            since = time.perf_counter()
            stream.write(line)
            stream.flush()
            answer = json.loads(stream.readline())
            latencies[request["ask"]].append(time.perf_counter() - since)
            if kind == SUBMISSION:
                asked.append(line)
                estimates[job.id] = answer["estimate"]
    lasted = time.perf_counter() - begun
    print(f"{len(jobs):,} jobs in {lasted:.1f} s: {len(jobs) / lasted:.0f} jobs a second")
    for what, seconds in latencies.items():
        print(f"{what}: {_spread(seconds)}")
    frame = predict(log, predictor).frame
    expected = dict(zip(frame["job_id"], frame["estimate"], strict=True))
    other = [
        job.id
        for job in jobs
        if (job.walltime if estimates[job.id] is None else estimates[job.id]) != expected[job.id]
    ]
    print(f"estimates that are not those of predict: {len(other)}")
    return asked


async def _connect(place: Path, asked: Sequence[bytes], number: int, *, rate: float) -> None:
    """Open connections at a steady rate, each of which asks once."""
    latencies: list[float] = []
    failed = 0

    async def one(line: bytes) -> None:
        nonlocal failed
        since = time.perf_counter()
        try:
            reader, writer = await asyncio.open_unix_connection(place)
            writer.write(line)
            answer = json.loads(await reader.readline())
            writer.close()
        except (OSError, ValueError):
            failed += 1
            return
        failed += "estimate" not in answer
        latencies.append(time.perf_counter() - since)

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as clients:
        for place_in_line, line in enumerate(_again(asked, number)):
            await asyncio.sleep(begun + place_in_line / rate - time.perf_counter())
            clients.create_task(one(line))
    lasted = time.perf_counter() - begun
    late = sum(seconds > LATE for seconds in latencies)
    print(
        f"{number:,} connections in {lasted:.0f} s: {failed} failed, {late} later than "
        f"{1000 * LATE:.0f} ms; {_spread(latencies)}"
    )


def _again(lines: Sequence[bytes], number: int) -> Iterator[bytes]:
    for place in range(number):
        yield lines[place % len(lines)]


def _spread(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    median, p99, most = 1000 * np.percentile(seconds, [50, 99, 100])
    return f"median {median:.2f} ms, 99th percentile {p99:.2f} ms, longest {most:.1f} ms"


def _memory(process: int) -> float:
    """Return how much memory a process has, in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return float(status.partition("VmRSS:")[2].split()[0]) / 1000


if __name__ == "__main__":
    main()
