"""Check Batsim and batsched: presence, version and shared libraries."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from subprocess import TimeoutExpired

from pred_aware.errors import PredAwareError
from pred_aware.execution.pybatsim import VERSION_PATIENCE, major, version_of
from pred_aware.process_group import run_group
from pred_aware.report.finding import Finding

_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ExternalProgram:
    """A program that pred-aware can use, but does not need."""

    name: str
    """The program's name in messages."""
    command: str
    """The command that starts the program."""
    known: str
    """The version with which pred-aware was compared."""
    packaged: str
    """The version in Nix; see nix/README.md."""
    option: str
    """The option of `doctor` that gives another path."""
    instead: str
    """A sentence on what pred-aware has instead of the program."""
    untried: str = ""
    """The beginning of version numbers that should also work, but were not tested."""


BATSIM = ExternalProgram(
    "Batsim",
    "batsim",
    "4.2.1",
    "4.2.0, which has the same protocol",
    "--batsim",
    "the built-in simulator gives the same schedules (--delays batsim)",
    untried="5.",
)
BATSCHED = ExternalProgram(
    "batsched",
    "batsched",
    "1.4.0",
    "1.4.0",
    "--batsched",
    "pred-aware's easy_bf, conservative_bf and filler decide like batsched's",
)


def locate(program: ExternalProgram, given: Path | None) -> Path | None:
    """Return the path of a program: the given path, or the path found on the PATH."""
    if given is None:
        found = shutil.which(program.command)
    else:
        # a program in the current folder needs no ./ prefix
        found = shutil.which(given.absolute()) or shutil.which(given)
    return None if found is None else Path(found)


def absent(program: ExternalProgram, given: Path | None) -> Finding:
    """Return the finding for a program that was not found."""
    if given is not None:
        return Finding(
            state="absent",
            subject=program.name,
            found=f"{given}: this program does not exist",
            advice=f"give {program.option} the path of an executable file",
        )
    return Finding(
        state="absent",
        subject=program.name,
        found=f"no {program.command} on the PATH",
        advice=f"nothing is necessary: {program.instead}. If you need {program.name}: `nix-shell "
        f"nix` in the clone has it, or give its path with {program.option} PROGRAM",
        needed=False,
    )


def examine(program: ExternalProgram, path: Path, *, needed: bool) -> Finding:
    """Check a program's version and its shared libraries.

    Parameters
    ----------
    program
        The expected program.
    path
        Path of the program.
    needed
        True if the user named the program in an option.
    """
    missing = missing_libraries(path)
    if missing:
        return Finding(
            state="wrong",
            subject=program.name,
            found=f"{path} lacks the shared libraries {', '.join(missing)}",
            advice="install these libraries, or add their folders to LD_LIBRARY_PATH",
            needed=needed,
        )
    try:
        version = version_of(path)
    except PredAwareError as error:
        return Finding(
            state="wrong",
            subject=program.name,
            found=str(error),
            advice=f"give another program with {program.option}",
            needed=needed,
        )
    return _judged(program, path, version, needed=needed)


def _judged(program: ExternalProgram, path: Path, version: str, *, needed: bool) -> Finding:
    found = f"{version} ({path})"
    if version == program.known:
        return Finding(state="ok", subject=program.name, found=found, needed=needed)
    if major(version) == major(program.known):
        return Finding(
            state="note",
            subject=program.name,
            found=found,
            advice="nothing, if the run below succeeds; pred-aware was compared only with "
            f"{program.known}",
            needed=needed,
        )
    if version.startswith(program.untried or " "):
        return Finding(
            state="note",
            subject=program.name,
            found=f"{found}, with the protocol of Batsim 5",
            advice="nothing, if the run below succeeds. pred-aware was not tested with a real "
            "Batsim 5, only with its protocol in pybatsim 4.0.0b0 and with files of 5.0.0-rc0; use "
            "5.0.0-rc2 or later",
            needed=needed,
        )
    return Finding(
        state="wrong",
        subject=program.name,
        found=f"{found}; it must be {program.known}, or another {major(program.known)}.x, because "
        "other versions use other messages",
        advice=f"`nix-shell nix` in the clone has {program.packaged}",
        needed=needed,
    )


def missing_libraries(path: Path) -> list[str]:
    """Return the missing shared libraries of a binary, according to ``ldd``.

    The list is empty for a script, and if the program ``ldd`` does not exist.
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        return []
    try:
        done = run_group([ldd, str(path)], timeout=VERSION_PATIENCE)
    except (OSError, TimeoutExpired):
        return []
    return _MISSING.findall(done.stdout.decode(errors="replace"))
