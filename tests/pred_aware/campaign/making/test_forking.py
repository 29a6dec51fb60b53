"""Worker processes: forked, but equal to newly started processes."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pred_aware.campaign.making import fork_server
from pred_aware.campaign.making.dispatch import each
from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.messages import Task
from pred_aware.campaign.specification import Limits, RunKey

TELLS = """
import os, sys
from pred_aware.campaign.messages import WorkerAnswer

class Tells:
    def inputs(self, log):
        print("read", flush=True)

    def answer(self, task, *, progress=None):
        return WorkerAnswer(measured={
            "folder": os.getcwd(), "path": sys.path, "variables": dict(os.environ),
            "process": os.getpid(), "parent": os.getppid(), "command": sys.argv,
        })
"""
Told = Callable[[], dict[str, Any]]


@pytest.fixture
def told(own_modules: Path) -> Told:
    """Let a worker tell of its process."""
    (own_modules / "tells.py").write_text(TELLS)

    def ask() -> dict[str, Any]:
        maker = import_module("tells").Tells()
        with Workers(maker, 1, limits=Limits()) as team:
            ((_, said),) = each(team, [Task(RunKey(0, 0), "")])
        return said.measured

    return ask


def test_a_forked_worker_has_the_current_folder_variables_path_command_and_standard_error(
    told: Told, here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = told()
    capfd.readouterr()
    monkeypatch.chdir(here.parent)
    monkeypatch.setenv("SAID_LATER", "yes")
    monkeypatch.syspath_prepend("/nowhere")
    monkeypatch.setattr(sys, "argv", ["pred-aware", "study", "log"])
    said = told()
    assert said["parent"] == before["parent"]
    assert (said["folder"], said["path"]) == (str(here.parent), sys.path)
    # as which a run tells it
    assert said["command"] == ["pred-aware", "study", "log"]
    assert said["variables"]["SAID_LATER"] == "yes"
    assert capfd.readouterr() == ("", "read\n")


@pytest.mark.slow
def test_libraries_compute_with_one_thread_each_unless_the_user_says_otherwise(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    one = told()
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    two = told()
    assert [each["variables"]["OMP_NUM_THREADS"] for each in (one, two)] == ["1", "2"]
    assert one["parent"] != two["parent"], "numpy has looked at it already"


@pytest.mark.slow
def test_no_worker_outlives_the_team_and_a_killed_fork_server_is_replaced(
    told: Told,
) -> None:
    process, killed = (told()[one] for one in ("process", "parent"))
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert told()["parent"] == killed
    os.kill(killed, signal.SIGKILL)
    os.waitid(os.P_PID, killed, os.WEXITED | os.WNOWAIT)
    assert told()["parent"] != killed


def test_a_request_of_an_ended_process_stops_the_server_without_an_error() -> None:
    asking, asked = socket.socketpair()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as worker:
        asking.sendall(fork_server.NUMBER.pack(worker.pid))
        asking.close()
        assert fork_server.serve(asked) is None
        with pytest.raises(ProcessLookupError):
            os.kill(worker.pid, 0)
