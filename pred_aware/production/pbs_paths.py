"""Paths of a PBS server's files and programs."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.process_group import run_group
from pred_aware.production.errors import FeedError

CONFIGURATION = "/etc/pbs.conf"
USUAL_HOME = Path("/var/spool/pbs")


@dataclass(frozen=True, slots=True)
class PbsPaths:
    """Paths of a PBS server's files and programs."""

    home: Path = USUAL_HOME
    """The server's ``PBS_HOME``."""
    programs: Path | None = None
    """Folder of the server's programs; None if unknown."""

    @property
    def accounting(self) -> Path:
        """The folder of accounting files."""
        return self.home / "server_priv" / "accounting"


def pbs_paths() -> PbsPaths | None:
    """Read PBS's configuration file: ``PBS_CONF_FILE``, or by default /etc/pbs.conf.

    Returns
    -------
    PbsPaths or None
        None if the file does not exist, so there is no PBS.

    Raises
    ------
    PredAwareError
        The file cannot be read.
    """
    path = Path(os.environ.get("PBS_CONF_FILE") or CONFIGURATION)
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PredAwareError(f"{path}: cannot be read: {error.strerror}") from error
    settings = dict(line.strip().split("=", 1) for line in lines if "=" in line)
    programs = settings.get("PBS_EXEC")
    return PbsPaths(
        home=Path(settings.get("PBS_HOME", USUAL_HOME)),
        programs=Path(programs) / "bin" if programs else None,
    )


LONGEST = 30.0
"""Time limit of PBS's programs, in seconds."""


def program(name: str, folder: Path | None = None) -> str:
    """Return the path of one of PBS's programs.

    Parameters
    ----------
    name
        Name of the program.
    folder
        Folder to search before the ``PATH``.

    Raises
    ------
    PredAwareError
        The program is not found.
    """
    found = None if folder is None else shutil.which(name, path=str(folder))
    found = found or shutil.which(name)
    if found is None:
        raise PredAwareError(f"{name} is missing: run this on a machine with PBS's commands")
    return found


def output(command: list[str], *, any_code: bool = False, standard_input: bytes = b"") -> bytes:
    """Return the standard output of a program.

    Parameters
    ----------
    command
        The program and its arguments.
    any_code
        True to accept any exit code.
    standard_input
        Standard input.

    Raises
    ------
    FeedError
        The program cannot be run, fails, or takes too long.
    """
    name = Path(command[0]).name
    try:
        ended = run_group(command, standard_input=standard_input, timeout=LONGEST)
    except OSError as error:
        raise FeedError(f"{name}: cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise FeedError(f"{name}: no answer within {LONGEST:g} s") from error
    if ended.returncode and not any_code:
        words = " ".join(ended.stderr.decode(errors="replace").split())[:200]
        raise FeedError(f"{name}: failed with exit code {ended.returncode}: {words}")
    return ended.stdout
