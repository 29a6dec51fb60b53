"""Jobs written as a Parquet table, and read again."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.workload_tools.jobs import job
from workload_tools.errors import LogError
from workload_tools.files import written_whole
from workload_tools.formats import open_log
from workload_tools.job import Job, Workload
from workload_tools.log import gather
from workload_tools.table.log import TableLog
from workload_tools.table.writer import write_parquet_to

FULL = Job(
    id="7_1",
    submit_time=0.0,
    processors=4,
    run_time=60.5,
    walltime=120.0,
    user="ann",
    queue="q",
    nodes=1,
    gpus=0,
    memory=2.0,
    wait_time=5.0,
    status=1,
    state="COMPLETED",
    array="7",
    soft_walltime=90.0,
    tasks_per_node=2,
    memory_per_node=0.5,
    gpus_per_node=2,
    exclusive=True,
    features="a&b",
    gpu_type="a100",
    reservation="maintenance",
    licences="matlab:2",
    array_limit=3,
    eligible_time=2.25,
)
BARE = Job(id="8", submit_time=2.5, processors=1, run_time=1.0, warm_up=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "jobs.parquet"


def write(path: Path, *jobs: Job, **machine: Any) -> Counter[str]:  # noqa: ANN401 - fields
    with written_whole(path, LogError) as file:
        return write_parquet_to(file, Workload(jobs=list(jobs), **machine), path)


def test_a_written_table_can_be_read_again(path: Path) -> None:
    assert write(path, FULL, BARE, processors=8, start_time=1.6e9) == {"warm_up": 1}
    read = gather(open_log(path))
    assert read.jobs == [FULL, Job(id="8", submit_time=2.5, processors=1, run_time=1.0)]
    assert read.start_time == 1.6e9
    assert pq.read_schema(path).metadata[b"processors"] == b"8"


def test_the_machine_is_read_again_unless_another_is_given(path: Path) -> None:
    write(path, FULL, processors=8, nodes=2, start_time=1.6e9, time_zone="Asia/Tokyo")
    read = gather(open_log(path))
    assert (read.processors, read.nodes, read.time_zone) == (8, 2, "Asia/Tokyo")
    assert gather(TableLog(path, machine_processors=16)).processors == 16


def test_metadata_of_other_programs_is_not_taken_for_a_machine(path: Path) -> None:
    write(path, FULL)
    said = {"processors": "many", "nodes": "-1", "time_zone": "Mars"}
    pq.write_table(pq.read_table(path).replace_schema_metadata(said), path)
    read = gather(open_log(path))
    assert (read.processors, read.nodes, read.time_zone) == (None, None, None)


def test_without_a_date_submissions_are_seconds(path: Path) -> None:
    write(path, FULL)
    assert pq.read_table(path)["submit_time"].to_pylist() == [0.0]


def test_a_number_out_of_range_is_an_error(path: Path) -> None:
    with pytest.raises(LogError, match="cannot be written"):
        write(path, job("1", processors=1 << 70))
    assert not path.exists()
