"""Anonymisation: names become numbers, and dates may be shifted."""

import re
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from workload_tools.changes.key import Key
from workload_tools.job import Job
from workload_tools.log import Log, Machine

NAMES = (
    *("user", "group", "project", "queue", "partition", "executable", "name", "qos"),
    *("array", "features", "reservation", "licences"),
)
"""Fields with names of people, of their work, or of a site."""

_ID = "id"
_OF_WORDS = frozenset({"features", "licences"})
_WORD = re.compile(r"[^\W\d][\w.-]*")
"""A word between the signs that join and count words."""


class Anonymised:
    """A log in which ids and names are replaced by numbers from a key, without its origin.

    Sizes, times, states and the machine are kept. `docs/how-to/cleaning.md` says what they can
    still reveal.

    Parameters
    ----------
    log
        The log, which has not been read yet. Both share one report.
    key
        The key with the numbers; new names are added to it. Dates are shifted by its
        `Key.date_shift`, if any.
    names
        The fields that become numbers besides the ids; by default all fields with names.
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
