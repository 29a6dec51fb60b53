"""pybatsim as a child process, with a scheduler of this package."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from subprocess import STDOUT, TimeoutExpired
from typing import Any

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.execution import launcher
from pred_aware.execution.children import Child, socket_in
from pred_aware.process_group import run_group
from pred_aware.simulator.peer import SocketPeer
from schedulers import COMBINATIONS

PYBATSIM = "4.0.0a0"
"""The tested version of pybatsim; version 3 has other entry points."""

PYBATSIM_5 = "4.0.0b0"
"""The version of pybatsim that supports only Batsim 5's protocol; it needs Python 3.12."""

ADD_PYBATSIM = f"pip install --no-deps pybatsim=={PYBATSIM} docopt sortedcontainers"
"""The installation command, without pybatsim's other requirements.

pred-aware itself requires these packages. pybatsim also works with its newer pyzmq.
"""

_LAUNCHER = Path(launcher.__file__)


def protocol_of_pybatsim() -> int:
    """Return 5 if the installed pybatsim supports only Batsim 5's protocol, else 4."""
    try:
        return 5 if version("pybatsim") == PYBATSIM_5 else 4
    except PackageNotFoundError:
        return 4


def require_pybatsim() -> None:
    """Check that pybatsim is installed.

    Raises
    ------
    PredAwareError
        pybatsim is not installed.
    """
    if find_spec("pybatsim") is None:
        raise PredAwareError(f"pybatsim is not installed; install it with: {ADD_PYBATSIM}")


def pybatsim(scheduler: str, options: Mapping[str, Any], endpoint: str, log: Path) -> Child:
    """Start ``pybatsim SCHEDULER -o OPTIONS``.

    Parameters
    ----------
    scheduler, options
        As in `schedulers.make_policy`.
    endpoint
        Address at which pybatsim's socket listens.
    log
        The file for its output.

    Raises
    ------
    PredAwareError
        pybatsim is not installed.
    """
    require_pybatsim()
    component = protocol_of_pybatsim() == 5  # noqa: PLR2004
    option = "--edc-options" if component else "--scheduler-options"
    name, options = _for_pybatsim(scheduler, options, "fcfs" if component else "filler")
    command = [
        # -P: files in the current folder are data, even one called zmq.py
        sys.executable, "-P", str(_LAUNCHER), "--timeout", "-1", "--socket-endpoint", endpoint,
        option, msgspec.json.encode(options).decode(), name,
    ]  # fmt: skip
    return Child("pybatsim", command, log, guarded=False)


def notes_files(kinds: Iterable[str], folder: Path) -> dict[str, str]:
    """Return the options that make a scheduler write its additional files into a folder."""
    return {f"{kind}_file": str(folder / f"{kind}.csv") for kind in kinds}


@contextmanager
def started_pybatsim(
    scheduler: str, options: Mapping[str, Any], folder: Path
) -> Iterator[SocketPeer]:
    """Start pybatsim in an empty folder, and connect to it."""
    endpoint = socket_in(folder, "socket")
    with (
        pybatsim(scheduler, options, endpoint, folder / "pybatsim.log") as child,
        SocketPeer(endpoint, why_dead=child.why_dead, protocol=protocol_of_pybatsim()) as peer,
    ):
        yield peer


def _for_pybatsim(
    scheduler: str, options: Mapping[str, Any], pybatsims: str
) -> tuple[str, dict[str, Any]]:
    """Return a scheduler's name and options for pybatsim.

    The name `pybatsims` belongs to a scheduler of pybatsim, so it is replaced by ``policy``.
    """
    if scheduler not in COMBINATIONS:
        return "policy", {**options, "policy": scheduler}
    if scheduler != pybatsims:
        return scheduler, dict(options)
    parts = {
        key: dict(value) if isinstance(value, Mapping) else value
        for key, value in COMBINATIONS[scheduler].options.items()
    }
    return "policy", {**parts, **options}


VERSION_PATIENCE = 10.0
"""Time limit for ``--version``, in seconds."""

_VERSION = re.compile(r"\bv?(\d+\.\d+(?:\.\d+)?(?:-rc\d+)?)")


def version_of(path: Path) -> str:
    """Return the version in a program's output for ``--version``, such as ``5.0.0-rc2``.

    Raises
    ------
    PredAwareError
        The program cannot be started, is silent, or prints no version.
    """
    try:
        done = run_group([str(path), "--version"], stderr=STDOUT, timeout=VERSION_PATIENCE)
    except (OSError, TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or f"silent for {VERSION_PATIENCE:g} s"
        raise PredAwareError(f"{path} --version: {reason}") from error
    said = done.stdout.decode(errors="replace")
    match = _VERSION.search(said)
    if match is None or done.returncode:
        line = (said.strip().splitlines() or ["(nothing)"])[-1]
        raise PredAwareError(
            f"{path} --version prints no version: {line!r}, exit code {done.returncode}"
        )
    return match[1]


def major(version: str) -> int:
    """Return the first number of a version, which determines its protocol."""
    return int(version.partition(".")[0])
