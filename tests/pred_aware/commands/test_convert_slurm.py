import json
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.batsim.writer import read_workload
from workload_tools.platform.reader import read_platform
from workload_tools.slurm.sacct_command import FIELDS

LOG = """\
JobIDRaw|User|Account|State|Submit|Start|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|ReqTRES|JobName
1|ann|physics|COMPLETED|1795228421|1795228421|600|20|4|4|cpu=4,mem=2G|a|b
2|ann|physics|CANCELLED by 7|1795228430|None|0|20|4|4|cpu=4,mem=2G|wrap
3|bob|chem|TIMEOUT|1795228440|1795228500|1260|20|1|8|cpu=1,mem=2G,gres/gpu=1|wrap
4|bob|chem|RUNNING|1795228450|1795228500|1260|20|1|8|cpu=1,mem=2G,gres/gpu=1|wrap
"""


@pytest.fixture
def command(here: Path, command: Command) -> Command:
    (here / "sacct.txt").write_text(LOG)
    return command


def test_a_dump_becomes_a_workload_a_platform_and_a_report(command: Command) -> None:
    ended = command(
        "convert", "slurm", "sacct.txt", "-o", "w.json", "--platform", "p.xml",
        "--report", "r.json", "--processors", "16", "--time-zone", "Europe/Paris",
    )  # fmt: skip
    assert (ended.code, ended.err) == (0, "")
    workload = read_workload("w.json")
    found = [(job.id, job.processors, job.name) for job in workload.jobs]
    assert found == [("1", 4, "a|b"), ("3", 8, "wrap")]
    assert (workload.start_time, workload.time_zone) == (1795228421.0, "Europe/Paris")
    assert len(read_platform("p.xml").hosts) == 16
    report = json.loads(Path("r.json").read_text())
    assert (report["read"], report["kept"]) == (4, 2)
    assert report["dropped"] == {"has not ended: RUNNING": 1, "never started: CANCELLED": 1}


def test_kept_and_dropped_records_are_reported(command: Command) -> None:
    ended = command("convert", "slurm", "sacct.txt", "-o", "w.json")
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert "1 dropped: never started: CANCELLED" in lines
    assert "1 kept, marked: requested GPUs, but only cpus are simulated" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--time-zone", "Mars/Baseline"), "unknown time zone 'Mars/Baseline'"),
        (("--unit", "cores"), "--threads-per-core N, or --slurm-conf FILE"),
        (("--slurm-conf", "none.conf"), "none.conf: cannot be read"),
        (("--delimiter", ";"), "the header has the delimiter '|'"),
        (("--cluster", "west"), "none of its 4 jobs can be simulated"),
    ],
)
def test_impossible_requests_give_a_one_line_error(
    command: Command, arguments: tuple[str, ...], message: str
) -> None:
    command("convert", "slurm", "sacct.txt", "-o", "w.json", *arguments).assert_refused(message)
    assert not Path("w.json").exists()


def test_the_sacct_command_requests_every_field_that_is_read(command: Command) -> None:
    ended = command("log", "sacct-command", "--start", "2026-01-15", "--end", "2026-03-01T12:00:00")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "SLURM_TIME_FORMAT=%s sacct --allusers --allocations --duplicates --parsable2 --noconvert "
        "--starttime=2026-01-15T00:00:00 --endtime=2026-03-01T12:00:00 "
        f"--format={','.join(FIELDS)}\n"
    )


def test_monthly_commands_cover_every_day(command: Command) -> None:
    ended = command(
        "log", "sacct-command", "--start", "2026-01-31", "--end", "2026-04-02", "--monthly",
        "--cluster", "west", "--partition", "a b", "--partition", "c",
    )  # fmt: skip
    lines = ended.out.splitlines()
    spans = [line.partition("--starttime=")[2].split(" ")[:2] for line in lines]
    assert [(start[:10], end[10:20]) for start, end in spans] == [
        ("2026-01-31", "2026-02-01"),
        ("2026-02-01", "2026-03-01"),
        ("2026-03-01", "2026-04-01"),
        ("2026-04-01", "2026-04-02"),
    ]
    assert all("--clusters=west '--partition=a b,c' " in line for line in lines)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("yesterday", "2026-01-01", "--start is 'yesterday'. Give a date"),
        ("2026-01-01", "2026-01-01", "--start 2026-01-01 must be before --end 2026-01-01"),
        ("2026-01-01", "2026-02-01T00:00:00Z", "Give a date such as"),
    ],
)
def test_an_invalid_span_is_an_error(command: Command, start: str, end: str, said: str) -> None:
    command("log", "sacct-command", "--start", start, "--end", end).assert_refused(said)


def test_the_last_month_of_all_is_a_span_too(command: Command) -> None:
    dates = ("--start", "9999-12-01", "--end", "9999-12-31", "--monthly")
    assert command("log", "sacct-command", *dates).out.count("--starttime=9999-12-01") == 1


def test_an_output_never_replaces_slurm_conf(command: Command) -> None:
    Path("slurm.conf").write_text("NodeName=n1 CPUs=16\n")
    options = ("-o", "w.json", "--slurm-conf", "slurm.conf", "--platform", "slurm.conf")
    ended = command("convert", "slurm", "sacct.txt", *options)
    assert (ended.code, ended.out, Path("w.json").exists()) == (2, "", False)
    assert "slurm.conf is an input file; give another name" in ended.err
    assert Path("slurm.conf").read_text() == "NodeName=n1 CPUs=16\n"
