"""Where numba keeps what it compiled of some sources, once for each user and version."""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path


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


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process is in this block."""
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
