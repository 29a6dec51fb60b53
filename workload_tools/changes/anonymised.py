"""Anonymise a log: replace names by numbers and, on request, shift all dates."""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import IO, Self

import msgspec
from msgspec.structs import replace

from workload_tools.errors import InputError
from workload_tools.expected import UNREADABLE, in_words
from workload_tools.job import Job
from workload_tools.log import Log, Machine

_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}", re.ASCII)


class BadKeyError(InputError):
    """A key file cannot be used."""


class _KeyFile(msgspec.Struct, forbid_unknown_fields=True):
    names: dict[str, dict[str, int]]
    date_shift: float | None = None


class Key:
    """A number for each name of each field. Numbers start at 1, in the order of first use.

    Parameters
    ----------
    names
        Existing numbers, by field and name.
    date_shift
        Number of seconds by which dates move; None if dates stay.

    Examples
    --------
    >>> key = Key()
    >>> [key.number("user", name) for name in ("ann", "bob", "ann")], key.number("queue", "long")
    ([1, 2, 1], 1)
    """

    def __init__(
        self,
        names: Mapping[str, Mapping[str, int]] | None = None,
        *,
        date_shift: float | None = None,
    ) -> None:
        self.names = {field: dict(numbers) for field, numbers in (names or {}).items()}
        self.date_shift = date_shift
        self._next = {
            field: max(numbers.values(), default=0) + 1 for field, numbers in self.names.items()
        }

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a key from a file. If the file does not exist, return an empty key.

        Raises
        ------
        BadKeyError
            The file cannot be read, is not a key, or gives two names the same number.
        """
        try:
            content = Path(path).read_bytes()
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise BadKeyError(path, f"cannot be read: {error.strerror or error}") from error
        try:
            file = msgspec.json.decode(content, type=_KeyFile)
        except UNREADABLE as error:
            why = in_words(error)
            raise BadKeyError(path, f"is not a key that this program wrote: {why}") from error
        for field, numbers in file.names.items():
            if len(set(numbers.values())) < len(numbers) or min(numbers.values(), default=1) < 1:
                raise BadKeyError(
                    path, f"'{field}' has the same number for two names, or a number below 1"
                )
        return cls(file.names, date_shift=file.date_shift)

    def number(self, field: str, name: str) -> int:
        """Return the number of a name. A new name gets the next free number."""
        numbers = self.names.setdefault(field, {})
        number = numbers.get(name)
        if number is None:
            number = numbers[name] = self._next.get(field, 1)
            self._next[field] = number + 1
        return number

    def write_to(self, file: IO[bytes]) -> None:
        """Write the key to an open file, as JSON."""
        content = msgspec.json.encode(_KeyFile(names=self.names, date_shift=self.date_shift))
        file.write(msgspec.json.format(content) + b"\n")


def is_number(name: str) -> bool:
    """Return True if a name is a whole number that an SWF file can contain unchanged.

    Examples
    --------
    >>> [is_number(name) for name in ("17", "0", "007", "-1", "ann")]
    [True, True, False, False, False]
    """
    return _NUMBER.fullmatch(name) is not None


NAMES = (
    *("user", "group", "project", "queue", "partition", "executable", "name", "qos"),
    *("array", "features", "reservation", "licences"),
)
"""Fields that may name people, their work, or their site."""

_ID = "id"
_OF_WORDS = frozenset({"features", "licences"})
_WORD = re.compile(r"[^\W\d][\w.-]*")
"""Matches each name in a list of features or licences, but no operators and numbers."""


class Anonymised:
    """A log whose ids and names are replaced by numbers. The lines about its origin are removed.

    Sizes, times, states and the machine are kept. `docs/how-to/cleaning.md` says what these values
    can still reveal.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report.
    key
        The key with the numbers; new names are added to the key. If the key has a
        `Key.date_shift`, dates are shifted by this number of seconds.
    names
        The fields whose values become numbers; by default all in `NAMES`. Ids always become
        numbers.
    """

    def __init__(self, log: Log, key: Key, *, names: Collection[str] = NAMES) -> None:
        self.log = log
        self.key = key
        self.names = names
        self.report = log.report
        self.machine = Machine()

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs; see `workload_tools.log.Log`."""
        jobs = self.log.jobs()
        for job in jobs:
            self._know_machine()
            yield self._without_names(job)
            break
        for job in jobs:
            yield self._without_names(job)
        self._know_machine()

    def _without_names(self, job: Job) -> Job:
        number = self.key.number
        changes = {
            field: self._number(field, name)
            for field in self.names
            if (name := getattr(job, field)) is not None
        }
        if job.preceding_job is not None:
            changes["preceding_job"] = str(number(_ID, job.preceding_job))
        return replace(job, id=str(number(_ID, job.id)), **changes)

    def _number(self, field: str, name: str) -> str:
        """Return the number of a name. Features and licences have one number per word."""
        if field not in _OF_WORDS:
            return str(self.key.number(field, name))
        return _WORD.sub(lambda word: str(self.key.number(field, word[0])), name)

    def _know_machine(self) -> None:
        known, shift = self.log.machine, self.key.date_shift
        self.machine.processors, self.machine.guessed = known.processors, known.guessed
        self.machine.nodes = known.nodes
        self.machine.time_zone = known.time_zone
        self.machine.start_time = known.start_time
        if known.start_time is not None and shift is not None:
            self.machine.start_time = known.start_time + shift
