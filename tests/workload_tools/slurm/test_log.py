import os
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools.errors import LogError
from workload_tools.slurm import SlurmLog
from workload_tools.slurm.requested import BRIDGED

HEADER = (
    "JobIDRaw|Cluster|User|State|Submit|Eligible|Start|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqTRES"
)
ROW = "1|refs|ann|COMPLETED|1000|1030|1060|300|10|4|cpu=4,mem=2G"


def log_of(tmp_path: Path, *rows: str, header: str = HEADER, **options: object) -> SlurmLog:
    path = tmp_path / "jobs.txt"
    path.write_text("\n".join([header, *rows]) + "\n")
    return SlurmLog(path, **options)  # type: ignore[arg-type] # of many types


def test_fields_can_have_any_order(tmp_path: Path) -> None:
    names, values = HEADER.split("|")[::-1], ROW.split("|")[::-1]
    turned = log_of(tmp_path, "|".join(values), header="|".join(names))
    (job,) = turned.jobs()
    assert (job,) == tuple(log_of(tmp_path, ROW).jobs())
    assert (job.submit_time, job.wait_time, job.processors) == (1000.0, 60.0, 4)


def test_a_dump_with_windows_line_ends_is_read(tmp_path: Path) -> None:
    log = log_of(tmp_path, ROW + "\r", ROW.replace("1|", "2|", 1) + "\r", header=HEADER + "\r")
    assert [job.memory for job in log.jobs()] == [2.0, 2.0]


def test_the_eligible_time_is_kept_if_it_is_after_the_submission(tmp_path: Path) -> None:
    at_once = ROW.replace("1|", "2|", 1).replace("1030", "1000")
    jobs = list(log_of(tmp_path, ROW, at_once).jobs())
    assert [job.eligible_time for job in jobs] == [1030.0, None]
    (later,) = log_of(tmp_path, ROW, submit_time_from="eligible").jobs()
    assert (later.submit_time, later.wait_time, later.eligible_time) == (1030.0, 30.0, None)


def test_requests_are_kept(tmp_path: Path) -> None:
    header = HEADER + "|ReqMem|NNodes|Constraints|ReqNodes|Reservation|SubmitLine|Restarts"
    dated = ROW.replace("|1000|1030|1060|", "|1795228421|1795228421|1795228481|")
    row = dated + "|2Gn|2|a|b|1|week|sbatch --exclusive a | b|1"
    log = log_of(tmp_path, row, header=header)
    (job,) = log.jobs()
    assert (job.features, job.reservation, job.memory_per_node) == ("a|b", "week", 2.0)
    assert job.exclusive
    assert log.report.left_out.jobs == {"requeued before its last run": 1}


def test_jobs_of_partitions_that_share_cores_are_counted(tmp_path: Path) -> None:
    conf = tmp_path / "slurm.conf"
    shared = "PartitionName=shared Nodes=ALL OverSubscribe=FORCE:4"
    conf.write_text(f"NodeName=n[1-4] CPUs=8\nPartitionName=own Nodes=ALL\n{shared}\n")
    rows = [ROW.replace("1|", f"{n}|", 1) + f"|{name}" for n, name in enumerate(("own", "shared"))]
    log = log_of(tmp_path, *rows, header=f"{HEADER}|Partition", slurm_conf=conf)
    assert len(list(log.jobs())) == 2
    assert log.report.left_out.jobs == {"cores shared with other jobs (OverSubscribe)": 1}


def test_the_limit_of_an_array_comes_from_its_waiting_part(tmp_path: Path) -> None:
    header = HEADER.replace("JobIDRaw|", "JobIDRaw|JobID|")
    rest = "3|2_[5-9%4]|refs|ann|PENDING|1000|Unknown|Unknown|0|10|4|"
    log = log_of(tmp_path, ROW.replace("1|", "1|2_1|", 1), rest, header=header)
    assert [job.array_limit for job in log.jobs()] == [4]


def test_missing_gpus_are_zero_only_if_gpus_are_counted(tmp_path: Path) -> None:
    with_gpu = ROW.replace("1|", "2|", 1) + ",gres/gpu=1"
    assert [job.gpus for job in log_of(tmp_path, ROW).jobs()] == [None]
    assert [job.gpus for job in log_of(tmp_path, ROW, with_gpu).jobs()] == [0, 1]


def test_jobs_of_several_clusters_need_a_choice(tmp_path: Path) -> None:
    other = ROW.replace("refs", "west")
    with pytest.raises(LogError, match="clusters refs, west; choose one with --cluster"):
        list(log_of(tmp_path, ROW, other).jobs())
    log = log_of(tmp_path, ROW, other, cluster="west")
    assert [job.id for job in log.jobs()] == ["1"]
    assert log.report.dropped == {"job of another cluster": 1}


def test_dates_without_a_zone_are_read_as_utc_with_a_note(tmp_path: Path) -> None:
    row = "1|refs|ann|FAILED|2026-11-21T02:33:41|Unknown|2026-11-21T02:33:42|5|UNLIMITED|1|"
    log = log_of(tmp_path, row)
    (job,) = log.jobs()
    assert (job.submit_time, job.walltime, job.status) == (1795228421.0, None, 0)
    assert log.report.repaired == {
        "dates without a time zone: read as UTC; --time-zone is not given": 1
    }
    assert log.machine.time_zone is None
    berlin = log_of(tmp_path, row, time_zone="Europe/Berlin")
    assert [job.submit_time for job in berlin.jobs()] == [1795224821.0]
    assert (berlin.report.repaired, berlin.machine.time_zone) == ({}, "Europe/Berlin")


def test_a_doubtful_date_of_an_unreadable_record_affects_no_other_job(tmp_path: Path) -> None:
    doubtful = "1|refs|ann|DONE|2025-10-26T02:30:00|Unknown|2025-10-26T04:00:00|5|9|1|"
    log = log_of(tmp_path, doubtful, ROW.replace("1|", "2|", 1), time_zone="Europe/Paris")
    assert [job.id for job in log.jobs()] == ["2"]
    assert log.report.repaired == {}


def test_the_size_can_be_the_requested_cpus(tmp_path: Path) -> None:
    (job,) = log_of(
        tmp_path, ROW.replace("|4|cpu=4", "|16|cpu=4"), processors_from="requested"
    ).jobs()
    assert (job.processors, job.allocated_processors) == (4, 16)


def test_with_strict_an_unreadable_record_is_an_error(tmp_path: Path) -> None:
    rows = (ROW, ROW.replace("COMPLETED", "DONE").replace("1|", "2|", 1))
    assert len(list(log_of(tmp_path, *rows).jobs())) == 1
    with pytest.raises(LogError, match=r"jobs.txt:3: unreadable State: 'DONE'"):
        list(log_of(tmp_path, *rows, strict=True).jobs())


def test_an_unreadable_optional_field_is_left_out_alone(tmp_path: Path) -> None:
    fields = ("Eligible", "End", "ElapsedRaw", "Timelimit", "AllocCPUS", "NNodes", "ReqMem",
              "ReqTRES", "AllocTRES", "ReqGRES", "AllocGRES", "ReqCPUS", "Restarts")  # fmt: skip
    names = ("JobIDRaw", "State", "Submit", "Start", *fields)
    whole = ("COMPLETED", "1000", "1060", "1000", "1360", "300", "10", "4", "1", "2G",
             "cpu=4", "cpu=4", "gpu:1", "gpu:1", "4", "0")  # fmt: skip
    rows = []
    for number, field in enumerate(fields, 1):
        values = [str(number), *whole]
        values[names.index(field)] = "16?=" if field.endswith("GRES") else "16?"
        rows.append("|".join(values))
    needed = [f"9{n}|" + "|".join(["16?" if n == k else one for k, one in enumerate(whole)])
              for n in range(3)]  # fmt: skip
    log = log_of(tmp_path, *rows, *needed, header="|".join(names))
    jobs = {job.id: job for job in log.jobs()}
    for number, field in enumerate(fields, 1):
        job = jobs.pop(str(number))
        assert (job.run_time, job.processors) == (300.0, 4), field
        assert (job.walltime is None) == (field == "Timelimit"), field
        assert log.report.repaired[f"{field} not understood: left out"] == 1, field
    assert not jobs
    assert sorted(log.report.dropped) == [f"unreadable {n}" for n in ("Start", "State", "Submit")]


def test_requested_and_allocated_nodes_can_differ(tmp_path: Path) -> None:
    header = HEADER + "|NNodes|AllocTRES|SubmitLine"
    cases = {
        "cpu=4,node=2|3|node=3|sbatch -N5 x": 2,
        "cpu=4,node=1|1|node=1|": 1,
        # no number was requested: Slurm's default is at least 1
        "cpu=4,node=1|4|node=4|sbatch -n4 x": None,
        "cpu=4|3|node=3|sbatch -N 2 x": 2,
        "cpu=4|3|node=3|": None,
    }
    for row, nodes in cases.items():
        start = ROW.removesuffix("cpu=4,mem=2G")
        (job,) = log_of(tmp_path, start + row, header=header).jobs()
        assert job.nodes == nodes, row
    (job,) = log_of(tmp_path, start + "cpu=4,node=2|3|node=3|", header=header, unit="nodes").jobs()
    assert (job.processors, job.nodes) == (3, 2)


def test_without_a_submit_line_tasks_are_equal_on_each_node(tmp_path: Path) -> None:
    header = HEADER + "|SubmitLine"
    cases = {"node=2|": 2, "node=2|sbatch -N2 -n4 x": None, "node=3|": None, "node=1|": None}
    for row, each in cases.items():
        start = ROW.removesuffix("mem=2G")
        (job,) = log_of(tmp_path, start + row, header=header).jobs()
        assert (job.processors, job.tasks_per_node) == (4, each), row


def test_requested_memory_is_at_most_the_allocated_memory(tmp_path: Path) -> None:
    # of --mem=0 Slurm records the memory of the largest node
    header = HEADER + "|AllocTRES|ReqMem"
    cases = {
        "cpu=1,mem=32000M|cpu=8,mem=8000M|32000M": 7.8125,
        "|cpu=8,mem=8000M|32000M": 7.8125,
        "cpu=1,mem=500M|cpu=8,mem=4000M|500M": 0.48828125,
        "cpu=1,mem=8000M|cpu=1|8000M": 7.8125,
        "cpu=1|cpu=1,mem=8000M|": None,
    }
    for row, memory in cases.items():
        (job,) = log_of(tmp_path, ROW.removesuffix("cpu=4,mem=2G") + row, header=header).jobs()
        assert job.memory == memory, row


def test_gpus_of_old_fields_are_read(tmp_path: Path) -> None:
    header = HEADER.replace("ReqTRES", "AllocGRES|ReqGRES")
    start = "{}|refs|ann|COMPLETED|1000|1030|1060|300|10|4|"
    gpus = ("gpu:v100:2|gpu:2", "|", "|gpu:p100:3(S:0-1),nvme:1", "7696487:4|", "|craynetwork:1")
    rows = [start.format(number) + text for number, text in enumerate(gpus)]
    jobs = list(log_of(tmp_path, *rows, header=header).jobs())
    assert [job.gpus for job in jobs] == [2, 0, 3, 4, 0]
    assert [job.gpu_type for job in jobs] == [None, None, "p100", None, None]
    by_gpu = log_of(tmp_path, *rows, header=header, unit="gpus")
    assert [job.processors for job in by_gpu.jobs()] == [2, 3, 4]


def test_cores_as_a_unit_need_slurm_conf(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="--threads-per-core N, or --slurm-conf FILE"):
        log_of(tmp_path, ROW, unit="cores")
    log = log_of(tmp_path, ROW.replace("|4|", "|5|"), unit="cores", threads_per_core=2)
    assert [job.processors for job in log.jobs()] == [3]
    assert log.report.repaired == {"used a part of a core: rounded up to whole cores": 1}


def test_reading_a_pipe_twice_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LogError, match="is a pipe, but is read twice"):
        list(SlurmLog(tmp_path / "pipe").jobs())


@each_case("name", ["none.txt", "."])
def test_an_unreadable_file_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(LogError, match="cannot be read"):
        list(SlurmLog(tmp_path / name).jobs())


def test_without_a_stated_size_the_machine_has_the_most_busy_processors(tmp_path: Path) -> None:
    later = ROW.replace("1|", "2|", 1).replace("|1060|", "|1360|")
    at_once = ROW.replace("1|", "3|", 1).replace("|1060|", "|1200|")
    log = log_of(tmp_path, ROW, later, at_once)
    assert len(list(log.jobs())) == 3
    assert (log.machine.processors, log.machine.guessed) == (8, True)
    given = log_of(tmp_path, ROW, machine_processors=8)
    assert len(list(given.jobs())) == 1
    assert (given.machine.processors, given.machine.guessed) == (8, False)


def test_lines_above_the_header_are_counted(tmp_path: Path) -> None:
    log = log_of(tmp_path, HEADER, ROW, header="Welcome to Refs.")
    assert SlurmLog.recognises(log.path, log.path.read_bytes())
    assert [job.id for job in log.jobs()] == ["1"]
    assert log.report.dropped == {"unreadable record: its fields cannot be separated": 1}


def test_a_delimiter_of_letters_can_be_named(tmp_path: Path) -> None:
    header, row = HEADER.replace("|", "xyz"), ROW.replace("|", "xyz")
    log = log_of(
        tmp_path, row, header, row.replace("1xyz", "2xyz", 1), header=header, delimiter="xyz"
    )
    assert [job.id for job in log.jobs()] == ["1", "2"]


def test_names_of_two_lines_are_read_in_a_dump_that_begins_with_the_user(tmp_path: Path) -> None:
    rows = ("ann|1|FAILED|9|10|5|4|a\nb", "bob|2|FAILED|9|10|5|4|c")
    header = "User|JobID|State|Submit|Start|ElapsedRaw|AllocCPUS|JobName"
    log = log_of(tmp_path, *rows, header=header)
    assert [(job.user, job.name) for job in log.jobs()] == [("ann", "a\nb"), ("bob", "c")]


def test_lines_without_a_separator_end_a_too_long_record(tmp_path: Path) -> None:
    line = "not of sacct" * 4
    log = log_of(
        tmp_path, ROW + "|cfd", *[line] * 50_000, "2" + ROW[1:] + "|cfd", header=HEADER + "|JobName"
    )
    assert [job.id for job in log.jobs()] == ["1", "2"]
    assert log.report.read == log.report.kept + log.report.dropped.total() == 4
    assert log.survey.records == 4


def test_a_byte_order_mark_is_not_part_of_the_header(tmp_path: Path) -> None:
    log = log_of(tmp_path, ROW, header="\ufeff" + HEADER)
    assert [job.id for job in log.jobs()] == ["1"]


def test_a_delimiter_must_have_a_character(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="the delimiter is empty"):
        list(log_of(tmp_path, ROW, delimiter="").jobs())


def test_an_end_before_the_start_does_not_change_the_machines_size(tmp_path: Path) -> None:
    header = HEADER + "|End"
    damaged = "2" + ROW[1:] + "|1010"
    log = log_of(tmp_path, ROW + "|1360", damaged, header=header)
    assert len(list(log.jobs())) == 2
    assert log.machine.processors == 8


def test_a_delimiter_missing_in_the_header_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"the header has the delimiter '\|', not "):
        list(log_of(tmp_path, ROW, delimiter=";").jobs())


def test_the_users_limit_replaces_one_set_by_a_bridge(tmp_path: Path) -> None:
    header = HEADER.replace("AllocCPUS", "AdminComment|AllocCPUS")
    rows = [
        ROW.replace("|10|4|", f"|10|{comment}|4|").replace("1|", f"{number}|", 1)
        for number, comment in enumerate(("", "uw=120", "seen uw=10", "nouw=9", "uw=UNLIMITED"), 1)
    ]
    log = log_of(tmp_path, *rows, header=header)
    assert [job.walltime for job in log.jobs()] == [600.0, 7200.0, 600.0, 600.0, None]
    assert log.report.repaired[BRIDGED] == 2


def test_the_estimate_of_the_prediction_service_is_read(tmp_path: Path) -> None:
    header = HEADER.replace("AllocCPUS", "AdminComment|AllocCPUS")
    rows = [
        ROW.replace("|10|4|", f"|10|{comment}|4|").replace("1|", f"{number}|", 1)
        for number, comment in enumerate(("", "pred=5", "seen pred=7", "spread=9"), 1)
    ]
    log = log_of(tmp_path, *rows, header=header)
    assert [job.soft_walltime for job in log.jobs()] == [None, 300.0, 420.0, None]


def test_end_and_elapsed_time_resolve_a_start_in_a_repeated_hour(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    begin = "COMPLETED|2024-10-27T01:50:00|2024-10-27T02:10:00"
    path.write_text(
        "JobIDRaw|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS\n"
        f"1|{begin}|2024-10-27T03:05:00|6900|190|1\n"
        f"2|{begin}|2024-10-27T03:05:00|3300|190|1\n"
        f"3|{begin}|2024-10-27T02:20:00|600|190|1\n"
    )
    log = SlurmLog(path, time_zone="Europe/Berlin")
    assert [job.wait_time for job in log.jobs()] == [1200, 4800, 1200]
    assert not any("suspended" in reason for reason in log.report.repaired)
