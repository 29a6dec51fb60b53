"""Jobs that ask a site for the same: whether they can ever start, and what may stop them."""

from collections.abc import Mapping, Sequence

import msgspec

from schedulers.job import Job
from schedulers.site.alike import Alike
from schedulers.site.books import Books, NeverStarts
from schedulers.site.counters import Counter
from schedulers.site.requests import keys_of, names_of_keys, nodes_of, partitions_of
from schedulers.site.site import Partition, Site, texts
from schedulers.site.windows import OpenWindow, can_ever_start


class Kind(msgspec.Struct):
    """What the gate knows of a job that is submitted."""

    refusal: str | None
    """Why it never can start."""
    alike: Alike | None = None
    submitted: tuple[tuple[Counter, bool], ...] = ()
    """What counts it from submission to end, and whether it refuses it."""
    partition: str | None = None
    """The partitions that take it, where that is not what it asks for."""


class _Placed(msgspec.Struct):
    """The partitions that take jobs which ask for the same."""

    refusal: str | None
    name: str = ""
    walltime: float | None = None
    """The default one, in seconds."""
    partition: str | None = None


class Kinds:
    """What becomes of jobs on a site, by what they ask for.

    Jobs that the same rules stop share one `Alike`.
    """

    def __init__(self, site: Site, books: Books, windows: Sequence[OpenWindow]) -> None:
        self._site = site
        self._books = books
        self._windows = windows
        self._names = names_of_keys(site)
        self._bounded = any(
            one.max_nodes or one.max_processors or one.max_walltime or one.accounts
            for one in site.partitions
        )
        self._placed: dict[tuple[object, ...], _Placed] = {}
        self._open: dict[tuple[object, ...], tuple[OpenWindow, ...] | None] = {}
        self.alike: dict[object, Alike] = {}
        """By what stops them."""

    def of(self, job: Job, now: float) -> Kind:
        """Return what becomes of a job that is submitted now, a date in seconds.

        Its walltime becomes the default one of its partition, where it has none.
        """
        placed = self._place(job) if self._site.partitions else _ANYWHERE
        if placed.refusal is not None:
            return Kind(placed.refusal)
        if job.walltime is None:
            job.walltime = placed.walltime
        keys = keys_of(job, self._names, placed.name)
        try:
            stopping, counting, submitted = self._books.counters_of(job, keys)
        except NeverStarts as reason:
            return Kind(str(reason))
        windows: tuple[OpenWindow, ...] | None = ()
        if self._windows:
            of = job.walltime, *keys.values()
            if of not in self._open:
                self._open[of] = self._windows_for(job, keys, now)
            windows = self._open[of]
        if windows is None:
            return Kind("would wait for ever: its walltime has room in no start window")
        where = placed.name if self._site.freezes else ""
        by_clock = any(window.by_clock for window in windows)
        what = stopping, counting, windows, where, job.walltime if by_clock else None
        alike = self.alike.get(what)
        if alike is None:
            alike = self.alike[what] = Alike(stopping, counting, windows, where)
        return Kind(None, alike, submitted, placed.partition)

    def _place(self, job: Job) -> _Placed:
        fields = job.fields or {}
        asked: tuple[object, ...] = fields.get("partition"), fields.get("queue")
        if self._bounded:
            others = fields.get("project"), fields.get("node"), job.processors, job.walltime
            asked = (*asked, *others)
        if asked not in self._placed:
            self._placed[asked] = self._new_place(job)
        return self._placed[asked]

    def _new_place(self, job: Job) -> _Placed:
        told = partitions_of(job, self._site)
        if told is None:
            return _ANYWHERE
        partitions = [one for one in told if not _outside(job, one)]
        if not partitions:
            why = _nowhere(job, told)
            waits = self._site.impossible == "waits"
            return _Placed(f"would wait for ever: it {why}" if waits else why)
        placed = _Placed(None, partitions[0].name, partitions[0].default_walltime)
        if len(partitions) < len(told):
            placed.partition = ",".join(one.name for one in partitions)
        return placed

    def _windows_for(
        self, job: Job, keys: Mapping[str, str], now: float
    ) -> tuple[OpenWindow, ...] | None:
        windows = tuple(window for window in self._windows if window.is_for(job, keys))
        return windows if not windows or can_ever_start(job, windows, now) else None


_ANYWHERE = _Placed(None)


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
