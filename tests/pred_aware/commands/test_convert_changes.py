"""Cleaning, anonymising and SWF out, as options of every command under `convert`."""

import json
import stat
from pathlib import Path

import pytest

from tests.pred_aware.command import Command, Ended
from workload_tools.batsim.writer import read_workload
from workload_tools.job import Job
from workload_tools.swf.log import read_swf

LOG = """\
; Acknowledge: Ann
; UnixStartTime: 1330000000
; TimeZoneString: Europe/Paris
; MaxProcs: 16
1 0 5 100 4 -1 -1 4 3600 -1 1 7 1 2 0 1 -1 -1
2 9 5 900000 4 -1 -1 4 -1 -1 1 7 1 2 0 1 -1 -1
3 600000 5 100 8 -1 -1 8 60 -1 1 8 1 2 0 1 1 -1
4 600010 5 100 8 -1 -1 8 60 -1 1 9 1 2 0 1 -1 -1
"""


@pytest.fixture
def run(here: Path, command: Command) -> Command:
    (here / "log.swf").write_text(LOG)
    return command


def convert(run: Command, *arguments: str) -> Ended:
    return run("convert", "swf", "log.swf", "--missing-walltime", "keep", *arguments)


def ids(path: str) -> list[str]:
    return [job.id for job in read_workload(path).jobs]


def test_combined_recipes_remove_and_mark_jobs_and_report_them(run: Command) -> None:
    ended = convert(
        run, "-o", "w.json", "--clean", "user=8", "--clean", "paper000", "--clean", "user=5",
        "--clean", "warm-up=1%", "--report", "r.json",
    )  # fmt: skip
    assert (ended.code, ended.err, ids("w.json")) == (0, "", ["1", "4"])
    report = json.loads(Path("r.json").read_text())
    found = report["dropped"]
    assert found == {"cleaned by paper000: run>7d": 1, "cleaned: user=5": 0, "cleaned: user=8": 1}
    assert (report["read"], report["kept"], report["marked"]) == (4, 2, {"warm-up": 0})
    assert "         0  dropped: cleaned: user=5\n" in ended.out


def test_dates_begin_at_zero_after_the_first_jobs_are_removed(run: Command) -> None:
    convert(run, "-o", "w.json", "--clean", "submit<2012-03-01")
    workload = read_workload("w.json")
    assert [job.submit_time for job in workload.jobs] == [0.0, 10.0]
    assert workload.start_time == 1330600000.0


def test_warm_up_is_marked_in_the_workload_that_batsim_reads(run: Command) -> None:
    convert(run, "-o", "w.json", "--clean", "warm-up=50%")
    jobs = json.loads(Path("w.json").read_text())["jobs"]
    assert [job.get("warm_up", False) for job in jobs] == [True, True, False, False]


@pytest.mark.parametrize("name", ["out.swf", "out.swf.gz"])
def test_an_output_with_the_suffix_swf_is_written_as_swf(run: Command, name: str) -> None:
    ended = convert(run, "-o", name, "--clean", "warm-up=50%")
    assert (ended.code, ended.err) == (0, "")
    assert "2  values not in the written file: warm_up" in ended.out
    assert read_swf(name)[0] == read_swf("log.swf")[0]


def test_a_workload_becomes_an_swf_and_a_workload_again(run: Command) -> None:
    convert(run, "-o", "w.json")
    run("convert", "any", "w.json", "-o", "back.swf")
    run("convert", "any", "back.swf", "-o", "again.json", "--missing-walltime", "keep")
    assert Path("w.json").read_bytes() == Path("again.json").read_bytes()


def test_any_format_takes_the_size_of_the_machine(run: Command) -> None:
    assert run("convert", "any", "log.swf", "-o", "w.json", "--processors", "64").code == 0
    assert read_workload("w.json").processors == 64
    options = ("--processors", "32", "--time-zone", "Asia/Manila")
    assert run("convert", "any", "w.json", "-o", "v.json", *options).code == 0
    workload = read_workload("v.json")
    assert (workload.processors, workload.time_zone) == (32, "Asia/Manila")


def test_an_anonymised_log_has_no_names_and_only_the_owner_can_read_its_key(run: Command) -> None:
    convert(run, "-o", "w.json", "--anonymise", "key.json", "--shift-dates")
    before, after = read_swf("log.swf")[0], read_workload("w.json")
    key = json.loads(Path("key.json").read_text())
    assert stat.S_IMODE(Path("key.json").stat().st_mode) == 0o600
    assert key["names"]["user"] == {"7": 1, "8": 2, "9": 3}
    assert [job.user for job in after.jobs] == ["1", "1", "2", "3"]
    assert after.jobs[2].preceding_job == after.jobs[0].id == "1"
    shift = key["date_shift"]
    assert before.start_time is not None
    assert after.start_time == before.start_time + shift
    assert shift % 604800 == 0
    assert -520 <= shift / 604800 <= -52

    def timing(job: Job) -> list[float]:
        return [job.submit_time, job.run_time, job.processors]

    assert [*map(timing, before.jobs)] == [*map(timing, after.jobs)]


def test_the_same_key_gives_the_same_bytes(run: Command) -> None:
    for name in ("a.json", "b.json"):
        convert(run, "-o", name, "--anonymise", "key.json", "--shift-dates")
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_an_anonymised_swf_does_not_name_its_site(run: Command) -> None:
    convert(run, "-o", "plain.swf")
    convert(run, "-o", "hidden.swf", "--anonymise", "key.json")
    assert "Ann" in Path("plain.swf").read_text()
    assert "Ann" not in Path("hidden.swf").read_text()


def test_the_numbers_of_names_in_an_swf_can_be_kept(run: Command) -> None:
    convert(run, "-o", "w.json")
    text = Path("w.json").read_text().replace('"user_id":7', '"user_id":"ann"')
    Path("w.json").write_text(text)
    ended = run("convert", "any", "w.json", "-o", "o.swf", "--numbers", "n.json", "--report", "r")
    assert json.loads(Path("n.json").read_text())["names"] == {"user": {"ann": 1, "8": 2, "9": 3}}
    assert json.loads(Path("r").read_text())["lost"] == {"user: replaced by a number": 4}
    assert "wrote o.swf, r, n.json" in ended.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "w.json", "--clean", "usr=2"), "--clean 'usr=2': unknown field 'usr'"),
        (("-o", "w.json", "--clean", "run>0"), "none of its 4 jobs can be simulated (cleaned: "),
        (("-o", "w.json", "--shift-dates"), "--shift-dates needs --anonymise KEY"),
        (("-o", "w.json", "--numbers", "n.json"), "--numbers is only for SWF output"),
        (("-o", "w.json", "--anonymise", "w.json"), "w.json is given twice"),
        (("-o", "w.json", "--anonymise", "log.swf"), "log.swf is given twice"),
        (("-o", "w.json", "--anonymise", "none/key.json"), "none/key.json: cannot be written"),
    ],
)
def test_impossible_requests_give_one_error_and_leave_no_file(
    run: Command, arguments: tuple[str, ...], message: str
) -> None:
    convert(run, *arguments).assert_refused(message)
    assert [path.name for path in Path().iterdir()] == ["log.swf"]


def test_an_invalid_key_file_is_an_error_and_is_kept(run: Command) -> None:
    Path("key.json").write_text("{}")
    ended = convert(run, "-o", "w.json", "--anonymise", "key.json")
    assert (ended.code, Path("key.json").read_text()) == (2, "{}")
    assert "key.json: is not a key that this program wrote" in ended.err


def test_the_named_recipes_are_listed_with_what_they_do_and_their_source(run: Command) -> None:
    out = run("convert", "recipes").out
    assert "already lacks these jobs\n    user=2\n    run>7d\n    warm-up=1%\n" in out
