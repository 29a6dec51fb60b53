"""Compiled code of some sources: whether it pays, where numba keeps it, and who compiles it."""

import hashlib
import logging
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path

VARIABLE = "PRED_AWARE_ENGINE"
"""In the environment: ``python`` or ``arrays``, for who looks for a mistake; else it is chosen."""
PYTHON, ARRAYS = "python", "arrays"

_OF_KIND = frozenset(
    ("vendor_id", "cpu family", "model", "flags", "CPU implementer", "CPU part", "Features", "cpu")
)
"""Of the lines that Linux tells of a processor, on x86, ARM and POWER."""

UNUSABLE = (ImportError, AttributeError, OSError, RuntimeError)
"""What loading raises where numba is for another NumPy, of another version, or half installed."""

_logger = logging.getLogger(__name__)
_runs = 1


@contextmanager
def expecting(runs: int) -> Iterator[None]:
    """Let what is done meanwhile count as often as this process is going to do the like.

    Parameters
    ----------
    runs
        How many simulations it is going to make, with that one.
    """
    global _runs  # noqa: PLW0603 - of this process, as what is compiled is
    before, _runs = _runs, max(runs, 1)
    try:
        yield
    finally:
        _runs = before


class CompiledCode:
    """Compiled code of some sources in this process: whether it pays, and where it is kept.

    It pays by what was done without it, and by what is to come as far as that is known.

    Parameters
    ----------
    name
        What is compiled, the name of its folder.
    sources
        Its files, and those that its constants are from.
    environment
        Variables, such as those of the process.
    libraries
        By whose versions it differs, beside Python's and numba's.
    """

    def __init__(
        self,
        name: str,
        sources: Callable[[], Iterable[Path]],
        environment: Mapping[str, str],
        *,
        libraries: Sequence[str] = (),
    ) -> None:
        self._name = name
        self._sources = sources
        self._environment = environment
        self._libraries = libraries
        self._without = 0.0

    def of(self, environment: Mapping[str, str]) -> "CompiledCode":
        """Return the same with other variables, of which nothing was done yet."""
        return CompiledCode(self._name, self._sources, environment, libraries=self._libraries)

    @property
    def forbidden(self) -> bool:
        """Whether somebody looks for a mistake without it."""
        return self._environment.get(VARIABLE) == PYTHON

    @property
    def wanted(self) -> bool:
        """Whether it is taken, pay or not."""
        return self._environment.get(VARIABLE) == ARRAYS

    def pays(self, amount: float, *, least: float) -> bool:
        """Count what takes so much without, and say whether it pays, as it does from `least` on."""
        self._without += amount
        return self.wanted or self._without + amount * (_runs - 1) >= least

    def is_there(self, *parts: str) -> bool:
        """Say whether somebody has compiled it, or these parts of it."""
        mark = self._mark(*parts)
        return mark is not None and mark.exists()

    def load(
        self, modules: Sequence[str], compile_all: Callable[[], str], *parts: str, without: str
    ) -> str | None:
        """Import modules, and compile them if nobody has.

        Parameters
        ----------
        modules
            Their names.
        compile_all
            Compiles, and returns what is to be known of it later.
        parts
            Of what is compiled, if that is not all.
        without
            What takes longer where numba can't be loaded.

        Returns
        -------
        str or None
            What was known when it was compiled; ``None`` where it can't be loaded or kept.
        """
        mark = self._mark(*parts)
        if mark is None:
            return None
        try:
            for module in modules:
                import_module(module)
            return compiled_once(mark, compile_all)
        except UNUSABLE as error:
            why = str(error).partition("\n")[0]
            _logger.warning("numba can't be loaded, %s take longer: %s", without, why)
            return None

    @cached_property
    def folder(self) -> Path | None:
        """Where it is kept; ``None`` where nothing can be, or there is no numba."""
        if find_spec("numba") is None:
            return None
        return cache_folder(self._name, self._sources(), self._environment)

    def _mark(self, *parts: str) -> Path | None:
        """Return the file that is there once it is compiled; ``None`` where it can't be."""
        if self.folder is None:
            return None
        libraries = (f"{name}-{version(name)}" for name in self._libraries)
        return self.folder / "-".join([*parts, made_for(), *libraries])


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
        for one in reversed((folder, *folder.parents)):
            one.mkdir(mode=0o700, exist_ok=True)
        writer = _other_writer(folder, base)
    except (OSError, RuntimeError):
        return None
    if writer is not None:
        _logger.warning(
            "%s. Compiled code is not loaded from there, so all takes longer. Remove that folder, "
            "or name another one in XDG_CACHE_HOME.", writer,
        )  # fmt: skip
        return None
    return folder if os.access(folder, os.W_OK) else None


def _other_writer(folder: Path, base: Path) -> str | None:
    """Say which folder, from one up to the user's cache, another user can write to, if any.

    numba's files are unpickled: who writes them runs code as this user.
    """
    ours = os.geteuid()
    for one in (folder, *folder.parents):
        found = one.stat()
        if found.st_uid not in {ours, 0 if one != folder else ours}:
            return f"{one} belongs to another user (number {found.st_uid})"
        others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if one == base and found.st_gid == found.st_uid:
            # a group of one user
            others &= ~stat.S_IWGRP
        if others and found.st_uid == ours and one not in {folder, base}:
            # ours, and nothing is loaded from it; a generous umask has made it
            one.chmod(stat.S_IMODE(found.st_mode) & ~others)
        elif others and (one == folder or not found.st_mode & stat.S_ISVTX):
            return f"{one} can be written by other users"
        if one == base:
            break
    return None


def made_for() -> str:
    """Return what compiled code is for, for the names of files: Python, numba and processor.

    A home is often shared by machines of several kinds, and numba compiles for each of them.
    """
    return f"{sys.implementation.cache_tag}-numba-{version('numba')}-{processor_kind()}"


def processor_kind(told: Path = Path("/proc/cpuinfo")) -> str:
    """Return what differs between kinds of processors, where Linux tells it; not their clocks."""
    try:
        with told.open(encoding="utf-8") as file:
            lines = list(takewhile(str.strip, file))
    except OSError:
        return os.uname().machine
    kept = [line for line in lines if line.split(":")[0].strip() in _OF_KIND]
    return f"{os.uname().machine}-{hashlib.sha256(''.join(kept).encode()).hexdigest()[:8]}"


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

    if (said := _said(mark)) is None:
        with (mark.parent / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if (said := _said(mark)) is None:
                said = compile_all()
                mark.write_text(f"{said}\n")
    return said


def _said(mark: Path) -> str | None:
    """Return what a file says, ``None`` where it is missing or cut."""
    if not mark.exists():
        return None
    said = mark.read_text(errors="replace")
    if said.endswith("\n") and said.isascii():
        return said.removesuffix("\n")
    _logger.warning("%s is damaged, and is written again", mark)
    return None
