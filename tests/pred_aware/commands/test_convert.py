import gzip
import json
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.batsim.writer import read_workload
from workload_tools.platform.reader import read_platform
from workload_tools.swf.log import read_swf

LOG = """\
; UnixStartTime: 1000
; MaxProcs: 16
1 0 5 100 4 -1 -1 4 3600 -1 1 7 1 2 0 1 -1 -1
2 9 5 0 4 -1 -1 4 3600 -1 1 7 1 2 0 1 -1 -1
3 10 5 100 -1 -1 -1 32 -1 -1 1 8 1 2 0 1 -1 -1
4 10 5 100 8 -1 -1 -1 60 -1 1 8 1 2 0 1 -1 -1
"""


@pytest.fixture
def convert(here: Path, command: Command) -> Command:
    (here / "log.swf").write_text(LOG)
    return partial(command, "convert", "swf")


def outputs() -> list[str]:
    return sorted(path.name for path in Path().iterdir() if path.name != "log.swf")


def test_a_log_becomes_a_workload_a_platform_and_a_report(convert: Command) -> None:
    ended = convert("log.swf", "-o", "w.json", "--platform", "p.xml", "--report", "r.json")
    assert ended.code == 0
    assert [job.id for job in read_workload("w.json").jobs] == ["1", "4"]
    assert len(read_platform("p.xml").hosts) == 16
    assert json.loads(Path("r.json").read_text()) == {
        "read": 4,
        "kept": 2,
        "dropped": {"no walltime": 1, "run time of 0 s": 1},
        "repaired": {"no requested processors: allocated ones used": 1},
    }
    assert outputs() == ["p.xml", "r.json", "w.json"]


def test_convert_prints_kept_and_dropped_jobs(convert: Command) -> None:
    ended = convert("log.swf", "-o", "w.json", "--missing-walltime", "keep")
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert lines == [
        "log.swf: 4 records, for 16 processors",
        "3 kept",
        "1 dropped: run time of 0 s",
        "1 kept, repaired: no requested processors: allocated ones used",
        "1 kept without a walltime",
        "1 kept, but ran longer than their walltimes",
        "1 kept, but larger than the machine",
        "wrote w.json",
    ]


def test_quiet_prints_nothing(convert: Command) -> None:
    ended = convert("log.swf", "-o", "w.json", "-q")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_options_decide_about_sizes_walltimes_and_the_machine(convert: Command) -> None:
    convert(
        "log.swf", "-o", "w.json.gz", "--processors", "64", "--processors-from", "allocated",
        "--missing-walltime", "7200",
    )  # fmt: skip
    workload = read_workload("w.json.gz")
    assert workload.processors == 64
    found = [(job.processors, job.walltime) for job in workload.jobs]
    assert found == [(4, 3600.0), (32, 7200.0), (8, 60.0)]
    assert Path("w.json.gz").read_bytes().startswith(b"\x1f\x8b")


def test_jobs_without_a_walltime_are_left_out_with_a_message(convert: Command) -> None:
    ended = convert("log.swf", "-o", "w.json")
    assert "         1  dropped: no walltime\n" in ended.out
    assert all(job.walltime for job in read_workload("w.json").jobs)
    convert("log.swf", "-o", "asked.json", "--missing-walltime", "drop")
    assert Path("asked.json").read_bytes() == Path("w.json").read_bytes()


def test_a_log_with_few_walltimes_is_an_error_that_names_the_option(convert: Command) -> None:
    Path("log.swf").write_text(LOG.replace(" 3600 ", " -1 "))
    ended = convert("log.swf", "-o", "w.json", "--report", "r.json")
    assert (ended.code, ended.out, ended.err.count("\n"), outputs()) == (2, "", 1, [])
    assert "log.swf: 2 of its 3 jobs have no walltime" in ended.err
    assert "--missing-walltime SECONDS" in ended.err
    assert convert("log.swf", "-o", "w.json", "--missing-walltime", "drop").code == 0
    assert [job.id for job in read_workload("w.json").jobs] == ["4"]


def test_a_written_swf_is_a_log_that_keeps_jobs_without_walltimes(convert: Command) -> None:
    convert("log.swf", "-o", "o.swf")
    assert [job.walltime for job in read_swf("o.swf")[0].jobs] == [3600.0, None, 60.0]
    convert("log.swf", "-o", "o.swf", "--missing-walltime", "drop")
    assert [job.walltime for job in read_swf("o.swf")[0].jobs] == [3600.0, 60.0]


BAD_LOGS = {
    "cut gzip": (gzip.compress(LOG.encode() * 100)[:-20], "damaged gzip"),
    "wrong field count": (LOG.replace(" 1 -1 -1\n2", "\n2").encode(), "log.swf:3: 15 fields"),
    "a word for a number": (LOG.replace("3 10 5 100", "3 10 5 long").encode(), "log.swf:5: field"),
    "empty": (b"", "has no jobs"),
    "nothing but dropped jobs": (LOG.replace(" 100 ", " 0 ").encode(), "none of its 4 jobs"),
}


@pytest.mark.parametrize("what", BAD_LOGS)
def test_a_bad_log_is_one_error_and_leaves_no_file(convert: Command, what: str) -> None:
    content, message = BAD_LOGS[what]
    Path("log.swf").write_bytes(content)
    ended = convert("log.swf", "-o", "w.json", "--platform", "p.xml", "--report", "r.json")
    ended.assert_refused(message)
    assert (ended.out, outputs()) == ("", [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.swf", "-o", "w.json"), "nowhere.swf: cannot be read: No such file"),
        (("log.swf", "-o", "nowhere/w.json", "--platform", "p.xml"), "nowhere/w.json: cannot be"),
        (("log.swf", "-o", "w.json", "--report", "nowhere/r.json"), "nowhere/r.json: cannot be"),
        (("log.swf", "-o", "w.json", "--strict"), "log.swf:4: job '2': run time of 0 s"),
        (("log.swf", "-o", "w.json", "--missing-walltime", "never"), "Give keep, drop or"),
        (("log.swf", "-o", "w.json", "--missing-walltime", "nan"), "Give keep, drop or"),
        (("log.swf", "-o", "w.json", "--platform", "./w.json"), "w.json is given twice"),
        (("log.swf", "-o", "log.swf"), "log.swf is given twice"),
        (("log.swf", "-o", "w.json", "--processors", "0"), "--processors"),
    ],
)
def test_impossible_requests_are_errors_and_leave_no_file(
    convert: Command, arguments: tuple[str, ...], message: str
) -> None:
    ended = convert(*arguments)
    ended.assert_refused(message)
    assert (ended.out, outputs()) == ("", [])
    assert Path("log.swf").read_text() == LOG


def test_a_platform_needs_the_size_of_the_machine(convert: Command) -> None:
    Path("log.swf").write_text(LOG.replace("MaxProcs", "Note"))
    ended = convert("log.swf", "-o", "w.json", "--platform", "p.xml")
    assert (ended.code, outputs()) == (2, [])
    assert "--processors N" in ended.err
    assert convert("log.swf", "-o", "w.json").code == 0
    assert read_workload("w.json").processors == 8


def test_a_workload_for_batsim_5_has_the_same_jobs(convert: Command) -> None:
    for version in ("4", "5"):
        keep = ("--missing-walltime", "keep", "--batsim", version)
        assert convert("log.swf", "-o", f"{version}.json", *keep).code == 0
    four, five = (json.loads(Path(f"{version}.json").read_text()) for version in ("4", "5"))
    assert set(five["jobs"][1]) == {"id", "subtime", "res", "profile", "extra_data"}
    assert five["jobs"][1]["extra_data"]["user_id"] == 8
    assert {profile["type"] for profile in five["profiles"].values()} == {"DelayProfile"}
    assert four["profiles"].keys() == five["profiles"].keys()
    assert read_workload("4.json") == read_workload("5.json")
