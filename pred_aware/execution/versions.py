"""The version of somebody else's program, as the program tells it."""

import re
from pathlib import Path
from subprocess import STDOUT, TimeoutExpired

from pred_aware.errors import PredAwareError
from pred_aware.process_group import run_group

VERSION_PATIENCE = 10.0
"""How long a program may take to tell its version, in seconds."""

_VERSION = re.compile(r"\bv?(\d+\.\d+(?:\.\d+)?(?:-rc\d+)?)")


def version_of(path: Path) -> str:
    """Return the version that a program tells with ``--version``, such as ``5.0.0-rc2``.

    Raises
    ------
    PredAwareError
        It cannot be started, is silent, or tells none.
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
            f"{path} --version tells no version: {line!r}, exit code {done.returncode}"
        )
    return told[1]


def major(version: str) -> int:
    """Return the first number of a version, on which its protocol depends."""
    return int(version.partition(".")[0])
