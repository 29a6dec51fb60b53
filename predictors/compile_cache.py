"""Compiled code of some sources: who wants it, where numba keeps it, and who compiles it."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

VARIABLE = "PRED_AWARE_ENGINE"
"""In the environment: ``python`` or ``arrays``, for who looks for a mistake; else it is chosen."""
PYTHON, ARRAYS = "python", "arrays"

UNUSABLE = (ImportError, AttributeError, OSError)
"""What loading raises where numba is for another NumPy, or half installed."""


def cache_folder(name: str, sources: Iterable[Path], environment: Mapping[str, str]) -> Path | None:
    """Make the folder for what is compiled of some sources; ``None`` where that can't be.

    Parameters
    ----------
    name
        What is compiled, the folder's name below ``pred-aware`` in the user's cache.
    sources
        The files, in an order that stays the same.
    environment
        Variables, such as those of the process.
    """
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    home = environment.get("XDG_CACHE_HOME", "")
    try:
        base = Path(home) if Path(home).is_absolute() else Path.home() / ".cache"
        folder = base / "pred-aware" / name / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def python_and_numba() -> str:
    """Return what compiled code is for, for the names of files."""
    return f"{sys.implementation.cache_tag}-numba-{version('numba')}"


@contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Let numba keep there what is declared meanwhile, and all else where it did."""
    from numba import config

    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def compiled_once(mark: Path, compile_all: Callable[[], str]) -> str:
    """Return what a file says that is there when all is compiled: one process does, others wait.

    Parameters
    ----------
    mark
        The file, in the folder of `cache_folder`.
    compile_all
        Compiles, and returns what the file is to say.
    """
    import fcntl

    if not mark.exists():
        with (mark.parent / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not mark.exists():
                mark.write_text(compile_all())
    return mark.read_text()
