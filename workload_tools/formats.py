"""The formats of job logs that can be read, found by entry point."""

import codecs
import functools
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from workload_tools.errors import InputError, LogError
from workload_tools.hints import did_you_mean
from workload_tools.job import Job
from workload_tools.known_log import KnownMachine, WithoutHiddenUser
from workload_tools.log import Log, files_of
from workload_tools.log_lines import unpacked
from workload_tools.missing_walltime import MissingWalltime, WithWalltimes
from workload_tools.printable import in_json
from workload_tools.reader_options import (
    HIDDEN_USER,
    OF_EVERY_FORMAT,
    check_options,
    option_names,
)
from workload_tools.time_zone import zone_of
from workload_tools.unknown import seen_in

GROUP = "pred_aware.logs"
"""The group of entry points by which another package can add a format."""

HEAD_SIZE = 1 << 16

_WORKLOAD = "batsim"
_ALIASES = {"csv": "table", "json": "slurm", "parquet": "table", "sacct": "slurm"}
"""What people call formats that have other names here."""
_NONE = "this installation has none; install it again, such as by `pip install -e .`"


class Format(Protocol):
    """A class that reads logs of one format."""

    def __call__(self, path: str | Path, **options: Any) -> Log:  # noqa: ANN401 - as the format has
        """Make a log that is not read yet."""
        ...

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether a file looks like this format.

        Parameters
        ----------
        path
            The file or folder.
        head
            Its first 64 KiB, unpacked; of a folder, those of its first file by name.
        """
        ...


def open_log(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    options: Mapping[str, Any] | None = None,
    processors: int | None = None,
    time_zone: str | None = None,
) -> Log:
    """Open a log of any format that is known.

    Parameters
    ----------
    path
        A file, gzip or not, or a folder where the format has one.
    format
        The format's name; by default the one that recognises the file's beginning.
    options
        Of the format's class, and two that every format has. `hidden_user` is a user whose name
        stands for hidden users: these jobs have no user. `missing_walltime` is what becomes of jobs
        without a walltime, see `workload_tools.missing_walltime.WithWalltimes`. Unless it is there
        the log comes as it is; ``None`` is what all conversions do by default, but that a Batsim
        workload, which is converted already, stays as it is.
    processors, time_zone
        The machine's, where the log does not tell or somebody knows better: an IANA name, in which
        dates without a zone are read, too.

    Returns
    -------
    Log
        Of which nothing was read yet.

    Raises
    ------
    LogError
        The file can't be read, the format is unknown or can't be told, has no such option, or the
        option no such value.
    """
    path = Path(path)
    points = formats()
    name = _told(path, options or {}) if format is None else format
    if not isinstance(name, str):
        raise LogError(path, f"the format is {in_json(name)}; it must be a text")
    if name not in points:
        hint = did_you_mean(name, sorted(points)) if points else _NONE
        alias = f"did you mean '{_ALIASES[name]}'? " if name in _ALIASES else ""
        raise LogError(path, f"unknown format '{name}': {alias}{hint}")
    reader = reader_of(path, points[name])
    own = {**_of_machine(reader, path, processors, time_zone), **(options or {})}
    try:
        check_options(reader, own)
    except ValueError as error:
        raise LogError(path, f"format '{name}': {error}") from error
    missing: MissingWalltime | None = own.pop(OF_EVERY_FORMAT, "keep")
    hidden = own.pop(HIDDEN_USER, None)
    try:
        log = reader(path, **own)
    except TypeError as error:
        raise LogError(path, f"format '{name}': {error}") from error
    except InputError:
        raise
    except Exception as error:
        if _is_ours(reader):
            raise
        raise _failed(path, name, error) from error
    if not _is_ours(reader):
        log = _Guarded(log, path, name)
    if processors is not None or time_zone is not None:
        log = KnownMachine(log, processors=processors, time_zone=time_zone)
    if missing != "keep" and not (missing is None and name == _WORKLOAD):
        log = WithWalltimes(log, missing_walltime=missing, path=path)
    return log if hidden is None else WithoutHiddenUser(log, str(hidden))


class _Guarded:
    """A log that somebody else's reader reads, which is named when it fails."""

    def __init__(self, log: Log, path: Path, name: str) -> None:
        self.report, self.machine = log.report, log.machine
        self._log = log
        self._path = path
        self._name = name

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs by submission."""
        try:
            for job in self._log.jobs():
                self._look()
                yield job
        except InputError:
            raise
        except Exception as error:
            raise _failed(self._path, self._name, error) from error
        self._look()

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self._log)

    def _look(self) -> None:
        """Take over what the log may have made anew."""
        self.report, self.machine = self._log.report, self._log.machine


class _ReaderError(LogError):
    """A reader that can't be loaded, or somebody else's that fails."""


def _failed(path: Path, name: str, error: Exception) -> LogError:
    words = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    return _ReaderError(path, f"the reader of the format '{name}' failed: {words}")


def reader_of(path: Path, point: EntryPoint) -> Format:
    """Return the class that an entry point of `formats` stands for.

    Raises
    ------
    LogError
        It can't be loaded; `path` is what was to be read.
    """
    try:
        reader: Format = point.load()
    except Exception as error:
        raise _failed(path, point.name, error) from error
    return reader


def _is_ours(reader: Format) -> bool:
    return reader.__module__.startswith(f"{__package__}.")


def _recognises(path: Path, head: bytes, point: EntryPoint) -> bool:
    reader = reader_of(path, point)
    try:
        return reader.recognises(path, head)
    except Exception as error:
        if _is_ours(reader):
            raise
        raise _failed(path, point.name, error) from error


def _of_machine(
    reader: Format, path: Path, processors: int | None, time_zone: str | None
) -> dict[str, Any]:
    """Return what is known of the machine as options, as far as the reader has such."""
    if time_zone is not None:
        zone_of(time_zone, path)  # says so if there is none of that name
    known = {"machine_processors": processors, "time_zone": time_zone}
    names = option_names(reader)
    return {name: known[name] for name in known if name in names and known[name] is not None}


@functools.cache
def formats() -> Mapping[str, EntryPoint]:
    """Return what can be read, by name.

    Looked up once in a process, as `predictors.registry.installed` does.
    """
    return MappingProxyType({point.name: point for point in entry_points(group=GROUP)})


def recognised(path: Path) -> list[str]:
    """Return the names of the formats that a file or folder looks like, mostly one.

    A reader that can't be loaded is passed over, so that logs of other formats are read.

    Raises
    ------
    LogError
        It can't be read.
    """
    return _asked(path)[0]


def _asked(path: Path) -> tuple[list[str], list[str]]:
    """Return the formats that it looks like, and what is wrong with readers that can't say so."""
    head = _head(path)
    found, broken = [], []
    for name, point in sorted(formats().items()):
        try:
            if _recognises(path, head, point):
                found.append(name)
        except _ReaderError as error:
            broken.append(str(error).removeprefix(f"{path}: "))
    return found, broken


def _told(path: Path, options: Mapping[str, Any]) -> str:
    """Return the format that a file looks like; a table where none is, but a map is given."""
    found, broken = _asked(path)
    return "table" if not found and options.get("map") else _only(path, found, broken)


def _only(path: Path, found: list[str], broken: list[str]) -> str:
    if len(found) == 1:
        return found[0]
    if found:
        seen = f"looks like {' and '.join(found)}"
    else:
        head = _head(path)
        if not head.strip():
            raise LogError(path, "is empty; was its export stopped?")
        seen = "; ".join((seen_in(head), *broken))
    known = ", ".join(sorted(formats()))
    raise LogError(
        path, f"{seen}; name the format, one of {known}" if known else f"{seen}; {_NONE}"
    )


def _head(path: Path) -> bytes:
    """Return how a file, or the first file of a folder, begins, unpacked."""
    try:
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.is_file())
            if not files:
                raise LogError(path, "is an empty folder")
            path = files[0]
        with unpacked(path) as file:
            return file.read(HEAD_SIZE).removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise LogError(path, f"can't be read: {error.strerror or error}") from error
