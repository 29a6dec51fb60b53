"""Ctrl-C while worker processes start: the command ends at once, in one line, with all of them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pred_aware.command import HEEDS_SIGNALS, Command
from tests.pred_aware.simulator.world import job, write_inputs

CAMPAIGN = 'baseline = "easy"\n[logs.w]\nfile = "workload.json"\n[policies.easy]\n[policies.fcfs]\n'
COMMANDS = {
    "campaign": "campaign run c.toml -j 2",
    "pilot": "campaign plan c.toml --pilot -j 2",
    "compare": "compare easy fcfs --shakes 20 -j 2",
    "shadow": "service shadow workload.json --predictor last_two --shakes 20 -j 2",
}
SOON = 10.0
"""Seconds; what starts takes some to clear away on a busy machine."""


@pytest.fixture
def folder(here: Path, command: Command) -> Path:
    write_inputs(here, [job(n, 10 * n, 1 + n % 9, 100, 200) for n in range(1500)])
    (here / "c.toml").write_text(CAMPAIGN)
    for policy in ("easy", "fcfs"):
        files = ("-p", "platform.xml", "-w", "workload.json")
        assert command("run", *files, "-s", policy, "-e", policy, "-q").code == 0
    return here


def below(process: int) -> set[int]:
    """Return a process and all that it has started, as far as they live."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,stat="],  # noqa: S607 - wherever it is
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rows = [line.split() for line in listed.stdout.splitlines()]
    found: set[int] = {process}
    while more := {int(pid) for pid, of, _ in rows if int(of) in found} - found:
        found |= more
    return found - {int(pid) for pid, _, state in rows if state.startswith("Z")}


@pytest.mark.parametrize(
    ("name", "delay"),
    [
        ("campaign", 0.0),
        *(
            pytest.param(name, delay, marks=pytest.mark.slow)
            for name in COMMANDS
            for delay in (0.0, 0.1, 0.2, 0.3)
        ),
    ],
)
def test_ctrl_c_while_workers_start_ends_all_with_a_one_line_message(
    folder: Path, name: str, delay: float
) -> None:
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", HEEDS_SIGNALS, *COMMANDS[name].split()], cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while len(started := below(process.pid)) == 1 and process.poll() is None:
        time.sleep(0.02)
    time.sleep(delay)
    started |= below(process.pid)
    begin = time.monotonic()
    # as a terminal does, to the whole group
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert time.monotonic() - begin < SOON
    assert process.returncode == 128 + signal.SIGINT, told
    assert "Traceback" not in told
    assert told.splitlines()[-1].startswith("pred-aware: stopped")
    time.sleep(0.2)
    assert [one for one in started if one in below(one) and Path(f"/proc/{one}").exists()] == []
