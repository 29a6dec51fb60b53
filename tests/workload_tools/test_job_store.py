from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites import each_case
from tests.workload_tools.jobs import JOB_LISTS, SyntheticLog, beginning, job
from workload_tools.batsim.writer import write_workload
from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_store import JobStore, stored
from workload_tools.log import gather
from workload_tools.swf.log import SwfLog
from workload_tools.swf.writer import write_swf


@given(JOB_LISTS, st.integers(1, 8))
@settings(max_examples=25)
def test_a_store_on_disk_or_in_memory_gives_the_gathered_jobs(
    jobs: list[Job], chunk_size: int
) -> None:
    whole = gather(SyntheticLog(jobs, start_time=1000.0, processors=4))
    with JobStore(chunk_size=chunk_size) as store:
        workload = stored(SyntheticLog(jobs, start_time=1000.0, processors=4), store)
        assert list(workload.jobs) == list(workload.jobs) == whole.jobs
        assert (workload.start_time, workload.processors) == (whole.start_time, 4)
        assert store.largest == max((one.processors for one in jobs), default=0)
        assert store.without_walltime == sum(one.walltime is None for one in jobs)
        assert store.sizes.total() == len(workload.jobs) == len(jobs)


def test_jobs_of_one_date_stay_in_the_logs_order_across_parts() -> None:
    jobs = [job(str(number), submit_time=number % 2) for number in range(9)]
    with JobStore(chunk_size=2) as store:
        store.fill(iter(jobs))
        assert [one.id for one in store] == ["0", "2", "4", "6", "8", "1", "3", "5", "7"]


def test_a_folder_without_room_is_an_error(tmp_path: Path) -> None:
    message = "none: cannot write the temporary file of the jobs: No such file"
    with JobStore(tmp_path / "none", chunk_size=1) as store, pytest.raises(LogError, match=message):
        store.fill(iter([job("1"), job("2")]))


@each_case("suffix", ["json", "swf", "swf.gz"])
def test_a_real_log_gives_the_same_bytes_from_disk_as_from_memory(
    shared: Path, tmp_path: Path, suffix: str
) -> None:
    log = shared / "traces" / "DOST-ASTI_COARE-Saliksik-2020-cln.swf.gz"
    write = write_workload if suffix == "json" else write_swf
    first = beginning(log, tmp_path, 3000)
    written = [tmp_path / f"{chunk_size}.{suffix}" for chunk_size in (1 << 18, 700)]
    for chunk_size, path in zip((1 << 18, 700), written, strict=True):
        with JobStore(tmp_path, chunk_size=chunk_size) as store:
            write(stored(SwfLog(first), store), path)
    one, other = written
    assert one.read_bytes() == other.read_bytes()


def test_the_folder_is_empty_afterwards(tmp_path: Path) -> None:
    with JobStore(tmp_path, chunk_size=1) as store:
        store.fill(iter([job("1"), job("2")]))
        assert len(list(store)) == 2
    assert list(tmp_path.iterdir()) == []
