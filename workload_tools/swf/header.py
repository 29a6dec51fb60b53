"""Read the header of a log in the Standard Workload Format."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from workload_tools.errors import LogError

_DIRECTIVE = re.compile(r"\s*;\s*([A-Za-z]+)\s*:\s*(.*?)\s*$")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")

_ORIGIN = ("Computer", "Installation", "Acknowledge", "Information", "Conversion", "Copyright")
# limit the memory for the lines of an overlong header
_MOST_ORIGIN_LINES = 200

# limits: the largest machine that Batsim can simulate, and a date in the year 3000
_MOST = {"MaxProcs": 2**31 - 1, "MaxNodes": 2**31 - 1, "UnixStartTime": 32503680000}

# larger submission times (after 1985) are Unix dates, because no log spans 15 years
_UNIX_DATES = 500_000_000.0


@dataclass(slots=True)
class SwfHeader:
    """The machine that a log's comments describe. Each comment that is read adds information.

    Examples
    --------
    >>> header = SwfHeader()
    >>> header.read("; MaxProcs: 1664 (72, 1368, 224)")
    >>> header.processors
    1664
    """

    processors: int | None = None
    nodes: int | None = None
    """The machine's size."""
    unix_start_time: float | None = None
    """Unix date of the log's second 0."""
    time_zone: str | None = None
    """Name of the machine's time zone."""
    origin: list[str] = field(default_factory=list)
    """Lines about the log's origin and acknowledgements, with their continuation lines."""
    offset: float = 0.0
    """If logs were joined, seconds from the start of the first log to the start of this log."""
    _in_origin: bool = field(default=False, init=False)
    _start_time: float | None = field(default=None, init=False)

    def read(self, line: str, *, after_jobs: bool = False) -> None:
        """Store the information of a comment line, unless an earlier line contains it.

        A header after jobs (`after_jobs`) belongs to another log that was appended. Its
        UnixStartTime determines `offset`.

        Raises
        ------
        ValueError
            A value is impossibly large.
        """
        match = _DIRECTIVE.match(line)
        # a web address has a colon, but is no directive: its line continues the directive above
        if match is None or match[2].startswith("//"):
            self._continue(line)
            return
        name, value = match.groups()
        self._in_origin = name in _ORIGIN
        if self._in_origin:
            self._keep(f"{name}: {value}")
            return
        if name == "TimeZoneString":
            self.time_zone = self.time_zone or value or None
            return
        number = _NUMBER.match(value)
        if number is None:
            return
        amount = float(number[0])
        if name in _MOST and not amount <= _MOST[name]:
            raise ValueError(f"{name} is larger than {_MOST[name]}, the largest possible value")
        if name == "MaxProcs":
            self.processors = self.processors or int(amount) or None
        elif name == "MaxNodes":
            self.nodes = self.nodes or int(amount) or None
        elif name == "UnixStartTime":
            # a date in words may begin with a number too, such as 30 Sep 1996 or 2020-02-01
            words = amount < _UNIX_DATES and re.search("[-/:A-Za-z]", value)
            if self.unix_start_time is None:
                self.unix_start_time = None if words else amount
            elif after_jobs and not words:
                self.offset = amount - self.unix_start_time
        elif name == "StartTime" and number[0] == value:
            plausible = _UNIX_DATES <= amount <= _MOST["UnixStartTime"]
            self._start_time = amount if plausible else self._start_time

    def _continue(self, line: str) -> None:
        """Append a comment line that is not a directive to the directive above it."""
        text = line.strip()[1:].strip()
        self._in_origin = self._in_origin and bool(text)
        if self._in_origin:
            self._keep(f"  {text}")

    def _keep(self, line: str) -> None:
        if len(self.origin) < _MOST_ORIGIN_LINES:
            self.origin.append(line)

    def date_of_second_0(self, submit_time: float) -> float | None:
        """Return the Unix date of the log's second 0, or None if unknown.

        If UnixStartTime is missing, there are two other sources. Submission times may be Unix dates
        (as in the log of CERIT-SC). Or StartTime, which usually is a text, may be a Unix date.
        """
        if self.unix_start_time is not None:
            return self.unix_start_time
        if self._start_time is not None and submit_time < _UNIX_DATES:
            return self._start_time
        return 0.0 if submit_time >= _UNIX_DATES else None


_LEAST_FIELDS = 4


def read_machines(log: str | Path) -> tuple[int, int] | None:
    """Read the machine's size from ``NAME.swf.machines`` in the log's folder, if the file exists.

    Each line describes a cluster: number, name, nodes, processors per node, and further fields that
    are ignored (speed, memory in KB).

    Parameters
    ----------
    log
        The path of the log, ``NAME.swf`` or ``NAME.swf.gz``.

    Returns
    -------
    tuple or None
        Processors and nodes of all clusters together; ``None`` if the file does not exist.

    Raises
    ------
    LogError
        The file cannot be read, or a line is invalid.
    """
    log = Path(log)
    path = log.with_name(f"{log.name.removesuffix('.gz')}.machines")
    if not path.is_file():
        return None
    processors = nodes = 0
    try:
        lines = path.read_text(encoding="latin-1").splitlines()
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields or fields[0][0] in ";#":
            continue
        if len(fields) < _LEAST_FIELDS or not all(map(_is_count, fields[2:4])):
            raise LogError(
                path, "does not have the form 'number name nodes processors-per-node ...'", number
            )
        nodes += int(fields[2])
        processors += int(fields[2]) * int(fields[3])
    if not processors:
        raise LogError(path, "has no nodes; correct the file, or remove it and give --processors")
    return processors, nodes


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9  # noqa: PLR2004 - digits
