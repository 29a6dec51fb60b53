import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pred_aware.production import pbs_hook
from pred_aware.production.store import JobDatabase
from tests.pred_aware.command import python
from tests.pred_aware.production.jobs import ended, told_ended
from tests.pred_aware.production.serving import Answers, Serving

HOOK = Path(pbs_hook.__file__)
JOB = {"queue": "batch", "resources": {"select": "1:ncpus=4", "walltime": 600}}
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
OLDEST = [str(path) for path in PYENV.glob("versions/3.6.*/bin/python3.6")] or [
    found for found in [shutil.which("python3.6")] if found
]


class Server:
    """A stand-in for a PBS server, in the oldest Python that is there unless one is named."""

    def __init__(self, settings: Path, python: str | None = None) -> None:
        self.settings = settings
        self.state = settings.with_name(f"{settings.name}.state")
        self.process = subprocess.Popen(  # noqa: S603 - our own script
            [python or (*OLDEST, sys.executable)[0], Path(__file__).with_name("pbs_server.py"),
             HOOK, settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def is_new(self, **settings: Any) -> None:  # noqa: ANN401 - JSON
        """Get other settings, and forget all that was."""
        self.settings.write_text(json.dumps(settings))
        self.state.unlink(missing_ok=True)
        self.happens("RESTART", {})

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

    def left_alone(self, job: dict[str, Any] = JOB) -> list[str]:
        """Submit a job that gets no soft walltime; return what was logged."""
        told = self.happens("QUEUEJOB", job)
        assert [told["became"][0][key] for key in ("refused", "soft")] == [None, None]
        logged: list[str] = told["logged"]
        return logged


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("pbs") / "settings.json")
    yield made
    made.process.communicate(timeout=60)


@pytest.fixture
def pbs(serving: Serving, one_server: Server) -> Server:
    one_server.is_new(socket=str(serving.socket))
    return one_server


def test_the_hook_works_with_python_3_6() -> None:
    checked = python("-c", "from vermin import main; main()", "-t=3.6-", "--no-tips", HOOK)
    assert checked.code == 0, checked.out


def test_a_job_gets_its_soft_walltime_and_never_more_than_its_walltime(pbs: Server) -> None:
    assert pbs.soft("QUEUEJOB", JOB) == 240
    assert pbs.soft("QUEUEJOB", {"resources": {"walltime": 240}}) is None
    assert pbs.soft("QUEUEJOB", {**JOB, "user": "bob"}) is None


def test_some_jobs_get_no_soft_walltime(pbs: Server) -> None:
    for resources in (
        {},
        {"walltime": 600, "min_walltime": 60},
        {"walltime": 600, "soft_walltime": 300},
        {"walltime": 0},
        {"walltime": -1},
    ):
        found = pbs.soft("QUEUEJOB", {"resources": resources})
        assert found == resources.get("soft_walltime"), resources
    assert pbs.soft("RUNJOB", JOB) is None


def test_a_soft_walltime_falls_with_the_walltime(pbs: Server) -> None:
    before = {"resources": {"walltime": 600, "soft_walltime": 200}}
    changed = [
        pbs.soft("MODIFYJOB", {"before": before, "resources": resources})
        for resources in ({"walltime": 100}, {"walltime": 500}, {"mem": "1gb"})
    ]
    assert changed == [100, None, None]


def test_queues_and_users_can_be_left_out_and_settings_have_comments(
    pbs: Server, serving: Serving
) -> None:
    left_out = {"except_queues": ["gpu"], "except_users": ["eve"]}
    pbs.is_new(socket=str(serving.socket), **{"#": ["whose jobs", "are left alone"]}, **left_out)
    left = [{**JOB, "queue": "gpu"}, {**JOB, "user": "eve"}, JOB]
    assert [pbs.soft("QUEUEJOB", job) for job in left] == [None, None, 240]


def test_a_dry_run_only_logs_the_soft_walltime(pbs: Server, serving: Serving) -> None:
    pbs.is_new(socket=str(serving.socket), dry_run=True)
    assert pbs.left_alone() == [
        "pred-aware: would set soft_walltime=240 for a job of ann, walltime 600"
    ]


def test_wrong_settings_are_logged_and_leave_jobs_unchanged(pbs: Server) -> None:
    for content, words in (
        ("{", "the settings are not JSON: Expecting property name"),
        ("[]", "the settings must be a JSON object"),
        ('{"sokcet": "x"}', "unknown setting 'sokcet'; known: socket, timeout"),
        ('{"socket": "run/s"}', "'socket' must be the absolute path of the service's socket, not"),
        ('{"timeout": "x"}', "'timeout' must be a number of seconds above 0, not \"x\""),
        ('{"timeout": NaN}', "'timeout' must be a number of seconds above 0, not NaN"),
        ('{"dry_run": "false"}', "'dry_run' must be true or false, not \"false\""),
        ('{"except_users": "ann"}', "'except_users' must be a list of names, such as [\"ann\"]"),
        ('{"except_queues": [1]}', "'except_queues' must be a list of names"),
    ):
        pbs.is_new()
        pbs.settings.write_text(content)
        (line,) = pbs.left_alone()
        assert line.startswith("pred-aware: left the job unchanged: ")
        assert words in line


def test_a_resource_that_the_server_lacks_is_absent_and_other_errors_are_not() -> None:
    class Resources:
        def __getitem__(self, name: str) -> object:
            return getattr(self, name)

        @property
        def mem(self) -> object:
            return self.no_such_thing  # type: ignore[attr-defined]

    assert pbs_hook.resource(Resources(), "procs") is None
    with pytest.raises(AttributeError, match="no_such_thing"):
        pbs_hook.resource(Resources(), "mem")


def test_an_invalid_estimate_gives_one_line_in_the_log(pbs: Server, tmp_path: Path) -> None:
    no_answer = "the service's answer is not a JSON object"
    for number, (answer, words) in enumerate((
        (b"", "the service closed the connection"),
        (b"garbage\n", no_answer),
        (b"\xff\n", no_answer),
        (b"[]\n", no_answer),
        (b'{"estimate": 9}\n{"estimate": 9}\n', no_answer),
        (b'{"estimate": "9"}\n', "the service's estimate is '9'"),
        (b'{"estimate": -9}\n', "the service's estimate is -9"),
        (b'{"estimate": NaN}\n', "the service's estimate is nan"),
        (b'{"error": "a\\nb\\u001b[2J"}\n', "the service reports: a\\nb\\x1b[2J"),
        (json.dumps({"error": "x" * 60_000}).encode() + b"\n", "xxx..."),
    )):  # fmt: skip
        (folder := tmp_path / f"{number}").mkdir()
        pbs.is_new(socket=str(Answers(folder, answer).place))
        (line,) = pbs.left_alone()
        assert words in line
        assert line.isprintable()
        assert len(line) < 400


def test_a_list_of_nodes_is_never_sent(pbs: Server, tmp_path: Path) -> None:
    says = Answers(tmp_path, b'{"estimate": 60}\n')
    pbs.is_new(socket=str(says.place))
    nodes = {"walltime": 600, "nodes": "+".join(f"n{number}" for number in range(10_000))}
    (line,) = pbs.left_alone({"resources": nodes})
    assert "longer than 16384 characters" in line
    assert says.asked == []


def test_an_alarm_of_the_hook_does_not_refuse_the_job(pbs: Server, serving: Serving) -> None:
    with stopped(serving):
        # its modules are there then, so that the alarm comes while it waits
        assert pbs.left_alone({"resources": {}}) == []
        (line,) = pbs.left_alone({**JOB, "alarm": 0.15})
    assert line == "pred-aware: left the job unchanged: KeyboardInterrupt: "


@contextmanager
def stopped(serving: Serving) -> Iterator[None]:
    """Let the service hang."""
    os.kill(serving.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(serving.process.pid, signal.SIGCONT)


def test_the_pause_after_timeouts_survives_a_restart_of_the_hook(
    pbs: Server, serving: Serving
) -> None:
    with stopped(serving):
        assert len(pbs.happens("QUEUEJOB", JOB, 3)["became"]) == 3
    pbs.happens("RESTART", {})
    assert pbs.soft("QUEUEJOB", JOB) is None
    assert pbs.state.stat().st_mode & 0o777 == 0o600
    pbs.state.unlink()
    pbs.happens("RESTART", {})
    assert pbs.soft("QUEUEJOB", JOB) == 240


def test_any_content_of_the_state_file_is_handled(pbs: Server) -> None:
    for content in (b"", b"\xff\x00", b"0 nan nan 0", b"0 9e99 9e99 7", b"1 2 3", b"x" * 100_000):
        pbs.state.write_bytes(content)
        pbs.happens("RESTART", {})
        assert pbs.soft("QUEUEJOB", JOB) == 240, content[:20]


def test_state_is_not_stored_where_other_users_can_write(pbs: Server, tmp_path: Path) -> None:
    (other := tmp_path / "other").write_text("precious")
    folder = pbs.settings.parent
    plants: dict[str, Callable[[], object]] = {
        "link": lambda: pbs.state.symlink_to(other),
        "pipe": lambda: os.mkfifo(pbs.state),
        "open to all": lambda: folder.chmod(0o777),
        "folder": pbs.state.mkdir,
    }
    for name, plant in plants.items():
        pbs.is_new(socket=str(tmp_path / "nobody"))
        plant()
        assert len(pbs.left_alone()) == 1, name
        assert pbs.left_alone() == [], name
        assert other.read_text() == "precious", name
        assert name != "open to all" or not pbs.state.exists()
        folder.chmod(0o700)
    pbs.state.rmdir()


def test_a_dead_service_is_logged_once_a_minute_with_the_number_of_jobs(
    pbs: Server, tmp_path: Path
) -> None:
    pbs.is_new(socket=str(tmp_path / "nobody"))
    told = pbs.happens("QUEUEJOB", JOB, 50)
    assert {(job["refused"], job["soft"]) for job in told["became"]} == {(None, None)}
    nobody = f"{tmp_path}/nobody: No such file or directory"
    assert told["logged"] == [f"pred-aware: left the job unchanged: {nobody}"]
    timeouts, silent, said, left = map(float, pbs.state.read_text().split())
    pbs.state.write_text(f"{timeouts} {silent} {said - pbs_hook.SILENCE} {left}")
    assert pbs.left_alone() == [f"pred-aware: left 50 jobs unchanged: {nobody}"]


def test_invalid_names_do_no_harm(pbs: Server) -> None:
    for user in ("o'hara", '"; DROP TABLE', "日本\n{}", "x" * 100_000):
        assert pbs.soft("QUEUEJOB", {**JOB, "user": user}) is None
    assert pbs.soft("QUEUEJOB", JOB) == 240


def submitted_while_it_is_killed_and_hung(
    folder: Path, number: int, pause: float, python: str | None = None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Submit jobs to a service that answers, is dead, answers, and hangs."""
    became, logged = [], []
    pbs = Server(folder / "settings.json", python)
    with Serving(folder) as serving:
        pbs.is_new(socket=str(serving.socket))
        told = told_ended(ended("1", run_time=100.0), ended("2", run_time=300.0))
        assert serving.ask(told) == {"new": 2}
        for happens in (None, signal.SIGKILL, "begin", signal.SIGSTOP):
            if happens == "begin":
                serving.begin()
                assert serving.told == f"listening at {serving.socket}; 2 jobs learned\n"
                assert serving.ask(told) == {"new": 0}
            elif happens == signal.SIGKILL:
                serving.end(signal.SIGKILL)
            elif happens is not None:
                os.kill(serving.process.pid, signal.SIGSTOP)
            answer = pbs.happens("QUEUEJOB", JOB, number, pause)
            became += answer["became"]
            logged += answer["logged"]
    pbs.process.communicate(timeout=60)
    with JobDatabase(serving.store) as store:
        assert [job.id for job in store.jobs()] == ["1", "2"]
    return became, logged


@pytest.mark.parametrize(
    "python", ["this Python", pytest.param("Python 3.6", marks=pytest.mark.slow)]
)
def test_no_submission_fails_while_the_service_is_killed_hangs_or_restarts(
    tmp_path: Path, python: str
) -> None:
    if python == "Python 3.6" and not OLDEST:
        pytest.skip("there is no python3.6 here")
    path = sys.executable if python == "this Python" else OLDEST[0]
    became, logged = submitted_while_it_is_killed_and_hung(tmp_path, 10, 0.0, path)
    assert [job["refused"] for job in became] == [None] * 40
    assert [job["soft"] for job in became] == [240] * 10 + [None] * 10 + [240] * 10 + [None] * 10
    place = tmp_path / "socket"
    assert logged == [
        f"pred-aware: left the job unchanged: {place}: Connection refused",
        "pred-aware: the service answers; before, 9 more jobs were left unchanged",
        "pred-aware: 3 late answers: no requests to the service for 60 s",
    ]


@pytest.mark.large
def test_a_thousand_submissions_at_a_hundred_per_second_succeed(tmp_path: Path) -> None:
    became, _ = submitted_while_it_is_killed_and_hung(tmp_path, 250, 0.01)
    assert {job["refused"] for job in became} == {None}
    took = sorted(job["took"] for job in became)
    print(f"median {took[500]:.5f} s, 99 % {took[990]:.5f} s, longest {took[-1]:.5f} s")  # noqa: T201
    assert took[-1] < pbs_hook.LONGEST_WAIT + 0.1
