"""Running PBS's own programs."""

import shutil
import subprocess
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.production.errors import FeedError

LONGEST = 30.0
"""How many seconds PBS's programs may take."""


def program(name: str, folder: Path | None = None) -> str:
    """Return where one of PBS's programs is.

    Parameters
    ----------
    name
        The program.
    folder
        Where it is looked for before the ``PATH``.

    Raises
    ------
    PredAwareError
        There is none.
    """
    found = None if folder is None else shutil.which(name, path=str(folder))
    found = found or shutil.which(name)
    if found is None:
        raise PredAwareError(f"there is no {name} here: run this on a machine with PBS's commands")
    return found


def output(command: list[str], *, any_code: bool = False, told: bytes = b"") -> bytes:
    """Return what a program writes.

    Parameters
    ----------
    command
        The program and its arguments.
    any_code
        Whether an exit code other than 0 is no failure.
    told
        What it reads.

    Raises
    ------
    FeedError
        It can't be run, fails, or takes too long.
    """
    name = Path(command[0]).name
    try:
        ended = subprocess.run(  # noqa: S603 - PBS's own program
            command, input=told, capture_output=True, timeout=LONGEST, check=False
        )
    except OSError as error:
        raise FeedError(f"{name}: can't be run: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise FeedError(f"{name}: no answer within {LONGEST:g} s") from error
    if ended.returncode and not any_code:
        words = " ".join(ended.stderr.decode(errors="replace").split())[:200]
        raise FeedError(f"{name}: failed with exit code {ended.returncode}: {words}")
    return ended.stdout
