"""The configurations of a real Slurm's recordings as sites: those that were written by hand."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from pred_aware import Run, simulate
from pred_aware.log.workload import Workload
from schedulers.core.counting import Counting
from schedulers.core.job import Job
from schedulers.parts_on_site import machine_of
from schedulers.site.gate import Gate
from schedulers.site.reader import calendar_of, read_site
from schedulers.site.site import Partition, Site
from tests.shared_slurm import RECORDINGS, Recording, read_recording
from workload_tools.batsim.fields import BATSIM_NAMES
from workload_tools.batsim.writer import write_workload
from workload_tools.job import Job as Asked

REASONS = {
    "QOSMaxCpuPerJobLimit": "exceeds by itself the site's limit of 8 processors of qos urgent",
    "QOSMaxSubmitJobPerUserLimit": "exceeds the site's limit of 8 submitted jobs of qos peruser",
    "Requested node configuration is not available": "asks for 3 nodes of 8 processors",
}
ASKED = (
    "user", "project", "partition", "qos", "nodes", "gpus", "gpu_type", "memory", "tasks",
    "memory_per_node", "gpus_per_node", "tasks_per_node", "exclusive", "features",
)  # fmt: skip
BY_HAND = Path(__file__).parents[2] / "schedulers/site/slurm"


def easy(recording: Recording, site: Site, folder: Path) -> Run:
    write_workload(recording.workload, folder / "workload.json")
    return simulate(Workload.read(folder / "workload.json"), "easy", site=site)


def plain(partition: Partition) -> Partition:
    """Return a partition without what is of priorities alone."""
    return replace(partition, priority_tier=1, priority_job_factor=1, nodes=tuple(partition.nodes)
                   if isinstance(partition.nodes, tuple) else (partition.nodes,))  # fmt: skip


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recordings_configuration_gives_the_handwritten_site(
    name: str, shared: Path, tmp_path: Path
) -> None:
    recording = read_recording(shared / "slurm" / name)
    check_nodes_and_partitions(recording, name)
    check_schedule(recording, name, tmp_path)
    check_refusals(recording)


def check_nodes_and_partitions(recording: Recording, name: str) -> None:
    by_hand = read_site(BY_HAND / f"{name}.toml")
    weights = {one.name: one.weight or 1 for one in by_hand.nodes}
    nodes = [replace(one, weight=weights[one.name]) for one in by_hand.nodes]
    assert [*recording.site.nodes] == nodes
    assert [*map(plain, recording.site.partitions)] == [*map(plain, by_hand.partitions)]


def check_schedule(recording: Recording, name: str, tmp_path: Path) -> None:
    """Compare EASY's schedule with that of the site by hand."""
    ours = easy(recording, recording.site, tmp_path).jobs
    by_hand = easy(recording, read_site(BY_HAND / f"{name}.toml"), tmp_path).jobs
    timings = ["scheduling_time", "simulation_time"]
    text = [table.drop(columns=timings, errors="ignore").to_csv() for table in (ours, by_hand)]
    assert text[0] == text[1]
    assert ours["starting_time"].notna().sum() > 200 * (name != "memory")


def told_of_submissions(recording: Recording) -> dict[str, str | None]:
    """Ask the gate and the idle nodes about each submission; jobs are over when they really were.

    Returns what is said of each, by the job's id.
    """
    site = replace(recording.site, start=0.0)
    gate, machine = Gate(site, calendar_of(site)), machine_of(site, Counting())
    machine.begin(site.size or 0)
    asked = [*recording.jobs, *(job for job, _ in recording.refused)]
    jobs = {one.id: as_policies_see(one, number) for number, one in enumerate(asked)}
    ends = [(float(row["End"]), 0, name) for name, row in recording.outcome.items() if name in jobs]
    told: dict[str, str | None] = {}
    for now, is_new, name in sorted([*ends, *((one.submit_time, 1, one.id) for one in asked)]):
        job = jobs[name]
        if is_new:
            told[name] = gate.refusal(job, now) or machine.refusal(job)
        if not is_new or told[name]:
            gate.forget(job)
    return told


def as_policies_see(one: Asked, number: int) -> Job:
    fields = {BATSIM_NAMES.get(name, name): getattr(one, name) for name in ASKED}
    told = {name: value for name, value in fields.items() if value is not None}
    return Job(one.id, one.submit_time, one.processors, one.walltime, told, number=number)


def check_refusals(recording: Recording) -> None:
    """Check that what Slurm refused is refused, for its reasons."""
    told = told_of_submissions(recording)
    for job, error in recording.refused:
        words = next(words for name, words in REASONS.items() if name in error)
        assert words in (told.pop(job.id) or "")
    never = {name for name, why in told.items() if why}
    assert all("would wait for ever" in (told[name] or "") for name in never)
    # Slurm let these wait, and they were cancelled at the end
    assert {recording.outcome[name]["State"].split()[0] for name in never} <= {"CANCELLED"}
