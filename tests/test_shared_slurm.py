"""Requests in the recordings of Slurm, against Slurm's own reading of them."""

from pathlib import Path

import pytest

from tests.shared_slurm import RECORDINGS, Recording, read_recording
from workload_tools.slurm.amounts import read_limit, read_memory


@pytest.fixture(params=RECORDINGS)
def recording(request: pytest.FixtureRequest, shared: Path) -> Recording:
    return read_recording(shared / "slurm" / request.param)


def test_requests_agree_with_slurms_reading_of_them(recording: Recording) -> None:
    for job in recording.jobs:
        row = recording.outcome[job.id]
        assert str(job.processors) == row["ReqCPUS"]
        first = (job.partition or row["Partition"]).split(",")[0]
        partition = next(one for one in recording.site.partitions if one.name == first)
        assert job.walltime == read_limit(row["TimelimitRaw"], "TimelimitRaw")
        assert (job.user, job.project, job.qos) == (row["User"], row["Account"], row["QOS"])
        assert row["Partition"] in (job.partition or first) or "," in row["Partition"]
        assert (job.features or "") == row["Constraints"]
        memory = job.memory
        if partition.default_memory is not None and job.memory_per_node is None:
            memory = memory or partition.default_memory * job.processors
        if memory is not None:
            assert memory == read_memory(row["ReqMem"], cpus=None, nodes=None)


def test_jobs_are_sorted_by_submission_and_refused_ones_are_separate(recording: Recording) -> None:
    dates = [job.submit_time for job in recording.jobs]
    assert dates == sorted(dates)
    assert all(error for _, error in recording.refused)
    first = recording.workload.jobs[0]
    assert (first.submit_time, recording.processors, recording.nodes) == (
        0.0,
        64,
        8,
    )
    # Slurm's dates are whole seconds
    assert all(
        abs(job.submit_time - float(recording.outcome[job.id]["Submit"])) < 2.0
        for job in recording.jobs
    )
