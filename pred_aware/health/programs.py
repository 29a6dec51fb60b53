"""Batsim and batsched: found or not, which version, and whether their libraries are there."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from subprocess import STDOUT, TimeoutExpired

from pred_aware.process_group import run_group
from pred_aware.report.finding import Finding

VERSION_PATIENCE = 10.0
"""How long a program may take to tell its version, in seconds."""

_VERSION = re.compile(r"\bv?(\d+)\.(\d+)(?:\.(\d+))?\b")
_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ExternalProgram:
    """A program that need not be there."""

    name: str
    """What it is called in messages."""
    command: str
    """What it is called on the command line."""
    known: str
    """The version with which everything was compared."""
    packaged: str
    """The version that Nix has; see nix/README.md."""
    option: str
    """The option of `doctor` that names another one."""
    instead: str
    """What does as well."""


BATSIM = ExternalProgram(
    "Batsim",
    "batsim",
    "4.2.1",
    "4.2.0, of the same protocol",
    "--batsim",
    "the built-in simulator gives the same schedules (--delays batsim)",
)
BATSCHED = ExternalProgram(
    "batsched",
    "batsched",
    "1.4.0",
    "1.4.0",
    "--batsched",
    "easy_bf, conservative_bf and filler here decide as its own do",
)


def locate(program: ExternalProgram, given: Path | None) -> Path | None:
    """Find a program: the one that was given, or the one on the PATH."""
    if given is None:
        found = shutil.which(program.command)
    else:
        # a program in this folder needs no ./ before its name
        found = shutil.which(given.absolute()) or shutil.which(given)
    return None if found is None else Path(found)


def absent(program: ExternalProgram, given: Path | None) -> Finding:
    """Say that a program was not found."""
    if given is not None:
        return Finding(
            state="absent",
            subject=program.name,
            found=f"{given}: there is no such program",
            advice=f"give {program.option} the name of a file that can be executed",
        )
    return Finding(
        state="absent",
        subject=program.name,
        found=f"no {program.command} on the PATH",
        advice=f"nothing, unless you want it: {program.instead}; `nix-shell nix`, in the clone, "
        f"has it, and {program.option} PROGRAM names one that is elsewhere",
        needed=False,
    )


def examine(program: ExternalProgram, path: Path, *, needed: bool) -> Finding:
    """Ask a program for its version, and look whether its libraries are there.

    Parameters
    ----------
    program
        What it should be.
    path
        Where it is.
    needed
        Whether the user asked for it.
    """
    missing = missing_libraries(path)
    if missing:
        return Finding(
            state="wrong",
            subject=program.name,
            found=f"{path} misses the shared libraries {', '.join(missing)}",
            advice="install them, or put their folders into LD_LIBRARY_PATH",
            needed=needed,
        )
    try:
        done = run_group([str(path), "--version"], stderr=STDOUT, timeout=VERSION_PATIENCE)
    except (OSError, TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or f"silent for {VERSION_PATIENCE:g} s"
        return Finding(
            state="wrong",
            subject=program.name,
            found=f"{path} --version: {reason}",
            advice=f"give another one with {program.option}",
            needed=needed,
        )
    said = done.stdout.decode(errors="replace")
    lines = said.strip().splitlines() or ["(nothing)"]
    told = _VERSION.search(said)
    if told is None or done.returncode:
        return Finding(
            state="wrong",
            subject=program.name,
            found=f"{path} --version tells no version: {lines[-1]!r}, exit code {done.returncode}",
            advice=f"give another one with {program.option}",
            needed=needed,
        )
    return _judged(program, path, told, needed=needed)


def _judged(program: ExternalProgram, path: Path, told: re.Match[str], *, needed: bool) -> Finding:
    text = ".".join(part for part in told.groups() if part is not None)
    found = f"{text} ({path})"
    if text == program.known:
        return Finding(state="ok", subject=program.name, found=found, needed=needed)
    if told[1] == program.known.partition(".")[0]:
        return Finding(
            state="note",
            subject=program.name,
            found=found,
            advice=f"nothing, if the run below is well; it was compared with {program.known} only",
            needed=needed,
        )
    major = program.known.partition(".")[0]
    newer = (
        "; docs/explanation/batsim5.md says what is missing for newer ones"
        if int(told[1]) > int(major)
        else ""
    )
    return Finding(
        state="wrong",
        subject=program.name,
        found=f"{found}; it must be {program.known}, or another {major}.x: others differ in what "
        "they say and understand",
        advice=f"`nix-shell nix`, in the clone, has {program.packaged}{newer}",
        needed=needed,
    )


def missing_libraries(path: Path) -> list[str]:
    """Return the shared libraries that a binary needs and that are not found, as ``ldd`` says.

    A script needs none; where there is no ``ldd``, none are known to be missing.
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        return []
    try:
        done = run_group([ldd, str(path)], timeout=VERSION_PATIENCE)
    except (OSError, TimeoutExpired):
        return []
    return _MISSING.findall(done.stdout.decode(errors="replace"))
