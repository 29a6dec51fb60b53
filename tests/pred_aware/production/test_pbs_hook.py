import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pred_aware.production import pbs_hook
from pred_aware.production.store import Store
from tests.pred_aware.production.jobs import ended
from tests.pred_aware.production.serving import Serving

HOOK = Path(pbs_hook.__file__)
JOB = {"queue": "batch", "resources": {"select": "1:ncpus=4", "walltime": 600}}
OLDEST = [
    *Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.6.*/bin/python3.6")
]


class Server:
    """A stand-in for a PBS server, in the oldest Python that is there."""

    def __init__(self, settings: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own script
            [OLDEST[0] if OLDEST else sys.executable, Path(__file__).with_name("pbs_server.py"),
             HOOK, settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def happens(self, kind: str, job: dict[str, Any], number: int = 1, pause: float = 0.0) -> Any:  # noqa: ANN401
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([kind, number, pause, job]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def soft(self, kind: str, job: dict[str, Any]) -> int | None:
        """Let one event happen; return the job's soft walltime."""
        (became,) = self.happens(kind, job)["became"]
        assert became["refused"] is None
        found: int | None = became["soft"]
        return found


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("hook")
    with Store(folder / "jobs.db") as store:
        store.add([ended("1", run_time=100.0), ended("2", run_time=300.0)])
    with Serving(folder) as made:
        yield made


def server(folder: Path, socket: Path, **settings: Any) -> Iterator[Server]:  # noqa: ANN401 - JSON
    path = folder / "settings.json"
    path.write_text(json.dumps({"socket": str(socket), **settings}))
    made = Server(path)
    try:
        yield made
    finally:
        made.process.communicate(timeout=20)


@pytest.fixture
def pbs(serving: Serving, tmp_path: Path) -> Iterator[Server]:
    yield from server(tmp_path, serving.socket)


def test_the_hook_needs_nothing_that_python_3_6_lacks() -> None:
    checked = subprocess.run(  # noqa: S603 - a package of ours for development
        [sys.executable, "-c", "from vermin import main; main()", "-t=3.6-", "--no-tips", HOOK],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


def test_a_job_gets_its_soft_walltime_and_never_more_than_its_walltime(pbs: Server) -> None:
    assert pbs.soft("QUEUEJOB", JOB) == 200
    assert pbs.soft("QUEUEJOB", {"resources": {"walltime": 150}}) is None
    assert pbs.soft("QUEUEJOB", {**JOB, "user": "bob"}) is None


@pytest.mark.parametrize(
    "resources",
    [{}, {"walltime": 600, "min_walltime": 60}, {"walltime": 600, "soft_walltime": 300}],
    ids=["no walltime", "shrink-to-fit", "set by a manager"],
)
def test_jobs_that_are_left_alone(pbs: Server, resources: dict[str, int]) -> None:
    assert pbs.soft("QUEUEJOB", {"resources": resources}) == resources.get("soft_walltime")


def test_a_soft_walltime_comes_down_with_the_walltime(pbs: Server) -> None:
    before = {"resources": {"walltime": 600, "soft_walltime": 200}}
    changed = [
        pbs.soft("MODIFYJOB", {"before": before, "resources": resources})
        for resources in ({"walltime": 100}, {"walltime": 500}, {"mem": "1gb"})
    ]
    assert changed == [100, None, None]


def test_other_events_are_left_alone(pbs: Server) -> None:
    assert pbs.soft("RUNJOB", JOB) is None


def test_queues_and_users_can_be_left_out(serving: Serving, tmp_path: Path) -> None:
    for pbs in server(tmp_path, serving.socket, except_queues=["gpu"], except_users=["eve"]):
        left = [{**JOB, "queue": "gpu"}, {**JOB, "user": "eve"}, JOB]
        assert [pbs.soft("QUEUEJOB", job) for job in left] == [None, None, 200]


def test_a_dry_run_only_says_what_it_would_do(serving: Serving, tmp_path: Path) -> None:
    for pbs in server(tmp_path, serving.socket, dry_run=True):
        told = pbs.happens("QUEUEJOB", JOB)
    assert told["became"][0]["soft"] is None
    assert told["logged"] == [
        "pred-aware: would set soft_walltime=200 for a job of ann, walltime 00:10:00"
    ]


@pytest.mark.parametrize("content", ["{", '{"sokcet": "x"}', '{"timeout": "x"}'])
def test_a_bad_configuration_leaves_jobs_alone_and_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "settings.json"
    for pbs in server(tmp_path, tmp_path / "none"):
        path.write_text(content)
        told = pbs.happens("QUEUEJOB", JOB)
    assert [told["became"][0][key] for key in ("refused", "soft")] == [None, None]
    assert told["logged"][0].startswith("pred-aware: left the job alone: ")


def test_names_that_are_no_names_do_no_harm(pbs: Server) -> None:
    for user in ("o'hara", '"; DROP TABLE', "日本\n{}", "x" * 100_000):
        assert pbs.soft("QUEUEJOB", {**JOB, "user": user}) is None
    assert pbs.soft("QUEUEJOB", JOB) == 200


def submitted_while_it_is_killed_and_hung(
    folder: Path, number: int, pause: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Submit jobs to a service that answers, is dead, answers, and hangs."""
    became, logged = [], []
    with Serving(folder) as serving:
        told = [ended("1", run_time=100.0), ended("2", run_time=300.0)]
        serving.ask({"ask": "ended", "jobs": msgspec.to_builtins(told)})
        for pbs in server(folder, serving.socket):
            for happens in (None, signal.SIGKILL, "begin", signal.SIGSTOP):
                if happens == "begin":
                    serving.begin()
                elif happens == signal.SIGKILL:
                    serving.end(signal.SIGKILL)
                elif happens is not None:
                    os.kill(serving.process.pid, signal.SIGSTOP)
                answer = pbs.happens("QUEUEJOB", JOB, number, pause)
                became += answer["became"]
                logged += answer["logged"]
    with Store(serving.store) as store:
        assert [job.id for job in store.jobs()] == ["1", "2"]
    return became, logged


def test_no_submission_fails_while_the_service_is_killed_hung_and_started_again(
    tmp_path: Path,
) -> None:
    became, logged = submitted_while_it_is_killed_and_hung(tmp_path, 10, 0.0)
    assert [job["refused"] for job in became] == [None] * 40
    assert [job["soft"] for job in became] == [200] * 10 + [None] * 10 + [200] * 10 + [None] * 10
    timeouts = [line for line in logged if line.endswith("timed out")]
    assert len(timeouts) == 3
    assert "pred-aware: no answer in time 3 times: silent for 60 s" in logged


@pytest.mark.large
def test_a_thousand_submissions_at_a_hundred_a_second(tmp_path: Path) -> None:
    became, _ = submitted_while_it_is_killed_and_hung(tmp_path, 250, 0.01)
    assert {job["refused"] for job in became} == {None}
    took = sorted(job["took"] for job in became)
    print(f"median {took[500]:.5f} s, 99 % {took[990]:.5f} s, longest {took[-1]:.5f} s")  # noqa: T201
    assert took[-1] < pbs_hook.LONGEST_WAIT + 0.1
