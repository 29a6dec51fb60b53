"""Real output of Slurm 22.05, in many forms, with the truth for every job."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.suites import each_case
from tests.workload_tools.mutations import counted
from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.slurm import SlurmLog
from workload_tools.slurm.record import REQUEUED
from workload_tools.slurm.sizes import Unit

FIELDS = (
    "JobIDRaw,JobID,User,Account,Partition,QOS,State,ExitCode,Submit,Eligible,Start,End,ElapsedRaw,"
    "TimelimitRaw,ReqCPUS,AllocCPUS,ReqMem,ReqNodes,NNodes,ReqTRES,AllocTRES,NodeList,Suspended,"
    "Reserved,Priority,JobName"
)
SAME_MOMENT: dict[str, dict[str, Any]] = {
    "01_allocs_X_P": {}, "01b_allocs_X_P_now": {}, "02_steps_P": {}, "02b_steps_P_min": {},
    "03_allocs_X_p": {}, "03b_allocs_X_p_min": {}, "03c_allocs_X_P_noheader": {"format": FIELDS},
    "03d_allocs_X_delim_us": {}, "03e_allocs_X_delim_comma": {}, "03f_allocs_X_delim_multi": {},
    "05_json": {}, "05c_json_X": {}, "06_epoch_X_P": {}, "06b_epoch_X_P_min": {},
    "06c_timefmt_std": {}, "06e_timefmt_custom": {},
    "06f_tz_berlin": {"time_zone": "Europe/Berlin"}, "06g_tz_newyork_epoch": {}, "07_dup_X_P": {},
    "07b_dup_X_P_min": {}, "07c_dup_steps_P_min": {}, "07d_dup_X_epoch_min": {},
}  # fmt: skip
# 07d was taken some seconds after the others
IN_SOME: dict[str, Any] = {
    **dict.fromkeys(("group", "tasks", "tasks_per_node", "memory_per_node", "features")),
    **dict.fromkeys(("gpu_type", "reservation", "array_limit")),
    "exclusive": False,
}
"""What only some dumps tell, most of it in SubmitLine."""
ENDED_MEANWHILE = {"07d_dup_X_epoch_min": {"448", "449"}}


@pytest.fixture(scope="session")
def dumps(shared: Path) -> Path:
    return shared / "sacct"


def jobs_of(log: SlurmLog) -> dict[str, Job]:
    return {job.id: job for job in counted(log)}


@pytest.fixture(scope="session")
def reference(dumps: Path) -> dict[str, Job]:
    jobs = jobs_of(SlurmLog(dumps / "01c_allocs_X_P_min.txt.gz"))
    return {job_id: replace(job, **IN_SOME) for job_id, job in jobs.items()}


@each_case("name", SAME_MOMENT)
def test_every_form_gives_the_same_ended_jobs(
    dumps: Path, reference: dict[str, Job], name: str
) -> None:
    jobs = jobs_of(SlurmLog(dumps / f"{name}.txt.gz", **SAME_MOMENT[name]))
    assert jobs.keys() - reference.keys() == ENDED_MEANWHILE.get(name, set())
    assert {job_id: replace(jobs[job_id], **IN_SOME) for job_id in reference} == reference


def test_requests_equal_those_typed_by_the_users(dumps: Path) -> None:
    jobs = jobs_of(SlurmLog(dumps / "01_allocs_X_P.txt.gz"))
    rows = (dumps / "truth_submissions.tsv").read_text().strip().split("\n")
    typed = {row.split("\t")[1]: json.loads(row.split("\t")[10]) for row in rows[1:]}
    untold = 0
    for job, options in ((jobs[job_id], typed[job_id]) for job_id in typed.keys() & jobs.keys()):
        assert job.exclusive == ("--exclusive" in options)
        each = [one[18:] for one in options if one.startswith("--ntasks-per-node=")]
        several = (job.nodes or 0) > 1 and not job.tasks
        equal = job.processors // (job.nodes or 1) if several else None
        assert job.tasks_per_node == (int(each[0]) if each else equal)
        if "-n" in options:
            assert job.tasks in (None, int(options[options.index("-n") + 1]))
            untold += job.tasks is None
    # nothing is quoted: behind a name with a blank an option may be the script's
    assert untold < 0.1 * len(typed)
    assert (jobs["237"].licences, jobs["341"].reservation) == ("matlab:2", "demores")
    assert {job.array_limit for job in jobs.values() if job.array == "179"} == {4}


def test_values_that_jobs_cannot_keep_are_counted(dumps: Path) -> None:
    log = SlurmLog(dumps / "07_dup_X_P.txt.gz")
    jobs_of(log)
    left_out = log.report.left_out
    assert left_out.all_jobs == log.report.kept
    assert {"preempted", "suspended", "nodes requested by name"} < set(left_out.jobs)
    assert left_out.jobs["heterogeneous jobs: each component is a job of its own"] == 4
    assert left_out.jobs["requeued before its last run"] == log.report.repaired[REQUEUED] == 3


@each_case(
    ("name", "message"),
    [
        ("04_default.txt.gz", "is sacct's default table, whose columns are truncated"),
        ("04b_default_X.txt", "is sacct's default table, whose columns are truncated"),
        ("04c_long.txt.gz", "lacks the fields Submit, Start"),
        ("06d_timefmt_relative.txt.gz", ":2: '02:33:41' is a time without a day"),
        ("03c_allocs_X_P_noheader.txt.gz", "has no header; list its fields with --format"),
        ("08j_planned_field.txt", "is empty"),
    ],
)
def test_a_dump_without_a_required_field_is_an_error(dumps: Path, name: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        list(SlurmLog(dumps / name).jobs())


def test_processor_seconds_equal_those_of_the_records(dumps: Path) -> None:
    log = SlurmLog(dumps / "01c_allocs_X_P_min.txt.gz")
    source: Any = log._source()  # noqa: SLF001
    records = [record for _, record in source.records()]
    started = [record for record in records if record.start is not None]
    assert len(started) == 418
    assert sum(record.allocated_cpus * record.elapsed for record in started) == 27_380
    ended = [r for r in started if r.elapsed and r.state not in ("RUNNING", "SUSPENDED")]
    assert len(ended) == 378
    assert sum(record.allocated_cpus * record.elapsed for record in ended) == 21_279
    # 324 was resized: 3 CPUs for 7 s, then 1; its second record has all of its 25 s
    jobs = list(log.jobs())
    assert len(jobs) == 377
    assert sum(job.processors * job.run_time for job in jobs) == 21_279 - 3 * 7


def test_each_record_is_kept_or_dropped_by_its_state(dumps: Path) -> None:
    log = SlurmLog(dumps / "07b_dup_X_P_min.txt.gz")
    kept = Counter(job.state for job in log.jobs())
    assert kept == {
        "COMPLETED": 351, "FAILED": 12, "CANCELLED": 6, "TIMEOUT": 4, "NODE_FAIL": 2,
        "OUT_OF_MEMORY": 1, "PREEMPTED": 1,
    }  # fmt: skip
    assert log.report.read == 434
    assert log.report.dropped == {
        "has not ended: PENDING": 5,
        "has not ended: RUNNING": 8,
        "has not ended: SUSPENDED": 1,
        "never started: CANCELLED": 2,
        "never started: DEADLINE": 1,
        "run time of 0 s: COMPLETED": 17,
        "run time of 0 s: FAILED": 13,
        "run time of 0 s: OUT_OF_MEMORY": 1,
        "earlier run of a requeued job: NODE_FAIL": 3,
        "earlier run of a requeued job: PREEMPTED": 1,
        "earlier run of a requeued job: REQUEUED": 4,
        "resized while running: the next record has the whole run": 1,
    }


# id, requested and allocated CPUs, requested nodes, limit, run time, state, gpus
TRUTH = """
5   4 4  1 129600 3  COMPLETED 2
13  1 1  1 60     78 TIMEOUT 0
15  2 2  2 60     77 TIMEOUT 0
11  1 2  1 120    1  OUT_OF_MEMORY 0
217 1 1  1 None   1  COMPLETED 0
219 1 1  1 None   1  COMPLETED 0
216 1 1  1 600    1  COMPLETED 0
245 64 64 None 360   3  COMPLETED 0
246 1 16 1 360    2  COMPLETED 0
248 1 16 1 360    3  COMPLETED 0
251 3 4  1 360    3  COMPLETED 0
239 1 3  None 360    2  COMPLETED 0
235 2 2  2 7200   3  COMPLETED 6
311 2 2  1 300    8  CANCELLED 0
328 2 2  1 600    12 COMPLETED 0
329 1 1  1 60     49 COMPLETED 0
330 1 1  1 600    4  CANCELLED 0
331 1 32 1 540    5  PREEMPTED 0
332 1 32 1 540    14 COMPLETED 0
317 1 1  1 240   100 COMPLETED 0
342 5 5  1 172800 2  COMPLETED 0
324 3 1  1 540    25 COMPLETED 0
"""


@each_case("row", TRUTH.strip().splitlines())
def test_the_jobs_of_the_test_cluster_are_read_correctly(
    reference: dict[str, Job], row: str
) -> None:
    job_id, *expected = row.split()
    job = reference[job_id]
    found = (
        job.requested_processors,
        job.allocated_processors,
        job.nodes,
        None if job.walltime is None else int(job.walltime),
        int(job.run_time),
        job.state,
        job.gpus,
    )
    assert list(map(str, found)) == expected


@each_case("job_id", ["310", "417", "422", "425", "427", "4", "323"])
def test_jobs_that_never_ran_or_still_run_are_dropped(
    reference: dict[str, Job], job_id: str
) -> None:
    assert job_id not in reference


def test_names_with_separators_and_line_ends_are_complete(dumps: Path) -> None:
    names = {job.id: job.name for job in SlurmLog(dumps / "01_allocs_X_P.txt.gz").jobs()}
    assert (names["262"], names["280"], names["264"]) == ("a|b", "COMPLETED|0:0", "new\nline")
    assert (names["265"], names["278"]) == ("tab\tname", "cr\rname")
    assert (names["266"], names["282"]) == ("žluťoučký|кот 🐈", "\xa0nbsp\u2028ls")


def test_user_queue_and_dates_are_read(dumps: Path) -> None:
    jobs = {job.id: job for job in SlurmLog(dumps / "01_allocs_X_P.txt.gz").jobs()}
    job = jobs["182"]
    assert (job.user, job.group, job.project) == ("chloe", "chloe", "geo-lab")
    assert (job.partition, job.qos, job.array, job.status) == ("batch", "normal", "180", 1)
    # submitted at 02:39:30, resized at 02:39:37: 1 of 3 CPUs of 500 MiB is left
    resized = jobs["324"]
    assert (resized.submit_time, resized.wait_time) == (1795228770.0, 0.0)
    assert (resized.processors, resized.memory) == (1, 500 / 1024)


def test_each_run_of_a_requeued_job_can_be_a_job(dumps: Path) -> None:
    log = SlurmLog(dumps / "07b_dup_X_P_min.txt.gz", requeues="each")
    jobs = jobs_of(log)
    runs = [jobs[name] for name in ("332:run1", "332")]
    assert [(run.state, run.run_time) for run in runs] == [("PREEMPTED", 5.0), ("COMPLETED", 14.0)]
    assert {"322:run1", "322:run2", "323:run1"} < jobs.keys()
    assert "323" not in jobs


@each_case(
    ("unit", "machine", "sizes"),
    [
        ("cpus", 192, {"11": 2, "251": 4, "331": 32, "245": 64, "5": 4}),
        ("cores", 160, {"11": 1, "251": 2, "331": 16, "245": 64, "5": 4}),
        ("nodes", 8, {"11": 1, "251": 1, "331": 1, "245": 4, "235": 2}),
        ("gpus", 8, {"5": 2, "235": 6}),
    ],
)
def test_a_processor_can_be_a_cpu_a_core_a_node_or_a_gpu(
    dumps: Path, unit: Unit, machine: int, sizes: dict[str, int]
) -> None:
    log = SlurmLog(dumps / "05_json.txt.gz", unit=unit, slurm_conf=dumps / "slurm.conf.txt")
    jobs = jobs_of(log)
    assert {job_id: jobs[job_id].processors for job_id in sizes} == sizes
    assert (log.machine.processors, log.machine.nodes) == (machine, 8)


def test_losses_of_the_chosen_unit_are_reported(dumps: Path) -> None:
    conf = dumps / "slurm.conf.txt"
    cores = SlurmLog(dumps / "05_json.txt.gz", unit="cores", slurm_conf=conf)
    gpus = SlurmLog(dumps / "05_json.txt.gz", unit="gpus", slurm_conf=conf)
    assert len(list(cores.jobs())) == 377
    assert cores.report.marked == {"requested GPUs, but only cores are simulated": 7}
    assert len(list(gpus.jobs())) == 7
    assert gpus.report.dropped["requested no GPUs: cannot run on a machine of GPUs"] == 370


def test_each_partition_can_be_a_machine(dumps: Path) -> None:
    log = SlurmLog(
        dumps / "05_json.txt.gz", partitions=["smt"], slurm_conf=dumps / "slurm.conf.txt"
    )
    assert {job.partition for job in log.jobs()} == {"smt"}
    assert (log.machine.processors, log.machine.nodes) == (64, 2)


def test_a_form_without_elapsed_time_counts_the_suspension(dumps: Path) -> None:
    log = SlurmLog(dumps / "08k_script_quick.txt")
    jobs = jobs_of(log)
    assert (jobs["328"].run_time, jobs["178_0"].array) == (39.0, "178")
    assert log.report.repaired[
        "no elapsed time: end - start used, which may include suspensions"
    ] == len(jobs)


@each_case("name", ["01c_allocs_X_P_min.txt.gz", "05_json.txt.gz", "04_default.txt.gz"])
def test_a_dump_is_recognised_by_its_beginning(dumps: Path, name: str) -> None:
    from workload_tools.formats import open_log

    assert isinstance(open_log(dumps / name), SlurmLog)


def test_without_slurm_conf_the_nodes_that_jobs_used_are_the_machine(dumps: Path) -> None:
    log = SlurmLog(dumps / "01c_allocs_X_P_min.txt.gz", unit="nodes")
    assert len(list(log.jobs())) == 377
    assert log.machine.processors == 8
