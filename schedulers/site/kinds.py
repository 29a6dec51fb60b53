"""Jobs that ask a site for the same: whether they can ever start, and what may stop them."""

from collections.abc import Mapping, Sequence

import msgspec

from schedulers.job import Job
from schedulers.site.alike import Alike
from schedulers.site.books import Books, NeverStarts
from schedulers.site.counters import Counter
from schedulers.site.requests import keys_of, nodes_of, partitions_of
from schedulers.site.site import Partition, Site, texts
from schedulers.site.windows import OpenWindow, can_ever_start

_ASKED = (
    "user_id", "user", "group", "project", "queue", "partition", "qos", "node", "mem",
    "memory_per_node", "gpu", "licences", "array", "array_limit",
)  # fmt: skip
"""The fields that a gate looks at, beside size and walltime."""


class Kind(msgspec.Struct):
    """What the gate knows of all jobs that ask for the same."""

    refusal: str | None
    """Why they never can start."""
    alike: Alike | None = None
    walltime: float | None = None
    """The default one of their partition, in seconds."""
    submitted: tuple[Counter, bool] | None = None
    """What counts them from submission to end, and whether it refuses them."""
    partition: str | None = None
    """The partitions that take them, where that is not what they ask for."""


class Kinds:
    """The kinds of jobs on a site, each made when its first job comes."""

    def __init__(self, site: Site, books: Books, windows: Sequence[OpenWindow]) -> None:
        self._site = site
        self._books = books
        self._windows = windows
        self._known: dict[tuple[object, ...], Kind] = {}
        self.alike: dict[object, Alike] = {}
        """Jobs that the same rules stop, whatever else they ask for."""

    def of(self, job: Job, now: float) -> Kind:
        """Return the kind of a job that is submitted now, a date in seconds."""
        fields = job.fields or {}
        asked = (job.processors, job.walltime, *[fields.get(name) for name in _ASKED])
        kind = self._known.get(asked)
        if kind is None:
            kind = self._known[asked] = self._new(job, now)
        return kind

    def _new(self, job: Job, now: float) -> Kind:
        told = partitions_of(job, self._site)
        partitions = None if told is None else [one for one in told if not _outside(job, one)]
        if told is not None and not partitions:
            return Kind(_nowhere(job, told))
        if partitions and job.walltime is None:
            job.walltime = partitions[0].default_walltime
        keys = keys_of(job, partitions)
        try:
            stopping, counting, submitted = self._books.counters_of(job, keys)
        except NeverStarts as reason:
            return Kind(str(reason))
        windows = tuple(window for window in self._windows if window.is_for(job, keys))
        if windows and not can_ever_start(job, windows, now):
            return Kind("would wait for ever: its walltime has room in no start window")
        alike = self._alike(job, keys, stopping=stopping, counting=counting, windows=windows)
        kind = Kind(None, alike, job.walltime, submitted)
        if told is not None and partitions is not None and len(partitions) < len(told):
            kind.partition = ",".join(one.name for one in partitions)
        return kind

    def _alike(
        self,
        job: Job,
        keys: Mapping[str, str],
        *,
        stopping: tuple[tuple[Counter, float], ...],
        counting: tuple[tuple[Counter, float], ...],
        windows: tuple[OpenWindow, ...],
    ) -> Alike:
        by_clock = any(window.by_clock for window in windows)
        what = stopping, counting, windows, keys["partition"], job.walltime if by_clock else None
        if what not in self.alike:
            self.alike[what] = Alike(stopping, counting, windows, keys["partition"])
        return self.alike[what]


def _nowhere(job: Job, told: Sequence[Partition]) -> str:
    """Say why no partition takes a job."""
    if told:
        return str(_outside(job, told[0]))
    asked = (job.fields or {}).get("partition")
    return f"asks for partition '{asked}', which the site does not have"


def _outside(job: Job, partition: Partition) -> str | None:
    """Say why a partition does not take a job."""
    where = f"partition '{partition.name}'"
    limits = (
        ("nodes", nodes_of(job), partition.max_nodes),
        ("processors", job.processors, partition.max_processors),
        ("s", job.walltime, partition.max_walltime),
    )
    for what, asked, most in limits:
        if most is not None and asked is not None and asked > most:
            return f"asks for {asked:g} {what}; {where} has jobs of at most {most:g}"
    accounts = texts(partition.accounts)
    project = job.submission.project
    if accounts and project not in accounts:
        return f"is of account '{project or ''}', which may not use {where}"
    return None
