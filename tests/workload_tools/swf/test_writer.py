import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.suites import each_case
from tests.workload_tools.jobs import JOB_LISTS, SyntheticLog, beginning, job
from workload_tools.batsim.writer import read_workload, write_workload
from workload_tools.changes.anonymised import Key
from workload_tools.errors import LogError
from workload_tools.job import Job, Workload
from workload_tools.job_store import JobStore, stored
from workload_tools.log import gather
from workload_tools.swf.log import SwfLog, read_swf
from workload_tools.swf.writer import NAMES, NO_PLACE, write_swf


def written(tmp_path: Path, *jobs: Job, key: Key | None = None) -> tuple[list[str], Counter[str]]:
    """Write a log; return the fields of its lines and what it could not hold."""
    path = tmp_path / "log.swf"
    lost = write_swf(Workload(jobs=list(jobs)), path, key=key)
    return [line for line in path.read_text().splitlines() if line[0] != ";"], lost


# Of wagap, each job's queue has a name and its nodes are told with all that was asked of them, and
# memory is not in whole KB.
@each_case("name", ["KTH-SP2-1996-2.1-cln", "UniLu-Gaia-2014-1", "wagap-2013"])
def test_real_logs_survive_writing_except_for_reported_fields(
    shared: Path, tmp_path: Path, name: str
) -> None:
    before, _ = read_swf(beginning(shared / "traces" / f"{name}.swf.gz", tmp_path))
    lost = write_swf(before, tmp_path / "log.swf.gz")
    after, report = read_swf(tmp_path / "log.swf.gz")
    assert report.dropped.total() == report.repaired.total() == 0
    if name == "wagap-2013":
        assert set(lost) == {
            *("nodes", "tasks_per_node", "memory_per_node", "features", "exclusive"),
            "queue: replaced by a number",
            "memory: rounded to whole KB per processor",
        }
        gone = ("nodes", "queue", "memory", "used_memory")
        asked = ("tasks_per_node", "memory_per_node", "features")
        without = {**dict.fromkeys((*gone, *asked)), "exclusive": False}
        jobs = [[replace(one, **without) for one in load.jobs] for load in (before, after)]
        assert jobs[0] == jobs[1]
    else:
        assert (before, set(lost)) == (after, set())


@each_case("name", ["KTH-SP2-1996-2.1-cln", "wagap-2013"])
def test_a_log_survives_conversion_to_batsims_json(shared: Path, tmp_path: Path, name: str) -> None:
    before, _ = read_swf(beginning(shared / "traces" / f"{name}.swf.gz", tmp_path))
    write_workload(before, tmp_path / "w.json")
    after = read_workload(tmp_path / "w.json")
    assert (after.jobs, after.start_time) == (before.jobs, before.start_time)


@given(JOB_LISTS)
@settings(max_examples=25)
def test_any_job_survives_writing_except_for_reported_fields(jobs: list[Job]) -> None:
    before = gather(SyntheticLog(jobs, start_time=0.0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.swf"
        lost = write_swf(before, path)
        if not jobs:
            return
        after = read_swf(path)[0]
    gone = {reason.split(":", 1)[0] for reason in lost} | {"memory", *NO_PLACE}
    sizes = {"requested_processors", "allocated_processors"}
    if any("--processors-from" in reason for reason in lost):
        gone |= {"processors"}
    for one, other in zip(before.jobs, after.jobs, strict=True):
        for field in set(Job.__struct_fields__) - gone - sizes:
            assert getattr(one, field) == getattr(other, field), field


def test_names_become_numbers_if_any_is_not_a_number_and_the_key_lists_them(
    tmp_path: Path,
) -> None:
    key = Key()
    jobs = [job("1", user="ann", group="7"), job("2", user="5", group="9"), job("3", user="ann")]
    lines, lost = written(tmp_path, *jobs, key=key)
    assert [line.split()[11:13] for line in lines] == [["1", "7"], ["2", "9"], ["1", "-1"]]
    assert key.names == {"user": {"ann": 1, "5": 2}}
    assert lost == {"user: replaced by a number": 3}


def test_numbers_of_an_existing_key_are_used(tmp_path: Path) -> None:
    key = Key({"user": {"bob": 1}})
    lines, _ = written(tmp_path, job("1", user="12"), job("2", user="bob"), key=key)
    assert [line.split()[11] for line in lines] == ["2", "1"]


def test_ids_that_are_not_numbers_are_renumbered_with_their_references(tmp_path: Path) -> None:
    jobs = [job("7_1"), job("8", preceding_job="7_1"), job("9", preceding_job="gone")]
    lines, lost = written(tmp_path, *jobs)
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert [line.split()[16] for line in lines] == ["-1", "1", "-1"]
    assert lost == {
        "id: replaced by a number": 3,
        "preceding_job: no job of this log has this id": 1,
    }


@each_case(
    ("processors", "requested", "allocated", "expected", "reason"),
    [
        (4, 4, 8, ("8", "4"), None),
        (4, None, None, ("-1", "4"), "none"),
        (8, None, 8, ("8", "-1"), None),
        (8, 4, 8, ("8", "4"), "--processors-from allocated"),
        (2, 64, 64, ("-1", "2"), "another unit"),
    ],
)
def test_the_size_is_in_the_field_that_readers_use(
    tmp_path: Path,
    processors: int,
    requested: int | None,
    allocated: int | None,
    expected: tuple[str, str],
    reason: str | None,
) -> None:
    one = job("1", processors=processors)
    one = replace(one, requested_processors=requested, allocated_processors=allocated)
    (line,), lost = written(tmp_path, one)
    assert (line.split()[4], line.split()[7]) == expected
    assert [reason in text for text in lost] == ([True] if reason not in (None, "none") else [])


def test_memory_is_in_kb_per_processor(tmp_path: Path) -> None:
    (line,), lost = written(tmp_path, job("1", processors=3, memory=3.0, used_memory=1.0))
    assert (line.split()[9], line.split()[6]) == ("1048576", "349525")
    assert lost == {"memory: rounded to whole KB per processor": 1}


def test_the_header_has_machine_dates_and_acknowledgements(shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    with JobStore() as store:
        log = beginning(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz", tmp_path, 3000)
        write_swf(stored(SwfLog(log), store), path)
    header = [line for line in path.read_text().splitlines() if line[0] == ";"]
    assert header == [
        "; Version: 2.2",
        "; Computer: IBM SP2",
        "; Installation: Swedish Royal Institute of Technology (KTH)",
        "; Acknowledge: Lars Malinowsky",
        "; Information: http://www.pdc.kth.se/",
        ";   http://www.cs.huji.ac.il/labs/parallel/workload/",
        "; Conversion: Dror Feitelson (feit@cs.huji.ac.il) 01 Jan 2012",
        "; Conversion: pred-aware",
        "; MaxJobs: 2975",
        "; MaxRecords: 2975",
        "; UnixStartTime: 844079881",
        "; TimeZoneString: Europe/Stockholm",
        "; StartTime: Mon Sep 30 12:38:01 CEST 1996",
        "; EndTime: Thu Nov 14 10:20:02 CET 1996",
        "; MaxNodes: 100",
        "; MaxProcs: 100",
    ]


def test_queues_are_named_in_the_header(tmp_path: Path) -> None:
    written(tmp_path, job("1", queue="long"), job("2", queue="short  one"))
    text = (tmp_path / "log.swf").read_text()
    assert "; MaxQueues: 2\n; Queue: 1 long\n; Queue: 2 short one\n" in text
    assert set(NAMES) >= {"queue"}


@each_case("zone", [None, "Mars/Olympus", "Europe/Paris"])
def test_dates_beyond_the_calendar_are_left_out_and_unknown_zones_are_utc(
    tmp_path: Path, zone: str | None
) -> None:
    load = Workload(jobs=[job("1", run_time=1e15)], start_time=0.0, time_zone=zone)
    write_swf(load, tmp_path / "log.swf")
    text = (tmp_path / "log.swf").read_text()
    hour = "01:00:00 CET" if zone == "Europe/Paris" else "00:00:00 UTC"
    assert f"; StartTime: Thu Jan 01 {hour} 1970\n" in text
    assert "EndTime" not in text


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be written"):
        write_swf(Workload(jobs=[job("1")]), tmp_path / "none" / "log.swf")


def test_a_number_out_of_range_is_an_error_with_its_job(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="job '1' cannot be written"):
        write_swf(
            Workload(jobs=[job("1", run_time=float("inf"))], start_time=0.0), tmp_path / "log.swf"
        )
    assert list(tmp_path.iterdir()) == []
