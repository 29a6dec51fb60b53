"""What becomes of jobs without a walltime, in logs of every format alike."""

from pathlib import Path

import pytest

from tests.suites import each_case
from tests.workload_tools.jobs import SyntheticLog, job
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.missing_walltime import MissingWalltime, WithWalltimes

PBS = (
    "03/01/2024 11:05:00;E;{id}.srv;ctime=100 start=200 end=300 Resource_List.ncpus=4{limit} "
    "resources_used.walltime=00:01:40"
)
LOGS = {
    "swf": ("{id} 100 0 60 4 -1 -1 4 {limit} -1 1 1 1 -1 1 -1 -1 -1",
        ("; MaxProcs: 8", "120", "-1")),
    "slurm": ("{id}|ann|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:00:10|60|{limit}|8",
        ("JobIDRaw|User|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS", "2", "UNLIMITED")),
    "pbs": (PBS, ("", " Resource_List.walltime=00:02:00", "")),
    "m100": (
        '{id},"cpu=4,mem=8G,node=1,billing=4",7,normal,{limit},30,prod,COMPLETED,100000',
        ("job_id,tres_req_str,user_id,qos,time_limit,run_time,partition,job_state,submit_time", "2",
         ""),
    ),
}  # fmt: skip
"""A line, and the header, a limit of 120 s and none, of each format."""


def log_of(format_name: str, folder: Path) -> Path:
    """Write a log of three jobs; the second has no walltime."""
    line, (header, limit, none) = LOGS[format_name]
    lines = [line.format(id=n, limit=none if n == 2 else limit) for n in (1, 2, 3)]
    path = folder / "log"
    path.write_text("\n".join([*([header] if header else []), *lines]) + "\n")
    return path


@each_case("format_name", LOGS)
@each_case(
    ("missing_walltime", "walltimes"),
    [
        ("keep", [120.0, None, 120.0]),
        ("drop", [120.0, 120.0]),
        (None, [120.0, 120.0]),
        (600, [120.0, 600.0, 120.0]),
    ],
)
def test_every_format_can_keep_drop_or_set_missing_walltimes(
    tmp_path: Path,
    format_name: str,
    missing_walltime: MissingWalltime | None,
    walltimes: list[float | None],
) -> None:
    log = log_of(format_name, tmp_path)
    opened = open_log(log, options={"missing_walltime": missing_walltime})
    assert [job.walltime for job in opened.jobs()] == walltimes
    report, left_out = opened.report, 3 - len(walltimes)
    assert (report.read, report.kept) == (3, len(walltimes))
    assert report.dropped == ({"no walltime": 1} if left_out else {})
    given = {"no walltime: set to --missing-walltime": 1} if missing_walltime == 600 else {}
    assert {why: n for why, n in report.repaired.items() if why.startswith("no walltime")} == given


@each_case("format_name", LOGS)
def test_by_default_missing_walltimes_stay_missing(tmp_path: Path, format_name: str) -> None:
    log = log_of(format_name, tmp_path)
    assert [job.walltime for job in open_log(log).jobs()] == [120.0, None, 120.0]


def made(*walltimes: float | None) -> SyntheticLog:
    return SyntheticLog([job(f"{number}", walltime=one) for number, one in enumerate(walltimes)])


def test_most_jobs_are_left_out_only_on_request() -> None:
    log = WithWalltimes(made(60.0, None, None), missing_walltime=None, path="site.txt")
    with pytest.raises(LogError) as error:
        list(log.jobs())
    assert str(error.value).startswith(
        "site.txt: 2 of its 3 jobs have no walltime. Give them one with --missing-walltime SECONDS"
    )
    asked = WithWalltimes(made(60.0, None, None), missing_walltime="drop", path="site.txt")
    assert [job.id for job in asked.jobs()] == ["0"]


def test_half_of_the_jobs_are_not_most() -> None:
    log = WithWalltimes(made(60.0, None), missing_walltime=None, path="site.txt")
    assert [job.id for job in log.jobs()] == ["0"]


def test_a_batsim_workload_is_unchanged_by_default(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(
        '{"nb_res": 4, "jobs": [{"id": 1, "subtime": 5, "res": 2, "profile": "p"}],'
        ' "profiles": {"p": {"type": "delay", "delay": 60}}}'
    )
    for missing, walltimes in ((None, [None]), ("drop", []), (90.0, [90.0])):
        opened = open_log(path, options={"missing_walltime": missing})
        assert [job.walltime for job in opened.jobs()] == walltimes
