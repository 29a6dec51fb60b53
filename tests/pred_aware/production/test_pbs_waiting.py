"""New predictions for waiting jobs, with stand-ins for PBS's `qstat` and `qalter`."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pred_aware.production.errors import FeedError
from pred_aware.production.pbs_hook import soft_walltime
from pred_aware.production.pbs_waiting import (
    MOST_CALLS,
    PbsJob,
    WaitingJobs,
    new_soft_walltime,
    read_waiting,
)
from tests.pred_aware.command import Command
from tests.pred_aware.production.serving import Answers, Serving

QSTAT = """#!/bin/sh
test "$*" = "-f -F json" && cat "$(dirname "$0")/jobs.json"
"""

QALTER = """#!{python}
import json, sys
from pathlib import Path
folder = Path(__file__).parent
with (folder / "calls").open("a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
_, soft, *ids = sys.argv[1:]
told = json.loads((folder / "jobs.json").read_text())
for job in ids:
    told["Jobs"][job]["Resource_List"]["soft_walltime"] = int(soft.partition("=")[2])
(folder / "jobs.json").write_text(json.dumps(told))
"""


class Pbs:
    """A folder with PBS's programs and the jobs that they tell of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in (("qstat", QSTAT), ("qalter", QALTER.format(python=sys.executable))):
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)

    def has(self, **jobs: dict[str, Any]) -> None:
        told = {
            name: {"Job_Owner": "cat@host", "job_state": "Q", "queue": "batch"}
            | {key: value for key, value in job.items() if key != "wanted"}
            | {"Resource_List": {"walltime": "02:00:00", "ncpus": 4} | job.get("wanted", {})}
            for name, job in jobs.items()
        }
        (self.folder / "jobs.json").write_text(json.dumps({"Jobs": told}))

    def calls(self) -> list[str]:
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def pbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pbs:
    folder = tmp_path / "pbs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return Pbs(folder)


def test_one_call_changes_many_jobs_and_only_where_it_matters(pbs: Pbs, serving: Serving) -> None:
    pbs.has(
        a={}, b={"wanted": {"soft_walltime": "01:00:00"}},
        c={"wanted": {"soft_walltime": "00:19:30"}},
        d={"Job_Owner": "bob@host"}, e={"Job_Owner": "new@host"}, f={"job_state": "R"},
    )  # fmt: skip
    waiting = WaitingJobs(serving.socket)
    assert waiting.round() == {1200: ["a", "b"], 600: ["d"]}
    assert pbs.calls() == ["-l soft_walltime=1200 a b", "-l soft_walltime=600 d"]
    assert waiting.round() == {}


def test_jobs_with_a_managers_soft_walltime_are_left_unchanged(pbs: Pbs, serving: Serving) -> None:
    pbs.has(
        short={"wanted": {"min_walltime": "00:10:00"}}, array={}, debug={"queue": "debug"},
        mine={}, **{"7[].srv": {}},
    )  # fmt: skip
    waiting = WaitingJobs(serving.socket, except_queues=["debug"])
    assert waiting.round() == {1200: ["array", "mine"]}
    # a manager gives one another: from then on it is the manager's
    pbs.has(
        mine={"wanted": {"soft_walltime": "00:50:00"}}, array={"wanted": {"soft_walltime": 1200}}
    )
    assert waiting.round() == {}
    pbs.has(mine={"wanted": {"soft_walltime": 1200}}, array={})
    assert waiting.round() == {}


def test_a_round_needs_only_a_few_calls(pbs: Pbs, serving: Serving) -> None:
    pbs.has(**{
        f"{n}": {"wanted": {"walltime": f"00:{n:02}:00", "soft_walltime": "00:01:00"}}
        for n in range(2, 12)
    })  # fmt: skip
    assert len(WaitingJobs(serving.socket).round()) == MOST_CALLS
    assert len(pbs.calls()) == MOST_CALLS


def test_the_command_lists_its_changes(
    pbs: Pbs, serving: Serving, command: Command, tmp_path: Path
) -> None:
    pbs.has(a={}, b={})
    told = command("service", "pbs-waiting", serving.socket, "--dry-run", "--once")
    assert told.out == "would set soft_walltime=1200 for 2 jobs: a b\n"
    assert pbs.calls() == []
    command("service", "pbs-waiting", tmp_path / "none", "--once").assert_refused()
    (pbs.folder / "jobs.json").write_text('{"Jobs": {"a": {"Job_Name": "half')
    with pytest.raises(FeedError, match="qstat: its output cannot be read"):
        WaitingJobs(serving.socket).round()


def test_a_server_without_jobs_has_no_waiting_jobs() -> None:
    assert read_waiting(b'{"timestamp": 1, "pbs_version": "23.06"}') == []


def test_a_waiting_job_gets_the_estimate_of_a_submitted_job() -> None:
    for estimate in (1.0, 59.5, 61.0, 3601.0, 43201.0, 7200.0, 99999.0):
        set_by_hook = soft_walltime(estimate, 86400)
        before = PbsJob("7", {}, 86400.0, None if set_by_hook is None else float(set_by_hook))
        assert new_soft_walltime(before, estimate) is None
        assert new_soft_walltime(PbsJob("7", {}, 86400.0, None), estimate) == set_by_hook


def test_no_estimate_is_requested_for_jobs_that_the_hook_leaves_alone(
    pbs: Pbs, tmp_path: Path
) -> None:
    says = Answers(tmp_path, b'{"estimate": 60}\n')
    nodes = "+".join(f"n{number}" for number in range(10_000))
    pbs.has(a={"wanted": {"nodes": nodes}}, b={"wanted": {"walltime": "-1"}},
            c={"wanted": {"walltime": "00:00:00"}})  # fmt: skip
    assert WaitingJobs(says.place).round() == {}
    assert says.asked == []


def test_an_invalid_estimate_gives_one_line_and_changes_nothing(
    pbs: Pbs, command: Command, tmp_path: Path
) -> None:
    pbs.has(a={})
    for number, answer in enumerate(('"9"', "-9", "[9]")):
        (folder := tmp_path / f"{number}").mkdir()
        says = Answers(folder, f'{{"estimate": {answer}}}\n'.encode())
        told = command("service", "pbs-waiting", says.place, "--once")
        assert (told.code, told.err.count("\n"), pbs.calls()) == (2, 1, []), answer
        assert "the service's estimate is" in told.err, answer
