"""pybatsim as a child process, with one of our schedulers."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.execution import launcher
from pred_aware.execution.children import Child, socket_in
from pred_aware.simulator.peer import SocketPeer
from schedulers import COMBINATIONS

_LAUNCHER = Path(launcher.__file__)
_OWN_NAMES_OF_PYBATSIM = frozenset({"filler"})


def pybatsim(scheduler: str, options: Mapping[str, Any], endpoint: str, log: Path) -> Child:
    """Start ``pybatsim SCHEDULER -o OPTIONS``.

    Parameters
    ----------
    scheduler, options
        As for `schedulers.make_policy`.
    endpoint
        Where it listens.
    log
        The file in which its output is collected.
    """
    name, options = _for_pybatsim(scheduler, options)
    command = [
        # -P: what lies in this folder is data, even if it is called zmq.py
        sys.executable, "-P", str(_LAUNCHER), "--timeout", "-1", "--socket-endpoint", endpoint,
        "--scheduler-options", msgspec.json.encode(options).decode(), name,
    ]  # fmt: skip
    return Child("pybatsim", command, log, guarded=False)


@contextmanager
def started_pybatsim(
    scheduler: str, options: Mapping[str, Any], folder: Path
) -> Iterator[SocketPeer]:
    """Start pybatsim in a folder that is empty, and connect to it."""
    endpoint = socket_in(folder, "socket")
    with (
        pybatsim(scheduler, options, endpoint, folder / "pybatsim.log") as child,
        SocketPeer(endpoint, why_dead=child.why_dead) as peer,
    ):
        yield peer


def _for_pybatsim(scheduler: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Say under which name pybatsim knows a scheduler: it has a filler of its own."""
    if scheduler not in _OWN_NAMES_OF_PYBATSIM:
        return scheduler, dict(options)
    parts = {
        key: dict(value) if isinstance(value, Mapping) else value
        for key, value in COMBINATIONS[scheduler].options.items()
    }
    return "policy", {**parts, **options}
