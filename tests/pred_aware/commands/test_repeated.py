"""The command that a page tells makes the same page again."""

import html
import json
import re
import shlex
from pathlib import Path

import pytest

from pred_aware import Platform, simulate
from tests.pred_aware.command import Command
from tests.pred_aware.recorded_queue.queues import MACHINE, workload

OWN = "class Own:\n    changes = False\n    def key(self, job, now): return -job.processors\n"
CAMPAIGN = "[logs.l]\nfile = 'log.swf'\n[policies.easy]\n[policies.fcfs]\n"
HEAD = "; MaxProcs: 8\n; UnixStartTime: 1072894200\n"
ARGUMENTS = {
    "inspect": (
        "log.swf", "--baseline", "easy", "--time-zone", "Europe/Prague", "--processors", 9,
        "--clean", "submit<2004-01-01", "--clean", "run>7d", "--reader", '{"strict": true}',
    ),
    "predict": (
        "log.swf", "--predictor", 'near={"name": "knn", "k": 3}', "--predictor", "last_two",
        "--split", "random", "--test-share", 0.3, "--seed", 4, "--missing-walltime", 900,
    ),
    "service shadow": (
        "log.swf", "--predictor", "last_two", "--shakes", 0, "--from", "2004-01-01",
        "--time-zone", "Europe/Prague", "--processors", 9, "--backfill-depth", 3, "--workers", 1,
    ),
    "study": (
        "log.swf", "--shakes", 2, "--time-zone", "Europe/Prague", "--processors", 9, "-j", 1,
        "--clean", "run>7d",
    ),
    "compare": (
        "a b=easy_jobs.csv", "own=own_jobs.csv", "--workload", "made.json", "--platform", "p.xml",
        "--own-parts", "--anyway", "--shakes", 2, "--by", "size", "--names", "--tau", 60,
        "--measures", "mean_waiting_time,p95_waiting_time", "--workers", 1,
    ),
}  # fmt: skip


@pytest.fixture
def here(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log, a part of one's own, and a campaign."""
    monkeypatch.syspath_prepend(here)
    Path("order_repeated.py").write_text(OWN)
    line = "{0} {1} 5 {2} 4 -1 -1 4 900 -1 1 {3} 1 -1 1 -1 -1 -1"
    jobs = [line.format(n, 200 * n, 60 + n % 7 * 90, n % 3 + 1) for n in range(1, 161)]
    Path("log.swf").write_text(HEAD + "\n".join(jobs) + "\n")
    Path("small.toml").write_text(CAMPAIGN + "[shakes]\nat_least = 2\nat_most = 2\n")
    return here


def write_runs(command: Command) -> None:
    """Write two runs to compare, one with a part of one's own, their workload and machine."""
    command("platform", "-n", MACHINE, "-o", "p.xml")
    made = workload()
    made.write("made.json")
    machine = Platform.of(MACHINE)
    simulate(made, "easy", platform=machine).write("easy")
    simulate(made, "policy", order="order_repeated:Own", platform=machine).write("own")


def told_on(page: Path) -> list[str]:
    """The arguments of the command that a page says it was made by."""
    (told,) = re.findall("Made by pred-aware [^ ]*: <code>(.*?)</code>", page.read_text())
    return shlex.split(html.unescape(told))[1:]


@pytest.mark.parametrize("name", ["inspect", "service shadow", "compare"])
def test_command_on_a_page_makes_the_page_again(here: Path, command: Command, name: str) -> None:
    if name == "compare":
        write_runs(command)
    first = command(*name.split(), *ARGUMENTS[name], "--html", "page.html", "-q")
    assert (first.code, first.err) == (0, "")
    assert command(*told_on(here / "page.html")).code == 0
    assert (here / "FILE").read_bytes() == (here / "page.html").read_bytes()


def test_that_of_a_campaign_does_too(here: Path, command: Command) -> None:
    command("campaign", "run", "small.toml", "-j", 1, "-q")
    command("campaign", "report", "small.toml", "--names", "-o", "page.html")
    assert command(*told_on(here / "page.html")).code == 0
    assert (here / "small.html").read_bytes() == (here / "page.html").read_bytes()


def test_that_of_predictions_makes_the_same_predictions(here: Path, command: Command) -> None:
    command("predict", *ARGUMENTS["predict"], "--html", "page.html", "--csv", "first.csv", "-q")
    assert command(*told_on(here / "page.html"), "--csv", "again.csv").code == 0
    assert (here / "again.csv").read_bytes() == (here / "first.csv").read_bytes()


@pytest.mark.slow
def test_that_of_a_study_finds_the_same(here: Path, command: Command) -> None:
    command("study", *ARGUMENTS["study"], "-o", "out", "-q")
    assert command(*told_on(here / "out" / "study.html")).code == 0
    first, again = (
        json.loads((here / folder / "study.json").read_text()) for folder in ("out", "log.study")
    )
    assert again["policies"] == first["policies"]
    assert again["command"] == first["command"]


def test_files_stand_without_their_folders(here: Path, command: Command) -> None:
    (here / "ann").mkdir()
    (here / "log.swf").rename(here / "ann" / "log.swf")
    (here / "ann" / "reader.json").write_text('{"strict": true}')
    history = '{"file": "ann/log.swf"}'
    command(
        "predict", here / "ann" / "log.swf", "--predictor", "last_two", "--history", history,
        "--reader", f"@{here}/ann/reader.json", "--time-zone", "Europe/Prague", "--html", "p.html",
    )  # fmt: skip
    (told,) = re.findall("<code>(pred-aware .*?)</code>", Path("p.html").read_text())
    assert html.unescape(told) == (
        'pred-aware predict log.swf --predictor last_two --history \'{"file": "log.swf"}\' '
        "--reader @reader.json --time-zone Europe/Prague --html FILE"
    )
