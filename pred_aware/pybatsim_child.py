"""pybatsim as a child process: started, listened to, and reaped whatever happens."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.simulator.peer import SocketPeer
from schedulers import COMBINATIONS

PATIENCE = 5.0
"""How long a child may take to end by itself, in seconds."""

# Its standard input is a pipe that nobody writes to: when we die, however, it ends, and so must it.
_LAUNCHER = """
import os, threading
def watch():
    # not through sys.stdin, of which the lock could not be had when the interpreter ends
    while os.read(0, 1024):
        pass
    os._exit(1)
threading.Thread(target=watch, daemon=True).start()
from pybatsim.cmdline import main
main()
"""

_OWN_NAMES_OF_PYBATSIM = frozenset({"filler"})


@contextmanager
def started_pybatsim(
    scheduler: str, options: Mapping[str, Any], folder: Path
) -> Iterator[SocketPeer]:
    """Start ``pybatsim SCHEDULER -o OPTIONS``, and connect to it.

    Parameters
    ----------
    scheduler, options
        As for `schedulers.make_policy`.
    folder
        An empty folder for the socket and what the child prints.
    """
    name, options = _for_pybatsim(scheduler, options)
    endpoint = _free_endpoint(folder)
    printed = folder / "pybatsim.log"
    command = [
        sys.executable, "-c", _LAUNCHER, "--timeout", "-1", "--socket-endpoint", endpoint,
        "--scheduler-options", msgspec.json.encode(options).decode(), name,
    ]  # fmt: skip
    with printed.open("wb") as log:
        child = subprocess.Popen(  # noqa: S603 - our own command
            command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        with SocketPeer(endpoint, why_dead=lambda: _why_dead(child, printed)) as peer:
            yield peer
    finally:
        _reap(child)


def _for_pybatsim(scheduler: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Say under which name pybatsim knows a scheduler: it has a filler of its own."""
    if scheduler not in _OWN_NAMES_OF_PYBATSIM:
        return scheduler, dict(options)
    parts = {
        key: dict(value) if isinstance(value, Mapping) else value
        for key, value in COMBINATIONS[scheduler].options.items()
    }
    return "policy", {**parts, **options}


def _free_endpoint(folder: Path) -> str:
    if os.name == "posix":
        return f"ipc://{folder / 'socket'}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{probe.getsockname()[1]}"


def _why_dead(child: subprocess.Popen[bytes], printed: Path) -> str | None:
    code = child.poll()
    if code is None:
        return None
    lines = printed.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"exit code {code}, its last words were: {lines[-1] if lines else '(none)'}"


def _reap(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    child.stdin.close()
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
