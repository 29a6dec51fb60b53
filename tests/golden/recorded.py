"""Recorded runs of the real Batsim and of other simulators, and how ours are compared with them."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from benchmarks.compare_with_batsim import read_lines, schedule_differences
from pred_aware.simulator.messages import DecisionProcess, Event
from pred_aware.simulator.outputs import RunFiles
from pred_aware.simulator.protocol import decode_reply, encode_request
from pred_aware.simulator.simulation import simulate_jobs
from workload_tools.batsim.decisions import Decision
from workload_tools.batsim.reader import load_raw
from workload_tools.platform.reader import read_platform

Row = dict[str, str]
Message = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Rows of a CSV file, plain or gzip (then with ``.gz`` behind the name)."""
    return list(csv.DictReader(read_lines(path)))


def unpack(packed: Path, folder: Path) -> Path:
    """Unpack a gzip file under the name that it has in the recordings, without ``.gz``."""
    path = folder / packed.name.removesuffix(".gz")
    content = packed.read_bytes()
    path.write_bytes(gzip.decompress(content) if packed.suffix == ".gz" else content)
    return path


@dataclass(frozen=True)
class Conversation:
    """What Batsim and a decision process said, in turn."""

    requests: list[Message]
    replies: list[Message]

    @classmethod
    def read(cls, path: Path) -> "Conversation":
        """Read a transcript, plain or gzip."""
        messages = [json.loads(line) for line in read_lines(path)]
        assert [m["from"] for m in messages[:2]] == ["batsim", "decision_process"]
        return cls([m["message"] for m in messages[::2]], [m["message"] for m in messages[1::2]])


@dataclass
class Replay:
    """A decision process that sends the recorded decisions and stores the received events."""

    scheduling_time = 0.0

    replies: list[Message]
    requests: list[Message] = field(default_factory=list)

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Answer a request; see `DecisionProcess`."""
        self.requests.append(json.loads(encode_request(now, events)))
        reply = self.replies[len(self.requests) - 1]
        return decode_reply(json.dumps(reply).encode(), now)


def simulate_recorded(
    folder: Path,
    workload: Path,
    peer: DecisionProcess,
    prefix: Path,
    *,
    platform: str = "platform.xml",
    dynamic_jobs: bool = False,
    acknowledged: bool = False,
) -> None:
    """Simulate with Batsim's delays on a platform of the conversations."""
    with RunFiles(prefix) as outputs:
        simulate_jobs(
            read_platform(folder / platform), load_raw(workload), peer, outputs=outputs,
            delays="batsim", dynamic_jobs=dynamic_jobs, acknowledged=acknowledged,
        )  # fmt: skip


def assert_same_output(recorded: Path, prefix: Path) -> None:
    """Compare the three output files with the recorded ones, what is measured aside."""
    for kind in ("jobs", "machine_states"):
        ours = Path(f"{prefix}_{kind}.csv").read_text().splitlines()
        assert ours == read_lines(recorded / f"out_{kind}.csv"), kind
    figures = Path(f"{prefix}_schedule.csv").read_text().splitlines()
    assert schedule_differences(read_lines(recorded / "out_schedule.csv"), figures) == []


def without(messages: list[Message], key: str) -> list[Message]:
    """Leave a key out of the data of every event."""
    return [
        message
        | {
            "events": [
                event | {"data": {k: v for k, v in event["data"].items() if k != key}}
                for event in message["events"]
            ]
        }
        for message in messages
    ]


def starts(text: str) -> dict[str, str]:
    """Starting time by job of a jobs file's text, to the microsecond."""
    return {job: f"{float(start):.6f}" for job, start in columns(text, "job_id", "starting_time")}


def columns(text: str, *names: str) -> Iterator[tuple[str, ...]]:
    """Cells of some columns, row by row; of none where a column is not there."""
    rows = csv.reader(io.StringIO(text))
    header = next(rows)
    return map(itemgetter(*map(header.index, names)), rows) if {*names} <= {*header} else iter(())
