"""What goes wrong: one clear error, the rest finished, nothing lost."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pred_aware.campaign.campaign import Campaign, read_campaign
from pred_aware.errors import PredAwareError
from tests.pred_aware.campaign.conftest import MakeCampaign, WriteCampaign
from tests.pred_aware.command import HEEDS_SIGNALS, Command

PREDICTOR = """
import os, time

MISBEHAVE = [
    lambda: time.sleep(100),
    lambda: (b"x" * 900_000_000, time.sleep(100)),
    lambda: os.kill(os.getpid(), 9),
]


class Mine:
    def __init__(self, share=0.5):
        self.share = share

    def predict(self, submission, now):
        {body}
        return (submission.walltime or 60.0) * self.share

    def learn(self, submission, run_time, now):
        pass
"""
OWN = "[policies.easy]\n[policies.mine]\nscheduler = 'easy'\npredictor = 'mine_here:Mine'\n"

WritePredictor = Callable[[str], None]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WritePredictor:
    """Write a user's predictor that other processes can also import."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "mine_here", raising=False)

    def write(body: str) -> None:
        (tmp_path / "mine_here.py").write_text(PREDICTOR.format(body=body))

    return write


def test_a_failing_policy_is_reported_others_run_and_its_edited_version_runs_again(
    campaign: WriteCampaign, command: Command, mine: WritePredictor
) -> None:
    mine("if now > 3000: raise RuntimeError('no idea')")
    path = campaign(OWN)
    command("campaign", "run", "-q", "-j", 2, path).assert_refused(
        "4 failed; the first one is: made, mine, ", "RuntimeError: no idea", "mine_here.py:16"
    )
    told = json.loads(command("campaign", "status", "--json", path).out)
    assert (told["there"], len(told["failed"]), told["to_do"]) == (4, 4, 0)
    made = read_campaign(path)
    again = made.run(workers=1)
    assert (again.made, again.failed) == (0, [])
    assert len(made.retry(workers=1).failed) == 4
    mine("pass")
    mended = made.run(workers=1)
    assert (mended.made, mended.failed, made.failures) == (4, [], {})
    before = made.runs()["digest"]
    mine("return 60.0")
    assert made.run(workers=1).made == 4
    assert (before == made.runs()["digest"]).tolist() == [True] * 4 + [False] * 4


def test_a_missing_log_is_reported_and_does_not_stop_the_others(
    campaign: WriteCampaign, command: Command, tmp_path: Path
) -> None:
    path = campaign()
    path.write_text(path.read_text() + "[logs.gone]\nfile = 'gone.swf'\n")
    command("campaign", "run", "-q", "-j", 1, path).assert_refused(
        "1 failed: gone: ", "No such file or directory"
    )
    assert len(read_campaign(path).runs()) == 8
    asked = {
        "table": command("campaign", "table", path).out,
        "JSON": " ".join(json.loads(command("campaign", "table", "--json", path).out)["said"]),
        "rows": command("campaign", "export", path, "-o", tmp_path / "rows.csv").out,
    }
    for what, told in asked.items():
        assert "gone: its runs cannot be identified and are not shown: " in " ".join(
            told.split()
        ), what


def test_without_a_readable_log_nothing_begins(campaign: WriteCampaign, tmp_path: Path) -> None:
    path = campaign()
    (tmp_path / "log.swf").write_text("what is this?\n")
    with pytest.raises(PredAwareError, match="is not a known job log"):
        read_campaign(path).run(workers=1)
    assert not (tmp_path / "small.runs").exists()


def test_a_store_of_another_version_or_kind_is_left_unchanged(
    campaign: WriteCampaign, tmp_path: Path
) -> None:
    (tmp_path / "small.runs").mkdir()
    (tmp_path / "small.runs" / "store.json").write_text('{"format": 99}')
    made = read_campaign(campaign())
    for use in (made.run, made.status, made.runs):
        with pytest.raises(PredAwareError, match="is a store of version 99, but this pred-aware"):
            use()
    with pytest.raises(PredAwareError, match="is not a store of runs"):
        read_campaign(campaign(top="store = '.'")).run()


@pytest.mark.slow
def test_a_full_disk_ends_the_campaign_and_it_resumes_with_room(
    campaign: WriteCampaign,
) -> None:
    path = campaign(shakes=6)
    # no file may become longer than this; -B, or compiled modules would be cut short, too
    full = "ulimit -f 1; exec {} -B -m pred_aware campaign run -q -j 1 {}"
    command = full.format(sys.executable, path)
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True)  # noqa: PLW1510, S603, S607
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "cannot be written: File too large" in ended.stderr
    whole = read_campaign(path)
    assert whole.run(workers=1).failed == []
    assert len(whole.runs()) == 14


@pytest.mark.slow
def test_runs_over_a_limit_or_killed_are_reported_and_the_others_are_made(
    campaign: WriteCampaign, mine: WritePredictor
) -> None:
    mine("MISBEHAVE[self.share]()")
    policies = "[limits]\ntime = '6 s'\nmemory = '700 MB'\n[policies.easy]\n" + "".join(
        f"[policies.{name}]\nscheduler = 'easy'\n"
        f"predictor = {{name = 'mine_here:Mine', share = {n}}}\n"
        for n, name in enumerate(("slow", "greedy", "dying"))
    )
    done = read_campaign(campaign(policies, shakes=0)).run(workers=2)
    assert done.made == 1
    reasons = {name.split(", ")[1]: reason for name, reason in done.failed}
    assert reasons["slow"] == "took longer than its limit, 6.0 s"
    assert reasons["greedy"].endswith("MB of memory; its limit is 700 MB")
    assert "its process ended by signal 9" in reasons["dying"]


def test_ctrl_c_ends_all_processes_at_once(
    campaign: WriteCampaign, mine: WritePredictor, tmp_path: Path
) -> None:
    mine("open('here', 'w').close(); import time; time.sleep(100)")
    command = [sys.executable, "-c", HEEDS_SIGNALS, "campaign", "run", "-q", "-j", "2"]
    process = subprocess.Popen(  # noqa: S603 - our own command
        [*command, campaign(OWN)], cwd=tmp_path, stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"}, start_new_session=True,
    )  # fmt: skip
    while not (tmp_path / "here").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1].startswith(b"pred-aware: stopped; repeat the command")
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_an_unknown_measure_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    content = {
        "logs": {"made": {"file": str(tmp_path)}},
        "policies": {"easy": {}},
        "measures": ["mean_waitng_time"],
    }
    with pytest.raises(PredAwareError, match="did you mean mean_waiting_time"):
        Campaign.of(content)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "bytes": lambda packed: packed[:40] + b"\xff\xff\xff" + packed[43:],
    "cut": lambda packed: packed[:-20],
    "another table": lambda _: gzip.compress(b"x,y\n1,2\n"),
    "nothing": lambda _: b"",
}


def test_a_damaged_file_of_groups_gives_a_one_line_error(
    command: Command, made: MakeCampaign
) -> None:
    path = made()
    for file, arguments in {
        "users.csv.gz": ("table", "--by", "user"),
        "groups.csv.gz": ("report",),
    }.items():
        damaged = next(path.parent.rglob(file))
        whole = damaged.read_bytes()
        for damage, harm in DAMAGES.items():
            damaged.write_bytes(harm(whole))
            ended = command("campaign", *arguments, path)
            told = (ended.code, ended.out, ended.err.count("\n"))
            assert told == (2, "", 1), (file, damage, ended)
            assert ended.err.startswith(f"pred-aware: error: {damaged}: "), (file, damage)
            assert not path.with_suffix(".html").exists(), (file, damage)
        damaged.write_bytes(whole)
