import gzip
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools.batsim.writer import write_workload
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.log import gather
from workload_tools.pbs import PbsLog

PRO_END = (
    '03/01/2024 11:00:05;E;7.srv;user=ann group=staff account="my grant" '
    "project=_pbs_project_default jobname=cfd queue=workq ctime=1709280000 qtime=1709280001 "
    "etime=1709280100 start=1709280600 exec_host=n1/0*8+n2/0*8 exec_vnode=(n1:ncpus=8)+(n2:ncpus=8)"
    " Resource_List.mem=32gb Resource_List.mpiprocs=16 Resource_List.ncpus=16 "
    "Resource_List.ngpus=2 Resource_List.nodect=2 Resource_List.place=scatter "
    "Resource_List.select=2:ncpus=8:mpiprocs=8:ngpus=1:mem=16gb Resource_List.walltime=02:00:00 "
    "Resource_List.soft_walltime=01:00:00 session=5 end=1709284205 Exit_status=0 "
    "resources_used.cput=10:00:00 resources_used.mem=1048576kb resources_used.ncpus=16 "
    "resources_used.walltime=01:00:01 run_count=1"
)


def event(record_type: str, identifier: str, message: str = "") -> str:
    return f"03/01/2024 11:00:00;{record_type};{identifier};{message}"


def end(identifier: str, *, submitted: int = 100, used: str = "00:01:00", more: str = "") -> str:
    return event(
        "E",
        identifier,
        f"user=bob queue=q ctime={submitted} start={submitted + 10} end={submitted + 70} "
        f"Resource_List.nodes=1:ppn=4 resources_used.walltime={used} {more}",
    )


def read(tmp_path: Path, *lines: str, strict: bool = False) -> tuple[list[Job], PbsLog]:
    path = tmp_path / "accounting"
    path.write_text("\n".join(lines) + "\n")
    log = PbsLog(path, strict=strict)
    return list(log.jobs()), log


def test_a_record_of_pbs_professional_becomes_a_job_with_all_its_fields(tmp_path: Path) -> None:
    (job,), _ = read(tmp_path, PRO_END)
    assert job == Job(
        id="7.srv",
        submit_time=1709280000.0,
        processors=16,
        run_time=3601.0,
        walltime=7200.0,
        user="ann",
        group="staff",
        project="my grant",
        queue="workq",
        name="cfd",
        nodes=2,
        gpus=2,
        memory=32.0,
        used_memory=1.0,
        requested_processors=16,
        allocated_processors=16,
        wait_time=600.0,
        status=1,
        state="exit 0",
        tasks=16,
        soft_walltime=3600.0,
        tasks_per_node=8,
        memory_per_node=16.0,
        eligible_time=1709280100.0,
    )


@each_case(
    ("records", "reason"),
    [
        ("Q", "only queued: no start in the log"),
        ("QS", "only started: no end in the log"),
        ("S", "only started: no end in the log"),
        ("QD", "deleted while waiting"),
        ("QSRD", "deleted while waiting"),
        ("QSD", "deleted while running: no end in the log"),
        ("QSR", "only started: requeued and not started again"),
        ("R", "only started: requeued and not started again"),
        ("QSC", "only started: requeued and not started again"),
        ("QSCT", "only started: no end in the log"),
        ("QA", "aborted by the server: no end in the log"),
        ("QDS", "only started: no end in the log"),
        ("QM", "moved to another server"),
        ("a", "no record of queueing, start or end"),
    ],
)
def test_a_job_without_an_end_is_dropped_with_its_last_known_state(
    tmp_path: Path, records: str, reason: str
) -> None:
    jobs, log = read(tmp_path, *(event(record, "1.srv") for record in records))
    assert not jobs
    assert (log.report.read, log.report.dropped) == (1, {reason: 1})


def test_the_last_run_of_a_requeued_job_counts(tmp_path: Path) -> None:
    lines = [event(record, "1.srv") for record in "QSRS"]
    (job,), log = read(tmp_path, *lines, end("1.srv"))
    assert (job.run_time, job.wait_time) == (60.0, 10.0)
    assert log.report.repaired == {"requeued: last run used": 1}


def test_a_job_deleted_while_running_is_marked(tmp_path: Path) -> None:
    lines = [event(record, "1.srv") for record in "QSD"]
    (job,), _ = read(tmp_path, *lines, end("1.srv", more="Exit_status=271"))
    assert (job.state, job.status) == ("deleted", 5)


def test_tasks_of_an_array_are_jobs_and_the_array_itself_is_not(tmp_path: Path) -> None:
    whole = [event("Q", "8[].srv"), event("E", "8[].srv", "ctime=100")]
    jobs, log = read(tmp_path, *whole, end("8[1].srv"), end("8[2].srv"))
    assert [(job.id, job.array) for job in jobs] == [("8[1].srv", "8[]"), ("8[2].srv", "8[]")]
    assert log.report.read == 3
    assert log.report.dropped == {"record of a whole job array: its tasks are separate jobs": 1}


def test_a_reused_job_number_is_another_job(tmp_path: Path) -> None:
    lines = [end("1.srv"), event("Q", "1.srv"), end("1.srv", submitted=900)]
    jobs, log = read(tmp_path, *lines)
    assert [(job.id, job.submit_time) for job in jobs] == [("1.srv", 100.0), ("1.srv.2", 900.0)]
    assert log.report.repaired == {"job number used before: suffix added": 1}


def test_a_second_end_of_the_same_job_is_dropped(tmp_path: Path) -> None:
    jobs, log = read(tmp_path, end("1.srv"), event("D", "1.srv"), end("1.srv"))
    assert (len(jobs), log.report.read) == (1, 2)
    assert log.report.dropped == {"second end record of the same job": 1}


def test_records_without_a_job_are_counted_separately(tmp_path: Path) -> None:
    others = [event("L", "license", "floating license hour:3"), event("U", "R5.srv")]
    _, log = read(tmp_path, *others, event("X", "1.srv"), "damaged", "", end("1.srv"))
    assert log.report.read == 5
    assert log.report.dropped == {
        "record of licences, not of a job": 1, "record of a reservation, not of a job": 1,
        "record of an unknown type": 1, "line that is not an accounting record": 1,
    }  # fmt: skip


@each_case(
    ("line", "reason"),
    [
        (end("1.srv", used="00:00:00").replace("end=170", "end=110"), "run time of 0 s"),
        (event("E", "1.srv", "ctime=5 Resource_List.ncpus=2"), "no run time"),
        (event("E", "1.srv", "Resource_List.ncpus=2"), "no submission time"),
        (event("E", "1.srv", "ctime=5 resources_used.walltime=9"), "no number of processors"),
    ],
)
def test_an_invalid_end_is_dropped_or_with_strict_an_error(
    tmp_path: Path, line: str, reason: str
) -> None:
    assert read(tmp_path, line)[1].report.dropped == {reason: 1}
    with pytest.raises(LogError, match=rf"accounting:1: job '1\.srv': {reason}. Without --strict"):
        read(tmp_path, line, strict=True)


def test_unreadable_fields_of_a_job_are_left_out(tmp_path: Path) -> None:
    (job,), log = read(tmp_path, end("1.srv", more="Resource_List.mem=much end=soon"))
    assert (job.memory, job.run_time) == (None, 60.0)
    expected = {"Resource_List.mem not understood: left out": 1, "end not understood: left out": 1}
    assert log.report.repaired == expected


def test_a_guessed_size_survives_writing_and_reading_a_workload(tmp_path: Path) -> None:
    path = tmp_path / "accounting"
    path.write_text(end("1") + "\n")
    for size, guessed in ((None, True), (8, False)):
        write_workload(gather(open_log(path, processors=size)), tmp_path / "w.json")
        again = gather(open_log(tmp_path / "w.json"))
        assert (again.processors, again.guessed) == (size or 4, guessed)


def test_a_job_can_begin_in_one_file_and_end_in_another(tmp_path: Path) -> None:
    (tmp_path / "20240302.gz").write_bytes(gzip.compress(end("1.srv").encode()))
    (tmp_path / "20240301").write_text(event("Q", "1.srv") + "\n" + event("D", "2.srv"))
    (tmp_path / "README").write_text("not read")
    log = open_log(tmp_path)
    workload = gather(log)
    assert [job.id for job in workload.jobs] == ["1.srv"]
    assert (log.report.read, workload.start_time) == (2, 100.0)


@each_case(
    ("names", "message"),
    [
        (["log.txt"], "contains no PBS accounting file"),
        (["20240301", "20240301.gz"], "'20240301' in the same folder is of the same day"),
    ],
)
def test_a_folder_of_other_files_or_the_same_day_twice_is_an_error(
    tmp_path: Path, names: list[str], message: str
) -> None:
    for name in names:
        (tmp_path / name).write_text(end("1.srv"))
    with pytest.raises(LogError, match=message):
        list(PbsLog(tmp_path).jobs())


@each_case("content", ["", "hello\n" * 300, "\x00\x01\n", "1 2 3;4\n"])
def test_a_file_that_is_not_an_accounting_log_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "log"
    path.write_text(content)
    with pytest.raises(LogError, match="accounting"):
        list(PbsLog(path).jobs())


@each_case(
    ("request_", "memory", "processors"),
    [
        ("Resource_List.mem=8gb Resource_List.vmem=9gb", 8.0, 4),
        ("Resource_List.pmem=2gb", 8.0, 4),
        ("Resource_List.vmem=9gb", 9.0, 4),
        ("Resource_List.procs=16", None, 16),
        ("Resource_List.ncpus=8", None, 8),
    ],
)
def test_requests_can_have_several_forms(
    tmp_path: Path, request_: str, memory: float | None, processors: int
) -> None:
    (job,), _ = read(tmp_path, end("1.srv", more=request_))
    assert (job.memory, job.processors) == (memory, processors)


@each_case(
    ("place", "nodes", "each", "memory", "exclusive"),
    [
        ("scatter:excl", 2, 4, 2.0, True),
        ("free", None, None, None, False),
        ("pack:exclhost", 1, 8, 4.0, True),
    ],
)
def test_the_placement_of_chunks_is_kept(
    tmp_path: Path,
    place: str,
    nodes: int | None,
    each: int | None,
    memory: float | None,
    *,
    exclusive: bool,
) -> None:
    request = f"Resource_List.select=2:ncpus=4:mpiprocs=4:mem=2gb Resource_List.place={place}"
    (job,), _ = read(tmp_path, end("1.srv", more=request))
    assert (job.nodes, job.tasks_per_node, job.memory_per_node) == (nodes, each, memory)
    assert (job.exclusive, job.processors) == (exclusive, 8)


@each_case(
    ("select", "tasks"), [("16:ncpus=2:mpiprocs=2", 16), ("1:ncpus=8+2:ncpus=4:mpiprocs=4", 9)]
)
def test_chunks_that_may_share_nodes_become_tasks(tmp_path: Path, select: str, tasks: int) -> None:
    (job,), _ = read(tmp_path, end("1.srv", more=f"Resource_List.select={select}"))
    assert (job.nodes, job.tasks) == (None, tasks)


def test_a_job_eligible_after_its_submission_has_the_date(tmp_path: Path) -> None:
    jobs, _ = read(tmp_path, end("1.srv", more="etime=105"), end("2.srv", more="etime=100"))
    assert [job.eligible_time for job in jobs] == [105.0, None]


def test_fields_left_out_of_jobs_are_counted_with_their_share(tmp_path: Path) -> None:
    asked = "Resource_List.place=group=rack Resource_List.matlab=2 resvID=R7"
    jobs, log = read(tmp_path, end("1.srv", more=asked), end("2.srv"), event("D", "3.srv"))
    assert [job.reservation for job in jobs] == ["R7", None]
    assert list(log.report.left_out.shares()) == [
        (1, "Resource_List.matlab (50.0 % of the jobs, 50.0 % of their waiting)"),
        (1, "topology: place=group (50.0 % of the jobs, 50.0 % of their waiting)"),
    ]
    assert "left_out" in log.report.to_dict()


def test_names_in_utf_8_and_latin_1_are_read(tmp_path: Path) -> None:
    path = tmp_path / "log"
    lines = [end("1.s", more="jobname=süd"), end("2.s", more="jobname=süd")]
    path.write_bytes(lines[0].encode() + b"\n" + lines[1].encode("latin-1"))
    assert [job.name for job in PbsLog(path).jobs()] == ["süd", "süd"]


def test_repairs_are_counted_for_kept_jobs(tmp_path: Path) -> None:
    at_once = event("E", "1.srv", "ctime=100 start=110 end=110 Resource_List.mem=much")
    requeued = [event(record, "2.srv") for record in "QSRS"]
    path = tmp_path / "accounting"
    path.write_text("\n".join([at_once, *requeued, end("2.srv")]) + "\n")
    log = open_log(path, options={"missing_walltime": "drop"})
    assert not list(log.jobs())
    assert log.report.dropped == {"run time of 0 s": 1, "no walltime": 1}
    assert not log.report.repaired


def test_an_unknown_time_zone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="unknown time zone 'Mars/Crater'"):
        PbsLog(tmp_path / "accounting", time_zone="Mars/Crater")


def test_a_byte_order_mark_before_the_first_record_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "accounting"
    path.write_text("\ufeff" + end("1.srv") + "\n")
    log = open_log(path)
    assert [job.id for job in log.jobs()] == ["1.srv"]
    assert log.report.read == 1


def test_a_copy_of_a_day_is_an_error_but_another_part_of_the_day_is_not(tmp_path: Path) -> None:
    (tmp_path / "20240301").write_text(end("1.srv") + "\n")
    (tmp_path / "20240301.part2").write_text(end("2.srv") + "\n")
    assert [job.id for job in PbsLog(tmp_path).jobs()] == ["1.srv", "2.srv"]
    (tmp_path / "20240301.bak.gz").write_bytes(gzip.compress(end("1.srv").encode()))
    with pytest.raises(LogError, match=r"20240301\.bak\.gz: '20240301' in the same folder begins"):
        list(PbsLog(tmp_path).jobs())


def test_a_number_reused_often_gets_the_next_suffix_each_time(tmp_path: Path) -> None:
    jobs, _ = read(tmp_path, *[event("Q", "1.srv"), end("1.srv")] * 100)
    assert [job.id for job in jobs] == ["1.srv", *(f"1.srv.{n}" for n in range(2, 101))]


# of Mason's records, by hand: start - ctime, resources_used.walltime, end - start
FIRST_DAYS = {"520891.m1.mason": (76, 2), "520888.m1.mason": (79, 6), "520997.m1.mason": (198, 810)}


def test_the_first_days_of_mason_can_be_read(shared: Path, tmp_path: Path) -> None:
    for day in ("20171001", "20171002"):
        name = f"{day}.anon.gz"
        (tmp_path / name).write_bytes((shared / "pbs" / name).read_bytes())
    log = PbsLog(tmp_path)
    jobs = {job.id: job for job in log.jobs()}
    assert log.report.read == log.report.kept + log.report.dropped.total()
    found = {name: (jobs[name].wait_time, jobs[name].run_time) for name in FIRST_DAYS}
    assert found == FIRST_DAYS
    dated = {job.id: job for job in PbsLog(tmp_path, run_time_from="dates").jobs()}
    assert dated["520997.m1.mason"].run_time == 1778
    alone = PbsLog(tmp_path / "20171001.anon.gz")
    assert len([*alone.jobs()]) == alone.report.kept == 81 - alone.report.dropped["run time of 0 s"]


def test_dates_replace_a_used_walltime_of_0(tmp_path: Path) -> None:
    (job,), log = read(tmp_path, end("1.srv", used="00:00:00"))
    assert job.run_time == 60.0
    assert log.report.repaired == {"resources_used.walltime of 0 s: end - start used": 1}


def test_the_servers_count_of_processors_is_used_for_chunks_without_one(tmp_path: Path) -> None:
    cases = {
        "ncpus=16 Resource_List.select=2:ncpus=8": 16,
        "ncpus=1 Resource_List.select=2:mem=1gb": 1,
        "ncpus=8 Resource_List.select=2:mem=1gb+1:ncpus=4": 8,
        "nodect=2 Resource_List.select=2:mem=1gb": 2,
    }
    for request, processors in cases.items():
        line = end("1.srv").replace("nodes=1:ppn=4", request)
        (job,), _ = read(tmp_path, line)
        assert job.processors == processors, request
