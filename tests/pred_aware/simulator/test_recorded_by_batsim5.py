"""The jobs files of a real Batsim 5.0.0-rc0, reproduced on the recorded hosts."""

import csv
import json
from pathlib import Path

from pred_aware.simulator.messages import Event, EventsAt
from pred_aware.simulator.outputs import SUFFIXES_5, RunFiles
from pred_aware.simulator.simulation import simulate_jobs
from tests.suites import each_case
from workload_tools.batsim.decisions import Decision, Execute
from workload_tools.batsim.reader import parse_raw
from workload_tools.platform.reader import read_platform
from workload_tools.platform.writer import platform_text

HOSTS = ["master_host", *(f"h{number}" for number in range(4))]
DIRECT = "".join(
    [
        '<platform version="4.1"><zone id="z" routing="Full">',
        *(f'<host id="{host}" speed="1Gf"/>' for host in HOSTS),
        '<link id="l" bandwidth="498MBps" latency="15us"/>',
        *(f'<route src="master_host" dst="{to}"><link_ctn id="l"/></route>' for to in HOSTS),
        "</zone></platform>",
    ]
)


class Repeating:
    """Starts each job at once on the host that it had."""

    scheduling_time = 0.0

    def __init__(self, hosts: dict[str, int]) -> None:
        self._hosts = hosts

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        new = [job for event in events if type(event) is EventsAt for job in event.submitted]
        return [Execute(now, job.id, ((self._hosts[job.name],) * 2,)) for job in new], now


@each_case(
    ("name", "platform", "submitters"),
    [
        ("ten_jobs_cluster_8", platform_text(hosts=8), 1),
        # the first two jobs began one message later, as with a second list that is empty
        ("ten_jobs_platform_4", DIRECT, 2),
    ],
)
def test_the_jobs_file_equals_the_recorded_one(
    shared: Path, tmp_path: Path, name: str, platform: str, submitters: int
) -> None:
    recorded = (shared / "batsim5" / "recorded" / f"{name}_jobs.csv").read_text()
    rows = [*csv.DictReader(recorded.splitlines())]
    (tmp_path / "p.xml").write_text(platform)
    jobs = [
        {
            "id": row["job_id"], "subtime": float(row["submission_time"]), "res": 1,
            "walltime": 100, "profile": "delay10",
        }
        for row in rows
    ]  # fmt: skip
    profiles = {"delay10": {"type": "DelayProfile", "delay": 10}}
    workloads = [
        parse_raw(json.dumps({"jobs": own, "profiles": profiles}).encode(), "w")
        for own in (jobs, [])[:submitters]
    ]
    peer = Repeating({row["job_id"]: int(row["allocated_resources"]) for row in rows})
    with RunFiles(tmp_path / "out", SUFFIXES_5) as outputs:
        simulate_jobs(
            read_platform(tmp_path / "p.xml"), workloads, peer,
            outputs=outputs, delays="batsim", version=5, files=5,
        )  # fmt: skip
    assert (tmp_path / "out" / "jobs.csv").read_text() == recorded
