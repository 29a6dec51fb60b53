"""The clusters of recordings of a real Slurm, as sites: their rules hold in what is simulated."""

import json
from pathlib import Path
from typing import Any

import pytest

from pred_aware import Run, read_workload, simulate
from schedulers.site.reader import content_of, read_site
from tests.schedulers.site.checker import Checker
from tests.schedulers.site.random_runs import schedule_of
from tests.schedulers.site.recording_check import found_by_check, outcome_of
from tests.schedulers.site.rules_model import Asked
from tests.shared_slurm import RECORDINGS, Recording, read_recording
from workload_tools.batsim.writer import write_workload

SITES = Path(__file__).with_name("slurm")


CROWDED = {
    "partitions": {"most CPUs on a node by one-node jobs", "outside"},
    "limits": {"most CPUs", "max jobs of user in peruser", "max cpu in group", "max jobs lab3"},
    "memory": {"overlaps", "max memory by one-node jobs"},
    "fairshare": {"most CPUs", "most CPUs on a node by one-node jobs"},
}
"""What the recordings' own check finds where all jobs start on one node as they are submitted."""


def simulated(
    recording: Recording, name: str, policy: str, folder: Path
) -> tuple[Run, list[Asked]]:
    """Run the jobs of a recording on its site."""
    write_workload(recording.workload, folder / "workload.json")
    site = SITES / f"{name}.toml"
    run = simulate(
        read_workload(folder / "workload.json"), policy, options={"site": read_site(site)}
    )
    told = json.loads((folder / "workload.json").read_text())
    profiles = told["profiles"]
    jobs = [{**one, "profile": str(profiles[one["profile"]]["delay"])} for one in told["jobs"]]
    return run, jobs


def broken_in(name: str, jobs: list[Asked], run: Run) -> list[str]:
    content: dict[str, Any] = content_of(read_site(SITES / f"{name}.toml"))
    return Checker(content, jobs).broken(*schedule_of(jobs, run), refusals=False)


@pytest.mark.parametrize("policy", ["easy", pytest.param("conservative", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RECORDINGS)
def test_no_rule_is_broken_on_the_site_of_a_recording(
    shared: Path, tmp_path: Path, name: str, policy: str
) -> None:
    recording = read_recording(shared / "slurm" / name)
    run, jobs = simulated(recording, name, policy, tmp_path)
    assert broken_in(name, jobs, run) == []
    assert len(run.ran) > 0.9 * len(jobs)
    rows = outcome_of(recording, run, name)
    assert found_by_check(shared, tmp_path, name, rows) == set()
    for row in rows:
        row["NodeList"], row["Start"] = "n1", row["Submit"]
    assert found_by_check(shared, tmp_path, name, rows) >= CROWDED[name]
