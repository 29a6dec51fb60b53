"""The command `batsim`, and what becomes of a run whose decision process goes away."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.pred_aware.command import HEEDS_SIGNALS, Command
from tests.pred_aware.simulator.world import job, write_inputs

PYBATSIM = "from pybatsim.cmdline import main; main()"
PATIENCE = 60
JOBS = [job(1, 0, 8, 100, 200), job(2, 10, 10, 50, 60), job(3, 20, 11, 90, 400)]
# answers the first request, and is gone at the second
DIES = """
import sys, zmq
socket = zmq.Context().socket(zmq.REP)
socket.bind(sys.argv[1])
socket.recv()
socket.send(b'{"now": 0.0, "events": []}')
socket.recv()
sys.exit("Ouch")
"""

Start = Callable[..., str]


@pytest.fixture
def batsim(here: Path, command: Command) -> Command:
    """Run the command as a user would, in a folder with three jobs."""
    write_inputs(here, JOBS)
    return partial(command, "batsim", "-p", "platform.xml", "-w", "workload.json", "-s")


@pytest.fixture
def listening() -> Iterator[Start]:
    """Start a Python program that listens at the address that it gets as its last argument."""
    with ExitStack() as stack:

        def start(*arguments: str) -> str:
            # a short path, since the name of a socket has at most 107 characters
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="batsim-"))
            endpoint = f"ipc://{folder}/socket"
            child = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-c", *arguments, endpoint],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(child.wait, PATIENCE)
            stack.callback(child.terminate)
            return endpoint

        yield start


def test_it_simulates_for_a_decision_process_that_listens(
    batsim: Command, tmp_path: Path, listening: Start
) -> None:
    endpoint = listening(PYBATSIM, "-t", "-1", "easy_bf", "-s")
    done = batsim(endpoint, "--json", "-q", "--transcript", "spoken.jsonl")
    assert (done.code, done.err) == (0, "")
    figures = json.loads(done.out)
    assert (figures["nb_jobs"], figures["nb_jobs_rejected"]) == (3, 1)
    made = json.loads((tmp_path / "out_run.json").read_text())
    assert made["decision_process"] == {"command": None, "endpoint": endpoint}
    spoken = [json.loads(line) for line in (tmp_path / "spoken.jsonl").read_text().splitlines()]
    assert [message["from"] for message in spoken[:3]] == ["batsim", "decision_process", "batsim"]


def test_profiles_and_configuration_are_forwarded(
    batsim: Command, tmp_path: Path, listening: Start
) -> None:
    endpoint = listening(PYBATSIM, "-t", "-1", "easy", "-s")
    options = ("--forward-profiles-on-submission", "--sched-cfg", "mine", "-q")
    assert batsim(endpoint, *options, "--transcript", "spoken.jsonl").code == 0
    begins, submitted = (
        json.loads(line)["message"]["events"][0]["data"]
        for line in (tmp_path / "spoken.jsonl").read_text().splitlines()[:3:2]
    )
    assert begins["config"]["sched-config"] == "mine"
    assert submitted["profile"] == {"type": "delay", "delay": 100.0}


def test_a_decision_process_that_dies_is_named_and_nothing_is_written(
    batsim: Command, tmp_path: Path, listening: Start
) -> None:
    batsim(listening(DIES), "--transcript", "spoken.jsonl").assert_refused(
        "closed the connection at 0.0 s of the simulation without an answer"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"platform.xml", "workload.json"}


def test_a_silent_decision_process_ends_in_a_timeout(
    batsim: Command, tmp_path: Path, listening: Start
) -> None:
    silent = DIES.replace('sys.exit("Ouch")', "import time; time.sleep(60)")
    batsim(listening(silent), "--timeout", "1").assert_refused(
        "has not answered the request of 0.0 s for 1 s"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"platform.xml", "workload.json"}


def wait_for(condition: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    deadline = monotonic() + PATIENCE
    while not condition():
        assert run.poll() is None, run.communicate()
        assert monotonic() < deadline
        sleep(0.01)


@pytest.mark.parametrize("transport", ["zmq", "process"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_stopped_run_leaves_no_files_and_no_processes(
    tmp_path: Path, transport: str, number: int, code: int
) -> None:
    # enough of them that it can be stopped in the middle
    write_inputs(tmp_path, [job(place, place, 1, 5, 60) for place in range(50_000)])
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = set(tmp_path.iterdir())
    run = subprocess.Popen(  # noqa: S603 - our own command
        [
            sys.executable, "-c", HEEDS_SIGNALS, "run", "-p", "platform.xml", "-w", "workload.json",
            "-s", "easy_bf", "--delays", "batsim", "--transport", transport, "-q",
        ],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(Path.cwd()), "TMPDIR": str(scratch)},
    )  # fmt: skip
    wait_for(lambda: any(tmp_path.glob(".out_schedule.csv.*")), run)
    run.send_signal(number)
    _, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, errors) == (code, "pred-aware: stopped\n")
    assert set(tmp_path.iterdir()) == before
    assert list(scratch.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(run.pid, 0)


def test_the_decision_process_requests_features_from_batsim_5(batsim: Command) -> None:
    ended = batsim("tcp://127.0.0.1:9", "--protocol", "5", "--enable-dynamic-jobs")
    assert ended.code == 2
    assert "the decision process itself requests profiles and dynamic jobs" in ended.err


def test_batsim_5_writes_its_own_files_in_a_folder(
    batsim: Command, listening: Start, here: Path
) -> None:
    address = listening(PYBATSIM, "easy", "-o", '{"call_margin": null}', "-t", "-1", "-s")
    ended = batsim(address, "--protocol", "5", "-e", "new/five", "--transcript", "all.jsonl")
    assert ended.code == 0, ended.err
    assert "new/five/jobs.csv, schedule.json, run.json" in ended.out
    assert {path.name for path in (here / "new" / "five").iterdir()} == {
        "jobs.csv", "schedule.json", "run.json",
    }  # fmt: skip
    said = [json.loads(line) for line in (here / "all.jsonl").read_text().splitlines()]
    assert said[0]["message"]["events"][0]["event_type"] == "SimulationBeginsEvent"
    assert said[-2]["message"]["events"][-1]["event_type"] == "SimulationEndsEvent"
