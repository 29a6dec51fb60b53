"""The version of an external program, from its output."""

import re
from pathlib import Path
from subprocess import STDOUT, TimeoutExpired

from pred_aware.errors import PredAwareError
from pred_aware.process_group import run_group

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
    told = _VERSION.search(said)
    if told is None or done.returncode:
        line = (said.strip().splitlines() or ["(nothing)"])[-1]
        raise PredAwareError(
            f"{path} --version prints no version: {line!r}, exit code {done.returncode}"
        )
    return told[1]


def major(version: str) -> int:
    """Return the first number of a version, which determines its protocol."""
    return int(version.partition(".")[0])
