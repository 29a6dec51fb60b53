"""The formats of job logs, which packages register as entry points."""

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
from workload_tools.reader_options import HIDDEN_USER, OF_EVERY_FORMAT, check_options, option_names
from workload_tools.time_zone import zone_of
from workload_tools.unknown import seen_in

GROUP = "pred_aware.logs"
"""The entry point group in which this package and other packages register formats."""

HEAD_SIZE = 1 << 16

_WORKLOAD = "batsim"
_ALIASES = {"csv": "table", "json": "slurm", "parquet": "table", "sacct": "slurm"}
"""For words that users may give as a format, the name of the format that they mean."""
_NONE = "this installation has no formats; install pred-aware again, such as `pip install -e .`"


class Format(Protocol):
    """A class that reads logs of one format."""

    def __call__(self, path: str | Path, **options: Any) -> Log:  # noqa: ANN401 - as the format has
        """Return a log that has not been read yet."""
        ...

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return True if a file looks like this format.

        Parameters
        ----------
        path
            The file or folder.
        head
            The first 64 KiB of the file after unpacking. For a folder, of its first file by name.
        """
        ...


def open_log(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the option's name in all commands
    options: Mapping[str, Any] | None = None,
    processors: int | None = None,
    time_zone: str | None = None,
) -> Log:
    """Open a log of any known format.

    Parameters
    ----------
    path
        A file, plain or gzipped, or a folder if the format supports folders.
    format
        The format's name; by default it is detected from the start of the file.
    options
        Options of the format's class, and two options of every format. Jobs of the user
        `hidden_user` become jobs without a user. `missing_walltime` says what happens to jobs
        without a walltime; see `workload_tools.missing_walltime.WithWalltimes`. Without this
        option, such jobs are kept. With ``None``, they are dropped, and an error is raised if they
        are more than half. A Batsim workload keeps them, because it is already converted.
    processors, time_zone
        The machine's size and time zone, if they are missing or wrong in the log. The time zone is
        an IANA name. It applies to dates without a zone.

    Returns
    -------
    Log
        A log that has not been read yet.

    Raises
    ------
    LogError
        The file cannot be read, the format is unknown or cannot be detected, or an option or its
        value is invalid.
    """
    path = Path(path)
    points = formats()
    name = _detected_format(path, options or {}) if format is None else format
    if not isinstance(name, str):
        raise LogError(path, f"the format is {in_json(name)}, but must be a text")
    if name not in points:
        hint = did_you_mean(name, sorted(points)) if points else _NONE
        alias = f"did you mean '{_ALIASES[name]}'? " if name in _ALIASES else ""
        raise LogError(path, f"unknown format '{name}': {alias}{hint}")
    reader = reader_of(path, points[name])
    reader_options = {**_of_machine(reader, path, processors, time_zone), **(options or {})}
    try:
        check_options(reader, reader_options)
    except ValueError as error:
        raise LogError(path, f"format '{name}': {error}") from error
    missing: MissingWalltime | None = reader_options.pop(OF_EVERY_FORMAT, "keep")
    hidden = reader_options.pop(HIDDEN_USER, None)
    try:
        log = reader(path, **reader_options)
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
    """Wraps a log that another package reads. Each error message names the log's format."""

    def __init__(self, log: Log, path: Path, name: str) -> None:
        self.report, self.machine = log.report, log.machine
        self._log = log
        self._path = path
        self._name = name

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs by submission."""
        try:
            for job in self._log.jobs():
                self._take_over_from_reader()
                yield job
        except InputError:
            raise
        except Exception as error:
            raise _failed(self._path, self._name, error) from error
        self._take_over_from_reader()

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self._log)

    def _take_over_from_reader(self) -> None:
        """Refer to the reader's current report and machine, because a reader may replace them."""
        self.report, self.machine = self._log.report, self._log.machine


class _ReaderError(LogError):
    """A reader cannot be loaded, or another package's reader fails."""


def _failed(path: Path, name: str, error: Exception) -> LogError:
    words = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    return _ReaderError(path, f"the reader of the format '{name}' failed: {words}")


def reader_of(path: Path, point: EntryPoint) -> Format:
    """Return the class behind an entry point of `formats`.

    Raises
    ------
    LogError
        The class cannot be loaded. The message names the log's `path`.
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
    """Return the machine's size and time zone as options, if the reader has such options."""
    if time_zone is not None:
        zone_of(time_zone, path)  # raises an error for an unknown zone
    known = {"machine_processors": processors, "time_zone": time_zone}
    names = option_names(reader)
    return {name: known[name] for name in known if name in names and known[name] is not None}


@functools.cache
def formats() -> Mapping[str, EntryPoint]:
    """Return the known formats by name.

    The packages are searched once per process; later calls return the same result.
    """
    return MappingProxyType({point.name: point for point in entry_points(group=GROUP)})


def recognised(path: Path) -> list[str]:
    """Return the names of the formats that a file or folder looks like; usually there is one.

    Readers that cannot be loaded are skipped.

    Raises
    ------
    LogError
        The file cannot be read.
    """
    return _claiming_formats(path)[0]


def _claiming_formats(path: Path) -> tuple[list[str], list[str]]:
    """Return the matching formats, and the errors of readers that cannot be loaded."""
    head = _head(path)
    found, broken = [], []
    for name, point in sorted(formats().items()):
        try:
            if _recognises(path, head, point):
                found.append(name)
        except _ReaderError as error:
            broken.append(str(error).removeprefix(f"{path}: "))
    return found, broken


def _detected_format(path: Path, options: Mapping[str, Any]) -> str:
    """Return the detected format. It is `table` if none matches but a column map is given."""
    found, broken = _claiming_formats(path)
    return "table" if not found and options.get("map") else _only(path, found, broken)


def _only(path: Path, found: list[str], broken: list[str]) -> str:
    if len(found) == 1:
        return found[0]
    if found:
        seen = f"looks like {' and '.join(found)}"
    else:
        head = _head(path)
        if not head.strip():
            raise LogError(path, "is empty; was its export interrupted?")
        seen = "; ".join((seen_in(head), *broken))
    known = ", ".join(sorted(formats()))
    raise LogError(
        path, f"{seen}; give the format: one of {known}" if known else f"{seen}; {_NONE}"
    )


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, or of the first file of a folder, unpacked."""
    try:
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.is_file())
            if not files:
                raise LogError(path, "is an empty folder")
            path = files[0]
        with unpacked(path) as file:
            return file.read(HEAD_SIZE).removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error
