"""Commands repeat whether the baseline is the queue that the log recorded."""

import json
from functools import cache
from pathlib import Path

import pytest

from pred_aware import Platform, Run, Workload, read_log, simulate
from tests.pred_aware.command import Command
from tests.pred_aware.recorded_queue.queues import MACHINE, waits_on, workload

SMALLER = 13


@pytest.fixture
def here(here: Path) -> Path:
    """Two runs of a workload that recorded longer waits, which stands beside them."""
    recorded, *simulated = runs()
    recorded.write("made")
    for run in simulated:
        run.write(run.name)
    return here


@cache
def runs() -> tuple[Workload, Run, Run]:
    """Return a workload that recorded longer waits, and two runs of it."""
    recorded = workload(wait_time=waits_on(SMALLER))
    machine = Platform.of(MACHINE)
    return (
        recorded,
        simulate(recorded, "easy", platform=machine),
        simulate(recorded, "easy_sjbf", platform=machine),
    )


def test_compare_first_says_that_the_baseline_differs_from_the_recorded_queue(
    here: Path, command: Command
) -> None:
    ended = command("compare", "easy_jobs.csv", "easy_sjbf_jobs.csv", "--html", "page.html")
    assert ended.out.startswith("! The mean wait is ")
    assert "priorities that the simulation ignores" in " ".join(ended.out.split())
    page = (here / "page.html").read_text()
    assert "The recorded queue compared with easy" in page
    assert page.index("The mean wait is") < page.index("Measures (in brackets")
    ended = command("compare", "easy_jobs.csv", "easy_sjbf_jobs.csv", "--json")
    assert json.loads(ended.out)["recorded_queue"]["answer"] == "shorter"


def test_compare_says_unknown_if_the_workload_is_missing(here: Path, command: Command) -> None:
    (here / "made").unlink()
    ended = command("compare", "easy_jobs.csv", "easy_sjbf_jobs.csv")
    told = "Cannot compare easy with the recorded queue of the log: the workload is missing."
    assert told in " ".join(ended.out.split())


@pytest.mark.usefixtures("here")
def test_inspect_simulates_a_baseline_on_request(command: Command) -> None:
    asked = ("inspect", "made", "--baseline", "easy")
    told = json.loads(command(*asked, "--json").out)["recorded_queue"]
    assert (told["answer"], told["guessed"]) == ("shorter", False)
    ended = command(*asked, "--tables", "tables.csv")
    assert ended.out.startswith("! The mean wait is")
    assert (
        "The recorded queue compared with easy,mean wait,in the log,"
        in Path("tables.csv").read_text()
    )


def test_inspect_simulates_with_a_guessed_size_if_none_is_stated(
    here: Path, command: Command
) -> None:
    line = "{0} {1} 5 600 4 -1 -1 4 900 -1 1 7 1 -1 1 -1 -1 -1"
    lines = [line.format(number, 300 * number) for number in range(1, 200)]
    (here / "log.swf").write_text("\n".join(["; Version: 2.2", *lines]) + "\n")
    ended = command("inspect", "log.swf", "--baseline", "easy")
    assert ended.out.startswith("! The machine's size is a guess: 8 processors")


def around_midnight(path: Path) -> Path:
    """Write an SWF log of a job every two minutes, from 18:10 UTC on the last day of 2003."""
    line = "{0} {1} 5 60 4 -1 -1 4 900 -1 1 7 1 -1 1 -1 -1 -1"
    head = ["; MaxProcs: 8", "; UnixStartTime: 1072894200"]
    path.write_text("\n".join([*head, *(line.format(n, 120 * n) for n in range(360))]) + "\n")
    return path


def test_the_baseline_simulates_the_inspected_jobs(here: Path, command: Command) -> None:
    log = around_midnight(here / "log.swf")
    ended = command(
        "inspect", log, "--time-zone", "Europe/Prague", "--clean", "submit<2004-01-01",
        "--baseline", "easy", "--json",
    )  # fmt: skip
    told = json.loads(ended.out)
    # those from 23:00 UTC on are of another year there
    assert told["jobs"] == told["recorded_queue"]["recorded"]["jobs"] == 215


def test_jobs_without_a_walltime_are_inspected_and_not_simulated(
    here: Path, command: Command
) -> None:
    log = around_midnight(here / "log.swf")
    log.write_text(log.read_text().replace(" 900 ", " -1 ", 4))
    ended = command("inspect", log, "--baseline", "easy", "--json")
    told = json.loads(ended.out)
    assert (told["jobs"], told["recorded_queue"]["recorded"]["jobs"]) == (360, 356)
    assert told["records"]["dropped"] == {}


def test_a_script_can_set_the_time_zone_of_a_log(here: Path) -> None:
    log = around_midnight(here / "log.swf")
    of_zone = [
        len(read_log(log, clean="submit<2004-01-01", time_zone=zone))
        for zone in (None, "Europe/Prague")
    ]
    assert of_zone == [185, 215]


@pytest.mark.usefixtures("here")
def test_inspect_refuses_an_unknown_baseline_before_reading_the_log(command: Command) -> None:
    command("inspect", "made", "--baseline", "eazy").assert_refused(
        "unknown scheduler 'eazy': did you mean 'easy'"
    )


def test_a_guessed_size_is_stated_first(here: Path, command: Command) -> None:
    text = (here / "made").read_text().replace('"nb_res":16', '"nb_res":16,"nb_res_guessed":true')
    (here / "guessed.json").write_text(text)
    ended = command("inspect", "guessed.json", "--baseline", "easy")
    assert ended.out.startswith("! The machine's size is a guess: 16 processors")
    ended = command("inspect", "guessed.json")
    assert ended.out.startswith("! The log does not contain the machine's size; 16 processors")
    ended = command("inspect", "guessed.json", "--processors", "16")
    assert "does not tell the machine" not in ended.out
