"""What goes wrong on the other side ends a run in time, with one message, and leaves nothing.

Our command runs as a process of its own, with a process of its own on the other side.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.pred_aware.command import HEEDS_SIGNALS
from tests.pred_aware.simulator.world import job, write_inputs

pytestmark = pytest.mark.slow

PEER = f"{sys.executable} {Path(__file__).parent / 'raw_peer.py'}"
JOBS = [job(1, 0, 2, 100, 200), job(2, 0, 2, 50, 60), job(3, 0, 3, 90, 400)]
DEADLINE = 60.0
"""Time limit of a case in seconds, with 2 s for a process that ignores signals."""

ABSENT = frozenset({"never", "no-zeromq"})
SILENT = frozenset({"silent", "deaf", "half-frame", "hangs-at-the-end"})

MARK = "PRED_AWARE_FAULT_TEST"


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start our command with a mark by which its child processes can be found."""
    environment = os.environ | {
        "PYTHONPATH": str(Path.cwd()),
        "TMPDIR": str(folder / "scratch"),
        MARK: str(folder),
    }
    inputs = ("-p", "platform.xml", "-w", "workload.json")
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", HEEDS_SIGNALS, "run", *inputs, *arguments],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def patience_with(fault: str) -> tuple[str, ...]:
    """Wait a short time for silent programs, and long enough for all others."""
    if fault in ABSENT:
        return ("--timeout", "1.5")
    return ("--timeout", "1") if fault in SILENT else ()


def left_over(folder: Path) -> list[int]:
    """Return the processes that carry the mark of a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if f"{MARK}={folder}".encode() in environment.split(b"\0"):
            found.append(int(process.name))
    return found


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + DEADLINE
    while not condition():
        assert monotonic() < deadline
        sleep(0.01)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with inputs, and without processes at the end."""
    # not pytest's folder, whose name is too long for sockets when tests run in parallel
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder, JOBS)
        (folder / "scratch").mkdir()
        (folder / "out").mkdir()
        yield folder
        for number in left_over(folder):
            os.kill(number, signal.SIGKILL)


def ended(folder: Path, run: subprocess.Popen[str]) -> str:
    """Wait for the end; see that nothing is left, and return the one message."""
    _, errors = run.communicate(timeout=DEADLINE)
    wait_for(lambda: not left_over(folder))
    assert run.returncode == 2, errors
    assert errors.startswith("pred-aware: error: ")
    assert errors.count("\n") == 1
    assert len(errors) < 1000
    assert list((folder / "scratch").iterdir()) == []
    assert {path.suffix for path in folder.glob("out/*")} <= {".log"}
    return errors


def begins(folder: Path) -> bool:
    """Say whether the simulation has begun: then its files are there, under temporary names."""
    return any(folder.glob("out/.*"))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("never", "no decision process answers at ipc://"),
        ("no-zeromq", "no decision process answers at ipc://"),
        ("dies-first", "ended at 0.0 s of the simulation: exit code 1, its last output was: Ouch"),
        ("dies", "ended at 0.0 s of the simulation: exit code 1, its last output was: Ouch"),
        ("killed", "ended at 0.0 s of the simulation: exit code 137, SIGKILL"),
        ("silent", "has not answered the request of 0.0 s for 1 s"),
        ("deaf", "has not answered the request of 0.0 s for 1 s"),
        ("half", "sent an invalid message of Batsim's protocol: Input data was truncated: "),
        ("half-frame", "has not answered the request of 0.0 s for 1 s"),
        ("half-frame-gone", "exit code 1, its last output was: Ouch"),
        ("two-replies", "sent a second reply to one request"),
        ("three-frames", "sent a message of 3 frames, which is not a reply of a REP socket"),
        ("past", "answered the request of 0.0 s with the earlier date -1.0 s"),
        ("disordered", "dated an event of the type CALL_ME_LATER 1.0 s, later than its reply's"),
        ("unknown-event", "sent an event of the type 'DANCE', which is not known here"),
        ("unknown-job", "asked to start job 'w0!77', which is unknown"),
        ("too-many", "gave job 'w0!1' 8 processors (0-7); it asks for 2"),
        ("in-use", "gave job 'w0!2' the processors 0-1; some of them are in use by w0!1"),
        ("beyond", "gave job 'w0!1' the processors 9-10; the machine has 10, numbered from 0"),
        ("nan", "sent an invalid message of Batsim's protocol: JSON is malformed"),
        ("deep", "sent an invalid message of Batsim's protocol: "),
        ("huge", "its reply had more than the 64 MiB that are accepted"),
        ("vanishes", "cannot be written: No such file or directory"),
    ],
)
def test_each_fault_of_a_decision_process_has_its_own_error(
    folder: Path, fault: str, message: str
) -> None:
    command = ("--decision-process", f"{PEER} {fault} {{endpoint}}", "-e", "out/run")
    assert message in ended(folder, start(folder, *command, *patience_with(fault)))


BATSIM = """#!{python}
import json, os, signal, sys, time, zmq
if "--version" in sys.argv:
    sys.exit(print("v4.2.1"))
if "{fault}" == "never":
    time.sleep(3600)
request = zmq.Context().socket(zmq.{socket})
request.connect(sys.argv[sys.argv.index("-s") + 1])
frames = [] if "{socket}" == "REQ" else [b""]
def say(now, kind, data):
    event = {{"timestamp": now, "type": kind, "data": data}}
    send(json.dumps({{"now": now, "events": [event]}}).encode())
def send(text):
    request.send_multipart([*frames, text])
COMPLETED = {{"job_state": "COMPLETED_SUCCESSFULLY", "return_code": 0, "alloc": "0"}}
hosts = [{{"id": 0, "name": "a0", "state": "idle", "properties": {{}}}}]
flags = ("redis-enabled", "profiles-forwarded-on-submission", "dynamic-jobs-enabled",
         "dynamic-jobs-acknowledged", "forward-unknown-events")
say(3.0, "SIMULATION_BEGINS", {{
    "nb_resources": 1, "nb_compute_resources": 1, "nb_storage_resources": 0,
    "allow_compute_sharing": False, "allow_storage_sharing": True,
    "config": dict.fromkeys(flags, False), "compute_resources": hosts, "storage_resources": [],
    "workloads": {{}}, "profiles": {{}},
}})
request.recv_multipart()
{does}
time.sleep(3600)
"""
ENDS = 'say(4.0, "SIMULATION_ENDS", {}); request.recv_multipart()'


@pytest.mark.parametrize(
    ("fault", "does", "message"),
    [
        ("no-empty-frame", """request.send(b'{"now": 3.0, "events": []}')""",
         "Batsim sent a message of 1 frames at 3.0 s of the simulation, which is not a request"),
        ("never", "", "Batsim has sent nothing for 1.5 s, before the simulation began"),
        ("dies", "sys.exit('Ouch')", "Batsim ended at 3.0 s of the simulation: exit code 1, its "),
        ("killed", "os.kill(os.getpid(), 9)", "Batsim ended at 3.0 s of the simulation: exit code"),
        ("silent", "", "Batsim has sent nothing for 1 s, at 3.0 s of the simulation"),
        ("deaf", "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
         "Batsim has sent nothing for 1 s, at 3.0 s of the simulation"),
        ("half", """send(b'{"now": 3.0, "ev')""", "Batsim sent an invalid message of Batsim's"),
        ("nan", """send(b'{"now": NaN, "events": []}')""", "Batsim sent an invalid message"),
        ("past", 'say(2.0, "REQUESTED_CALL", {})', "sent the date 2.0 s after 3.0 s"),
        ("unknown-event", 'say(3.0, "DANCE", {})', "Batsim sent DANCE at 3.0 s, which cannot be"),
        ("unknown-job", "say(3.0, 'JOB_COMPLETED', COMPLETED | {'job_id': 'w0!7'})",
         "Batsim sent JOB_COMPLETED at 3.0 s, which cannot be: job 'w0!7' does not run"),
        ("hangs-at-the-end", ENDS, "Batsim has not ended 1 s after the simulation"),
        ("fails-at-the-end", f"{ENDS}; sys.exit('Ouch')", "ended after the simulation: exit code"),
        ("writes-nothing", f"{ENDS}; sys.exit()", "out_schedule.csv: cannot be read"),
    ],
)  # fmt: skip
def test_each_fault_of_batsim_has_its_own_error(
    folder: Path, fault: str, does: str, message: str
) -> None:
    program = folder / "batsim"
    kind = "DEALER" if fault == "no-empty-frame" else "REQ"
    program.write_text(BATSIM.format(python=sys.executable, fault=fault, does=does, socket=kind))
    program.chmod(0o755)
    command = ("-s", "fcfs", "--batsim", "batsim", "-e", "out/run")
    assert message in ended(folder, start(folder, *command, *patience_with(fault)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_interrupt_does_not_prevent_the_cleanup(
    folder: Path, number: signal.Signals
) -> None:
    run = start(folder, "--decision-process", f"{PEER} deaf {{endpoint}}", "-e", "out/run")
    wait_for(lambda: begins(folder))
    sleep(0.3)
    run.send_signal(number)
    sleep(0.2)
    # a deaf one is given 2 s, so that this comes in the midst of it
    run.send_signal(number)
    _, errors = run.communicate(timeout=DEADLINE)
    assert (run.returncode, errors) == (128 + number, "pred-aware: stopped\n")
    wait_for(lambda: not left_over(folder))
    assert list((folder / "scratch").iterdir()) == []
    assert [path.name for path in (folder / "out").iterdir()] == ["run_decision_process.log"]


@pytest.mark.parametrize(
    "other", [("--decision-process", f"{PEER} deaf {{endpoint}}"), ("-s", "fcfs", "--batsim", "x")]
)
def test_killing_the_simulator_ends_the_other_process(folder: Path, other: tuple[str, ...]) -> None:
    program = folder / "x"
    text = BATSIM.format(python=sys.executable, fault="silent", does="", socket="REQ")
    program.write_text(text)
    program.chmod(0o755)
    run = start(folder, *other, "-e", "out/run")
    wait_for(lambda: begins(folder) and len(left_over(folder)) > 2)
    run.kill()
    run.communicate(timeout=DEADLINE)
    wait_for(lambda: not left_over(folder))
    assert list(folder.glob("out/run_*.csv")) == []


@pytest.fixture(params=["64k", "535k"])
def small_disk(folder: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The output folder as a disk that does not hold the jobs file, or holds all but the last."""
    mounted = subprocess.run(  # noqa: S603 - a test's own
        ["mount", "-t", "tmpfs", "-o", f"size={request.param}", "tmpfs", folder / "out"],  # noqa: S607
        check=False, capture_output=True,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("may not mount a small disk")
    yield folder
    subprocess.run(["umount", folder / "out"], check=True)  # noqa: S603, S607


def small_disk_size(folder: Path) -> int:
    return shutil.disk_usage(folder / "out").total


@pytest.mark.parametrize(
    "options",
    [("--delays", "none"), ("--delays", "batsim"), ("--transport", "zmq"), ("--batsim", "ours")],
)
def test_a_full_disk_is_reported_and_no_file_is_left(
    small_disk: Path, options: tuple[str, ...]
) -> None:
    write_inputs(small_disk, [job(number, 0, 1, 1, 60) for number in range(3000)])
    program = small_disk / "ours"
    told = '[ "$1" = --version ] && echo v4.2.1 && exit'
    program.write_text(f'#!/bin/sh\n{told}\nexec {sys.executable} -m pred_aware batsim "$@"\n')
    program.chmod(0o755)
    run = start(small_disk, "-s", "fcfs", "-e", "out/run", *options)
    full = "_jobs" if small_disk_size(small_disk) < 1 << 17 else "_estimates"
    assert f"{full}.csv: cannot be written: No space left on device" in ended(small_disk, run)
