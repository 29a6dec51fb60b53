"""Batsim and batsched: found or not, which version, and whether their libraries are there."""

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
    untried: str = ""
    """How the versions begin that should do, too, but were not tried."""


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
            advice=f"nothing, if the run below is well; it was compared with {program.known} only",
            needed=needed,
        )
    if version.startswith(program.untried or " "):
        return Finding(
            state="note",
            subject=program.name,
            found=f"{found}, with the protocol of Batsim 5",
            advice="nothing, if the run below is well: no real Batsim 5 was tried, only its "
            "protocol with pybatsim 4.0.0b0, and files of 5.0.0-rc0; take 5.0.0-rc2 or later",
            needed=needed,
        )
    return Finding(
        state="wrong",
        subject=program.name,
        found=f"{found}; it must be {program.known}, or another {major(program.known)}.x: others "
        "differ in what they say and understand",
        advice=f"`nix-shell nix`, in the clone, has {program.packaged}",
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
