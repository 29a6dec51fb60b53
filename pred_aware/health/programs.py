"""Batsim and batsched: their presence, versions and shared libraries."""

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
    """An optional program."""

    name: str
    """Name in messages."""
    command: str
    """Name of the command."""
    known: str
    """The version with which all comparisons were made."""
    packaged: str
    """The version in Nix; see nix/README.md."""
    option: str
    """The option of `doctor` that gives another path."""
    instead: str
    """What can be used instead."""
    untried: str = ""
    """Prefix of versions that should also work, but were not tried."""


BATSIM = ExternalProgram(
    "Batsim",
    "batsim",
    "4.2.1",
    "4.2.0, of the same protocol",
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
    """Return the path of a program: the given one, or the one on the PATH."""
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
        advice=f"nothing, unless you want it: {program.instead}; `nix-shell nix`, in the clone, "
        f"has it, and {program.option} PROGRAM gives the path of another",
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
        True if the user gave the program.
    """
    missing = missing_libraries(path)
    if missing:
        return Finding(
            state="wrong",
            subject=program.name,
            found=f"{path} lacks the shared libraries {', '.join(missing)}",
            advice="install them, or add their folders to LD_LIBRARY_PATH",
            needed=needed,
        )
    try:
        version = version_of(path)
    except PredAwareError as error:
        return Finding(
            state="wrong",
            subject=program.name,
            found=str(error),
            advice=f"give another one with {program.option}",
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
            advice="nothing, if the run below succeeds; comparisons were made only with "
            f"{program.known}",
            needed=needed,
        )
    if version.startswith(program.untried or " "):
        return Finding(
            state="note",
            subject=program.name,
            found=f"{found}, with the protocol of Batsim 5",
            advice="nothing, if the run below succeeds: no real Batsim 5 was tried, only its "
            "protocol with pybatsim 4.0.0b0, and files of 5.0.0-rc0; use 5.0.0-rc2 or later",
            needed=needed,
        )
    return Finding(
        state="wrong",
        subject=program.name,
        found=f"{found}; it must be {program.known}, or another {major(program.known)}.x: other "
        "versions use other messages",
        advice=f"`nix-shell nix`, in the clone, has {program.packaged}",
        needed=needed,
    )


def missing_libraries(path: Path) -> list[str]:
    """Return the missing shared libraries of a binary, according to ``ldd``.

    A script needs none; without ``ldd``, none are known to be missing.
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        return []
    try:
        done = run_group([ldd, str(path)], timeout=VERSION_PATIENCE)
    except (OSError, TimeoutExpired):
        return []
    return _MISSING.findall(done.stdout.decode(errors="replace"))
