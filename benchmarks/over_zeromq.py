"""CPU seconds of both sides over ZeroMQ, beside a pybatsim scheduler that does nothing.

Usage: python benchmarks/over_zeromq.py PLATFORM WORKLOAD [SCHEDULER]

Runs ``pybatsim SCHEDULER`` beside our stand-in for Batsim and keeps the conversation; then feeds
the same requests to a pybatsim scheduler whose callbacks are empty. Prints the CPU seconds of the
stand-in, of the decision process and of the empty one, and the ratio of the last two.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import zmq
from children import cpu_seconds

EMPTY = """
import sys
from pybatsim.batsim.tools.launcher import launch_scheduler

class Empty:
    def __getattr__(self, name):
        if name.startswith("on"):
            return lambda *args: None
        raise AttributeError(name)

launch_scheduler(scheduler=Empty(), socket_endpoint=sys.argv[1], event_socket_endpoint=None,
                 options={}, timeout=-1)
"""


def seconds_of(command: list[str], talk: Callable[[], None]) -> float:
    """Start a decision process, talk to it, and return its CPU seconds once it has ended."""
    before = cpu_seconds()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    talk()
    process.wait()
    return cpu_seconds() - before


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("platform", type=Path)
    parser.add_argument("workload", type=Path)
    parser.add_argument("scheduler", nargs="?", default="easy_bf")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        endpoint = f"ipc://{folder}/socket"
        transcript = Path(folder) / "transcript.jsonl"
        stand_in = [
            sys.executable, "-m", "pred_aware", "batsim", "-q", "-p", os.fspath(given.platform),
            "-w", os.fspath(given.workload), "-e", f"{folder}/out", "-s", endpoint,
        ]  # fmt: skip
        pybatsim = [sys.executable, "-c", "from pybatsim.cmdline import main; main()"]
        ours = [*pybatsim, "-t", "-1", "-s", endpoint, given.scheduler]
        empty = [sys.executable, "-c", EMPTY, endpoint]

        both: list[float] = []
        for more in ([], ["--transcript", os.fspath(transcript)]):
            before = cpu_seconds()
            server = subprocess.Popen(ours, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
            subprocess.run([*stand_in, *more], check=True)  # noqa: S603 - our own
            between = cpu_seconds()
            server.wait()
            if not more:
                both = [between - before, cpu_seconds() - between]
        requests = [
            json.dumps(line["message"]).encode()
            for line in map(json.loads, transcript.read_text(encoding="utf-8").splitlines())
            if line["from"] == "batsim"
        ]

        def feed() -> None:
            with zmq.Context() as context, context.socket(zmq.REQ) as socket:
                socket.connect(endpoint)
                for request in requests:
                    socket.send(request)
                    socket.recv()

        nothing = seconds_of(empty, feed)
    print(
        f"{given.workload} {given.scheduler}: stand-in {both[0]:.2f} CPU s, decision process "
        f"{both[1]:.2f} CPU s, empty one {nothing:.2f} CPU s, ratio {both[1] / nothing:.2f}"
    )


if __name__ == "__main__":
    main()
