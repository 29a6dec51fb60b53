"""The commands `convert pbs` and `convert m100`."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.batsim.writer import read_workload

ACCOUNTING = """\
03/01/2024 11:00:00;Q;2.srv;queue=q
03/01/2024 11:05:00;E;1.srv;user=ann queue=q ctime=100 etime=150 start=200 exec_host=n1/0-3 \
Resource_List.nodes=1:ppn=4 Resource_List.walltime=01:00:00 end=300 Exit_status=0 \
resources_used.walltime=00:01:30
"""
COLUMNS = "tres_req_str,user_id,qos,time_limit,run_time,partition,job_state,submit_time"
TABLE = f"""\
{COLUMNS}
"cpu=512,mem=8G,node=4,billing=512,gres/gpu=16",7,normal,60,30,m100_usr_prod,COMPLETED,100000
"cpu=4,mem=8G,node=1,billing=4,gres/gpu=1",7,normal,60,30,m100_usr_prod,FAILED,100000
"cpu=4,mem=8G,node=1,billing=4,gres/gpu=1",7,normal,60,30,m100_usr_prod,COMPLETED,1000
"""


@pytest.fixture
def convert(here: Path, command: Command) -> Command:
    (here / "accounting").write_text(ACCOUNTING)
    (here / "jobs.csv").write_text(TABLE)
    return partial(command, "convert")


def test_accounting_becomes_a_workload_with_a_report_of_its_records(convert: Command) -> None:
    ended = convert("pbs", "accounting", "-o", "w.json", "--report", "r.json")
    assert ended.code == 0
    (job,) = read_workload("w.json").jobs
    assert (job.id, job.run_time, job.wait_time) == ("1.srv", 90.0, 100.0)
    assert "2 records, for 4 processors" in ended.out
    assert "1 hosts with 4 slots, and up to 4 processors busy at the same time" in ended.out
    assert json.loads(Path("r.json").read_text())["dropped"] == {
        "only queued: no start in the log": 1
    }


def test_run_and_submission_times_follow_the_options(convert: Command) -> None:
    convert("pbs", "accounting", "-o", "w.json", "--run-time", "dates", "--submit-time", "etime")
    (job,) = read_workload("w.json").jobs
    assert (job.run_time, job.wait_time) == (100.0, 50.0)


def test_a_job_without_a_walltime_is_kept_dropped_or_given_one(convert: Command) -> None:
    unlimited = TABLE.replace("60,30,m100_usr_prod,FAILED", ",30,m100_usr_prod,FAILED")
    Path("jobs.csv").write_text(unlimited)
    Path("accounting").write_text(ACCOUNTING.replace("Resource_List.walltime=01:00:00 ", ""))
    for log, others in (("accounting", []), ("jobs.csv", [3600.0, 3600.0])):
        kind = "pbs" if log == "accounting" else "m100"
        for option, expected in (("keep", [None]), ("60", [60.0])):
            convert(kind, log, "-o", "w.json", "--missing-walltime", option)
            walltimes = [job.walltime for job in read_workload("w.json").jobs]
            assert sorted(walltimes, key=str) == sorted([*others, *expected], key=str)
    assert (
        "1  dropped: no walltime"
        in convert("m100", "jobs.csv", "-o", "w.json", "--missing-walltime", "drop").out
    )


def test_paper_001_prepares_and_its_steps_can_be_changed(convert: Command) -> None:
    ended = convert("m100", "jobs.csv", "-o", "w.json", "--paper001")
    assert [job.processors for job in read_workload("w.json").jobs] == [256]
    assert "1  dropped: submitted before the last 24 h" in ended.out
    convert("m100", "jobs.csv", "-o", "w.json", "--paper001", "--window", "100", "--largest", "2")
    assert [job.processors for job in read_workload("w.json").jobs] == [2, 2]
    convert("m100", "jobs.csv", "-o", "w.json", "--state", "FAILED")
    assert [job.status for job in read_workload("w.json").jobs] == [0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pbs", "jobs.csv"), "jobs.csv: none of its first 4 lines is a record of PBS"),
        (("pbs", "nowhere"), "nowhere: cannot be read"),
        (("m100", "accounting"), "accounting:1: lacks the column 'user_id'"),
        (("m100", "jobs.csv", "--window", "0"), "'window_hours' is 0.0; it must be above 0"),
        (("m100", "jobs.csv", "--window-part", "before"), "needs window_hours or paper001"),
        (("m100", "jobs.csv", "--partition", "p"), "none of its 3 jobs can be simulated"),
    ],
)
def test_impossible_conversions_give_a_one_line_error_and_no_file(
    convert: Command, arguments: tuple[str, ...], message: str
) -> None:
    convert(*arguments, "-o", "w.json").assert_refused(message)
    assert not Path("w.json").exists()


@pytest.mark.parametrize(
    ("kind", "name", "content"), [("pbs", "20240301", ACCOUNTING), ("m100", "march.csv", TABLE)]
)
def test_an_output_never_replaces_a_file_of_the_log(
    convert: Command, kind: str, name: str, content: str
) -> None:
    Path("log").mkdir()
    Path("log", name).write_text(content)
    convert(kind, "log", "-o", f"log/../log/{name}").assert_refused(
        f"{name} is an input file; give another name"
    )
    assert Path("log", name).read_text() == content
    assert convert(kind, "log", "-o", "log/w.json").code == 0
    assert convert(kind, "log", "-o", "log/w.json").code == 0
