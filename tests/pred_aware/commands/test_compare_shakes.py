"""`compare --shakes`: runs simulated again from what stands beside them."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import Command

FILES = ("easy_jobs.csv", "easy_sjbf_jobs.csv")


@pytest.fixture
def compare(command: Command, here: Path) -> Command:
    """Run the command in a folder with two runs."""
    log = write_log(here / "made.swf", jobs=40)
    command("convert", "swf", log, "-o", "jobs.json", "--platform", "machine.xml", "-q")
    for name in ("easy", "easy_sjbf"):
        run = ("run", "-q", "-p", "machine.xml", "-w", "jobs.json", "-s", name, "-e", name)
        assert command(*run).code == 0
    return partial(command, "compare", "--shakes", 3)


def test_the_number_of_processes_does_not_change_the_result(compare: Command) -> None:
    one, two = (
        json.loads(compare(*FILES, "--workers", workers, "--json").out)["intervals"]
        for workers in (1, 2)
    )
    assert one == two
    assert one["shakes"] == 3


def test_runs_in_another_folder_find_their_workload(
    compare: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    files = [tmp_path / name for name in FILES]
    code, out, err = compare(*files, "--workers", 1)
    assert (code, err) == (0, "")
    assert "easy_sjbf against easy, over 3 perturbed copies" in out


def refused(compare: Command, *more: object) -> str:
    code, out, err = compare(*FILES, "--workers", 1, *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


def test_a_missing_or_changed_workload_is_reported(compare: Command) -> None:
    jobs = Path("jobs.json")
    content = jobs.read_text()
    jobs.write_text(content.replace('"subtime":', '"subtime": ', 1))
    assert "jobs.json has changed since the simulation: give it with --wo" in refused(compare)
    err = refused(compare, "--workload", "jobs.json")
    assert "jobs.json: not the workload of easy" in err
    jobs.unlink()
    err = refused(compare)
    assert "easy_jobs.csv: its workload jobs.json was not found at its recorded path" in err
    Path("moved.json").write_text(content)
    assert compare(*FILES, "--workers", 1, "--workload", "moved.json").code == 0


def test_a_changed_platform_is_reported(compare: Command, command: Command) -> None:
    command("platform", "--hosts", 9, "-o", "nine.xml")
    err = refused(compare, "--platform", "nine.xml")
    assert "nine.xml: not the platform of easy" in err


def test_a_missing_or_wrong_run_record_is_reported(compare: Command) -> None:
    record = Path("easy_run.json")
    record.write_bytes(Path("easy_sjbf_run.json").read_bytes())
    assert "easy cannot be simulated again: easy_run.json belongs to another run" in refused(
        compare
    )
    record.unlink()
    assert "easy cannot be simulated again: its _run.json is missing" in refused(compare)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("platform", {"processors": 8}, "its record cannot be read: Object missing"),
        ("scheduler", None, "easy cannot be simulated again here: another program decided"),
        ("simulator", {"name": "batsim", "version": "4.2"},
         "easy cannot be simulated again here: batsim simulated"),
        ("scheduler", {"name": "os:system", "options": {"command": "x"}},
         "uses os:system, which"),
        ("scheduler", {"name": "easy", "options": {"order": "no:No"}}, "uses no:No, which"),
        ("scheduler", {"name": "easy", "options": {"order": 5}}, "order"),
        ("delays", "some", "Invalid enum value 'some'"),
        ("files", ["jobs.json"], None),
    ],
)  # fmt: skip
def test_a_wrong_or_damaged_run_record_gives_a_one_line_error(
    compare: Command, field: str, value: object, message: str | None
) -> None:
    record = Path("easy_run.json")
    record.write_text(json.dumps({**json.loads(record.read_text()), field: value}))
    if message is None:
        assert compare(*FILES, "--workers", 1).code == 0
    else:
        assert message in refused(compare)


def test_a_run_that_cannot_be_reproduced_is_reported(compare: Command) -> None:
    record = Path("easy_sjbf_run.json")
    told = json.loads(record.read_text())
    told["scheduler"]["options"]["backfilling"]["candidates"] = "smallest"
    record.write_text(json.dumps(told))
    assert "easy_sjbf gives another schedule when it is simulated again" in refused(compare)


def test_a_single_perturbed_copy_is_refused(compare: Command) -> None:
    assert "one shake gives no interval: give at least 2" in refused(compare, "--shakes", 1)
