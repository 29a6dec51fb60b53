"""Claims tried on a log: recounted by other means, made once, and told."""

import json
import random
import signal
import socket
import subprocess
import sys
import time
from csv import DictReader
from dataclasses import asdict
from pathlib import Path
from statistics import mean

import pandas as pd
import pytest

from pred_aware.errors import PredAwareError
from reproductions import reproduce
from reproductions.checks.claim import CHANGED, FAILS, HOLDS, OPEN, THEIRS, UNTRIED, YES
from reproductions.evidence import QUICK
from reproductions.reproducing import PAPERS, Reproduced, try_claims

WEEK = 7 * 86400


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("papers")


@pytest.fixture(scope="module")
def jobs(folder: Path) -> list[tuple[int, int, int, int]]:
    """Twelve weeks of a log that is called as one of paper 003's: submission, run time, user."""
    chance = random.Random(3)  # noqa: S311 - a made log
    made = []
    for number in range(360):
        date = number * 12 * WEEK // 360
        made.append((date, chance.choice((60, 900, 7000, 20000)), 1 + number % 7, 1 + number % 4))
    lines = [
        f"{place} {date} -1 {run} {size} -1 -1 {size} 86400 -1 1 {user} 1 1 1 1 -1 -1"
        for place, (date, run, user, size) in enumerate(made, start=1)
    ]
    (folder / "wagap-2013-made.swf").write_text("\n".join(["; MaxProcs: 6", *lines, ""]))
    return made


@pytest.fixture(scope="module")
def tried(folder: Path, jobs: list[tuple[int, int, int, int]]) -> Reproduced:
    assert jobs
    return try_claims(PAPERS["003"], [folder], folder=folder / "out", effort=QUICK, workers=1)


def by_last_two(jobs: list[tuple[int, int, int, int]]) -> list[tuple[float, int]]:
    """What paper 003's first predictor says of each job, and how long it ran."""
    made = []
    for date, run, user, _ in jobs:
        # on this machine nobody waits in the log, so all end when they have run
        ended = sorted(
            (other + length, other, length)
            for other, length, who, _ in jobs
            if who == user and other + length <= date
        )
        known = [length for _, _, length in ended[-2:]]
        made.append((min(mean(known), 86400) if known else 86400, run))
    return made


def test_the_share_that_is_too_short_is_that_of_a_plain_count(
    jobs: list[tuple[int, int, int, int]], tried: Reproduced
) -> None:
    short = sum(estimate < run for estimate, run in by_last_two(jobs))
    found = tried.judged[0].found[0]
    assert found.log == "wagap"
    assert found.value == pytest.approx(short / len(jobs))
    assert found.runs == len(jobs)
    assert found.low is not None
    assert found.high is not None
    expected = HOLDS if found.low > 0.4 else FAILS if found.high < 0.4 else OPEN
    assert found.verdict == expected


def test_errors_of_medium_jobs_are_those_of_a_plain_count(
    jobs: list[tuple[int, int, int, int]], tried: Reproduced
) -> None:
    errors = [abs(estimate - run) for estimate, run in by_last_two(jobs) if run > 7200]
    claims = {one.claim.name: one.found for one in tried.judged}
    found = next(one for one in claims["003.16"] if one.ours.startswith("pbs_v1 mae medium"))
    assert found.value == pytest.approx(mean(errors))
    assert found.verdict == (HOLDS if mean(errors) < 86400 - 20000 else FAILS)


def test_what_is_not_at_hand_is_not_tried_and_says_how_to_get_it(tried: Reproduced) -> None:
    found = {one.log: one for one in tried.judged[0].found}
    assert found["KTH"].verdict == UNTRIED
    assert "pred-aware log fetch KTH-SP2-1996-2" in found["KTH"].ours
    assert {one.verdict for one in tried.judged[0].standings.values()} == {OPEN, UNTRIED}


def test_what_is_there_is_not_made_again(folder: Path, tried: Reproduced) -> None:
    before = {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*.json")}
    again = try_claims(PAPERS["003"], [folder], folder=folder / "out", effort=QUICK, workers=1)
    assert again.to_dict() == tried.to_dict()
    kept = {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*.json")}
    made_once = {path: when for path, when in before.items() if "parts" not in path.parts}
    assert {path: kept.get(path) for path in made_once} == made_once


def test_the_command_writes_page_table_and_json(folder: Path, tried: Reproduced) -> None:
    answer = command("003", "--quick", "--logs", folder, "-o", folder / "out", "--json")
    assert json.loads(answer.stdout) == [tried.to_dict()]
    assert json.loads((folder / "out" / "claims.json").read_text()) == [tried.to_dict()]
    rows = (folder / "out" / "claims.csv").read_text().splitlines()
    assert len(rows) == 1 + sum(len(one.found) for one in tried.judged)
    page = (folder / "out" / "claims.html").read_text()
    assert "what it says" in page
    assert "3.1, figure 4: underestimated jobs" in page
    with (folder / "out" / "figures.csv").open() as file:
        drawn = {(row["place"], row["category"], row["series"]): row for row in DictReader(file)}
    share = tried.judged[0].found[0].value
    assert float(drawn["3.1, figure 4", "wagap", "pbs_v1"]["value"]) == share


def test_a_paper_that_is_not_there_is_told(tmp_path: Path) -> None:
    answer = command("005", "-o", tmp_path / "out")
    assert answer.returncode == 2
    assert answer.stderr.startswith("pred-aware: error: there is no such paper: '005': ")
    assert not (tmp_path / "out").exists()


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "pred_aware", "reproduce", *map(str, arguments)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_batscheds_figures_of_paper_001_come_out_to_the_digit(shared: Path, tmp_path: Path) -> None:
    tried = try_claims(PAPERS["001"], [shared / "m100-24h"], folder=tmp_path, effort=QUICK)
    found = {one.claim.name: one.standings for one in tried.judged}
    for name in ("001.9", "001.10", "001.25", "001.32"):
        assert (found[name][THEIRS].verdict, found[name][CHANGED].verdict) == (HOLDS, HOLDS), name
    # true of the paper's run, and not with what a tree knows that has seen the day alone
    assert (found["001.14"][THEIRS].verdict, found["001.14"][CHANGED].verdict) == (HOLDS, FAILS)
    tables = [one for name, one in found.items() if one[THEIRS].size]
    assert tables
    assert {one[THEIRS].size for one in tables} == {YES}


def test_a_script_has_claims_and_figures_as_frames_and_writes_the_same(
    folder: Path, tried: Reproduced, tmp_path: Path
) -> None:
    found = reproduce("003", logs=[folder], folder=folder / "out", quick=True, workers=1)
    assert found.papers[0].to_dict() == tried.to_dict()
    claims = found.claims()
    assert claims["verdict"].tolist() == [
        one.verdict for judged in tried.judged for one in judged.found
    ]
    found.write(tmp_path / "elsewhere")
    written = pd.read_csv(tmp_path / "elsewhere" / "figures.csv", dtype={"paper": "str"})
    assert written["value"].tolist() == found.figures()["value"].tolist()
    assert "of 28 claims of paper 003 are not tried here" in found.summary


def test_what_can_t_be_is_told_before_anything_is_made(tmp_path: Path) -> None:
    told = r"no such papers: '005': .*; 'al': did you mean 'all'"
    with pytest.raises(PredAwareError, match=told):
        reproduce(["005", "003", "al"], folder=tmp_path / "out")
    with pytest.raises(PredAwareError, match=r"nowhere: there is no such folder or file"):
        reproduce("003", logs=[tmp_path / "nowhere"], folder=tmp_path / "out")
    with pytest.raises(PredAwareError, match="interval needs at least 2"):
        reproduce("003", shakes=1, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_log_that_can_t_be_read_leaves_the_others(
    folder: Path, tried: Reproduced, tmp_path: Path
) -> None:
    (tmp_path / "KTH-SP2-1996-2.swf").write_text("no log\n")
    logs = [folder, tmp_path]
    found = reproduce("003", logs=logs, folder=folder / "out", quick=True, workers=1)
    claims = found.claims()
    unread = claims[claims["log"] == "KTH"]
    assert set(unread["verdict"]) == {UNTRIED}
    assert unread["ours"].str.contains("is not a known job log").all()
    others = pd.DataFrame([asdict(one) for claim in tried.judged for one in claim.found])
    same = claims[claims["log"] != "KTH"]["ours"].tolist()
    assert same == others[others["log"] != "KTH"]["ours"].tolist()
    alone = reproduce("003", logs=[tmp_path], folder=tmp_path / "out", quick=True)
    assert set(alone.claims()["verdict"]) == {UNTRIED}
    assert "how to get it" in alone.summary


@pytest.mark.slow
def test_killed_and_called_again_it_ends_with_the_same_files(
    folder: Path, tried: Reproduced, tmp_path: Path
) -> None:
    arguments = ("reproduce", "003", "--quick", "--logs", folder, "-o", tmp_path / "out", "-qj1")
    command_line = [sys.executable, "-m", "pred_aware", *map(str, arguments)]
    process = subprocess.Popen(command_line)  # noqa: S603 - our own command
    # in the middle: some runs are there, and not all
    while process.poll() is None and len(list((tmp_path / "out").glob("runs/runs/*/*"))) < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "out" / "claims.json").exists()
    subprocess.run(command_line, check=True)  # noqa: S603 - our own command
    assert json.loads((tmp_path / "out" / "claims.json").read_text()) == [tried.to_dict()]
    assert made_in(tmp_path / "out" / "runs") == made_in(folder / "out" / "runs")


def made_in(store: Path) -> dict[str, bytes]:
    """Files of the simulations in a store, but what is measured of the machine or unfinished."""
    return {
        str(path.relative_to(store)): path.read_bytes()
        for path in sorted((store / "runs").rglob("*"))
        if path.is_file() and path.name != "measured.json" and ".part" not in str(path)
    }


def test_nothing_is_asked_of_the_network(
    folder: Path, tried: Reproduced, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a name was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    found = reproduce(["003", "004"], logs=[folder], folder=folder / "out", quick=True)
    assert found.papers[0].to_dict() == tried.to_dict()
    ours = found.claims().query("paper == '004' and log == 'Mira'")["ours"]
    assert "get it: github.com/DIR-LAB/lumos" in ours.iloc[0]
