"""Run all checks, and check ports, folders and sockets of this machine."""

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from pred_aware.execution.children import LONGEST_SOCKET
from pred_aware.health.installation import check_core, check_packages, check_python, check_version
from pred_aware.health.programs import BATSCHED, BATSIM, ExternalProgram, absent, examine, locate
from pred_aware.health.trials import trials
from pred_aware.report.finding import Finding

# as long as the path of a run's socket within the folder for temporary files
_SOCKET = "pred-aware-12345678/decisions"


def check_port(port: int) -> Finding:
    """Check that a decision process can listen on a port of this machine."""
    subject = f"port {port}"
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            return Finding(
                state="note",
                subject=subject,
                found=f"cannot be used: {error.strerror}",
                advice="end the pybatsim or batsched that still uses the port (`ss -ltnp` shows "
                "it), or give both programs another address with -s; `run --batsim` needs no port",
                needed=False,
            )
    return Finding(state="ok", subject=subject, found="free", needed=False)


def check_folder(folder: Path) -> Finding:
    """Check that files can be written in a folder."""
    subject = f"writing to {folder.absolute()}"
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".pred-aware-") as file:
            file.write(bytes(1 << 16))
            file.flush()
    except OSError as error:
        return Finding(
            state="wrong",
            subject=subject,
            found=f"is not possible: {error.strerror}",
            advice="change to another folder, or give `run` another folder with -e",
        )
    return Finding(state="ok", subject=subject, found="possible")


def check_sockets(folder: Path | None = None) -> Finding:
    """Check that Unix sockets can be created in the folder for temporary files."""
    subject = "sockets"
    folder = Path(tempfile.gettempdir()) if folder is None else folder
    length = len(os.fsencode(folder / _SOCKET))
    if length > LONGEST_SOCKET:
        return Finding(
            state="wrong",
            subject=subject,
            found=f"{folder} is too long: paths of sockets in this folder have {length} "
            f"characters, but may have only {LONGEST_SOCKET}",
            advice="set TMPDIR to a shorter path, such as /tmp",
        )
    try:
        with (
            tempfile.TemporaryDirectory(dir=folder, prefix="pred-aware-") as inside,
            socket.socket(socket.AF_UNIX) as listener,
        ):
            listener.bind(f"{inside}/socket")
    except OSError as error:
        return Finding(
            state="wrong",
            subject=subject,
            found=f"cannot be created in {folder}: {error.strerror}",
            advice="set TMPDIR to a folder on a disk of this machine, such as /tmp",
        )
    return Finding(state="ok", subject=subject, found=f"in {folder}")


def examine_all(
    *,
    batsim: Path | None = None,
    batsched: Path | None = None,
    folder: Path = Path(),
    port: int = 28000,
    timeout: float = 30.0,
) -> Iterator[Finding]:
    """Run all checks.

    Parameters
    ----------
    batsim, batsched
        The programs; by default the programs on the PATH, which are not required.
    folder
        Folder for output files.
    port
        Port where decision processes listen.
    timeout
        Longest wait for an answer in a trial run, in seconds.
    """
    yield check_python()
    yield check_version()
    yield check_core()
    packages = list(check_packages())
    yield from packages
    yield check_folder(folder)
    sockets = check_sockets()
    yield sockets
    yield check_port(port)
    programs: list[tuple[ExternalProgram, Path, Finding]] = []
    for program, given in ((BATSIM, batsim), (BATSCHED, batsched)):
        path = locate(program, given)
        if path is None:
            yield absent(program, given)
            continue
        finding = examine(program, path, needed=given is not None)
        yield finding
        programs.append((program, path, finding))
    if any(finding.must_be_mended for finding in (*packages, sockets)):
        yield Finding(
            state="note",
            subject="runs of ten jobs",
            found="not tried",
            advice="first correct the problems above, then run `pred-aware doctor` again",
            needed=False,
        )
        return
    with trials(timeout) as trial:
        yield trial.in_one_process()
        if find_spec("pybatsim") is not None:
            yield trial.with_pybatsim()
        tries: dict[ExternalProgram, Callable[..., Finding]] = {
            BATSIM: trial.with_batsim,
            BATSCHED: trial.with_batsched,
        }
        for program, path, finding in programs:
            # a program with another protocol would not answer until the time limit
            if finding.state != "wrong":
                yield tries[program](path, needed=finding.needed)
