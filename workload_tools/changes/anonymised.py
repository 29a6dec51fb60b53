"""A log in which names are numbers, and dates are shifted if that is wanted."""

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
"""The fields in which a log names people, their work, or the site's own words for either."""

_ID = "id"
_OF_WORDS = frozenset({"features", "licences"})
_WORD = re.compile(r"[^\W\d][\w.-]*")
"""One of them, between what joins and counts them."""


class Anonymised:
    """A log in which ids and names are numbers of a key, and that does not say where it is from.

    Sizes, times, states and the machine stay as they are; `docs/how-to/cleaning.md` says what can
    still be learned from them.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report is this one's.
    key
        Where the numbers are from, to which new names are added. With a `Key.date_shift`, dates are
        shifted by it.
    names
        The fields that become numbers beside the ids; by default all that name anything.
    """

    def __init__(self, log: Log, key: Key, *, names: Collection[str] = NAMES) -> None:
        self.log = log
        self.key = key
        self.names = names
        self.report = log.report
        self.machine = Machine()

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs, as `workload_tools.log.Log` has it."""
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
        """Return what a name becomes; of features and licences each of them, as they are joined."""
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
