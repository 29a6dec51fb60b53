"""The order of OpenPBS: queues, sort formula, fair share and sort keys."""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from predictors.errors import OptionError
from predictors.registry import nearest
from schedulers.core.job import Job
from schedulers.core.orders import Order
from schedulers.orders.eligible_time import EligibleTimes
from schedulers.orders.fair_share.pbs_shares import Entity, PbsShares
from schedulers.orders.pbs_formula import read_formula
from schedulers.orders.priority_factors import tres_of_job
from schedulers.site.batch_system import OpenPbs
from schedulers.site.reader import require_table, table_of
from schedulers.site.requests import PartitionFinder, keys_of
from schedulers.site.site import Site

_KIB_PER_GIB = 1024.0 * 1024.0
_REQUESTED = ("ncpus", "nodect", "walltime", "cput", "mem", "ngpus")
_OF_SHARES = ("fairshare_perc", "fair_share_perc", "fairshare_tree_usage", "fairshare_factor")
_NAMES = (*_REQUESTED, "job_priority", "queue_priority", "eligible_time", *_OF_SHARES)
_SORT_KEYS = (*_REQUESTED, "job_priority", "fair_share_perc", "preempt_priority")
_FIELDS = {
    "euser": (("user", "user_id"),),
    "egroup": (("group", "group"),),
    "egroup:euser": (("group", "group"), ("user", "user_id")),
    "Account_Name": (("project", "project"),),
    "queue": (("queue", "queue"),),
}
_Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue of OpenPBS."""

    level: int
    """The rank of the queue by priority, 0 for the highest. If queues are not sorted, 0 for all."""
    place: int
    """The queue's position among all queues, from 0."""
    priority: int


class _Waiting:
    """A waiting job with the values that do not change while the job waits."""

    __slots__ = ("entity", "job", "keys", "queue", "since", "values")

    def __init__(self, job: Job, queue: Queue, entity: Entity | None) -> None:
        fields = job.fields or {}
        priority = fields.get("job_priority")
        self.job = job
        self.queue = queue
        self.entity = entity
        self.since = job.waiting_since
        self.values = requested(job)
        self.values["job_priority"] = float(priority) if isinstance(priority, int | float) else 0.0
        self.values["queue_priority"] = float(queue.priority)
        self.values["preempt_priority"] = 0.0
        self.values["eligible_time"] = 0.0
        self.keys: _Key = ()


@dataclass(eq=False)
class Pbs(Order):
    """The order of OpenPBS: starving jobs, queues, the sort formula, fair share, sort keys.

    Within a queue, jobs are sorted by these keys:

    1. the value of ``job_sort_formula``, the highest first;
    2. with ``fair_share``, usage divided by shares, the smallest first, compared for the groups
       from the root of the tree down;
    3. the keys of ``job_sort_key``;
    4. the submission.

    With ``by_queue``, all jobs of a queue come before the jobs of the next queue. With
    ``round_robin``, queues of equal priority take turns. If neither is set, all jobs are sorted as
    in one queue. Starving jobs come before all other jobs; among them, the longest wait comes
    first. The site defines this order in ``[openpbs]``, ``[[partitions]]`` and
    ``[[associations]]``.

    There are three differences from OpenPBS. Usage counts until a job ends, but OpenPBS loses the
    usage after the last cycle before the end. A start does not change the order within a pass. Jobs
    that ``fairshare_enforce_no_shares`` would block come last.

    (From OpenPBS's ``sort.cpp``, ``fairshare.cpp`` and ``fifo.cpp``.)

    Examples
    --------
    >>> order = Pbs({"job_sort_formula": "ncpus / walltime"})
    >>> jobs = [Job("w0!1", 0.0, 4, 60.0), Job("w0!2", 0.0, 4, 30.0)]
    >>> for job in jobs:
    ...     order.submitted(job, 0.0)
    >>> [order.key(job, 0.0) for job in jobs]
    [1.0, 0.0]
    """

    openpbs: Mapping[str, Any] | None = None
    """Keys that replace keys of the site's table ``[openpbs]``."""

    changes = True
    needs_fields = True

    def __post_init__(self) -> None:
        """Check the option."""
        self._configure(Site())

    def on_site(self, site: Site | None) -> None:
        """Use a site's configuration.

        Raises
        ------
        OptionError
            The table is missing, or a formula or sort key is invalid.
        """
        require_table(
            site, "openpbs", self.openpbs,
            "order 'pbs' needs PBS's configuration. Give a site with a table [openpbs], or the "
            'option "openpbs": '
            '{"name": "pbs", "openpbs": {"job_sort_formula": "ncpus * walltime"}}',
        )  # fmt: skip
        self._configure(site or Site())

    def _configure(self, site: Site) -> None:
        settings = table_of(site, "openpbs", self.openpbs) or OpenPbs()
        assert isinstance(settings, OpenPbs)
        self._places = PartitionFinder(site)
        self.settings = settings
        """The site's table ``[openpbs]``, in which the option `openpbs` has replaced keys."""
        formula = settings.job_sort_formula
        self.formula = (
            None if formula is None else read_formula(formula, _NAMES, "job_sort_formula")
        )
        """The ``job_sort_formula`` of the server; ``None`` without one."""
        self._usage = read_formula(settings.fairshare_usage_res, _REQUESTED, "fairshare_usage_res")
        self._sort_keys = [_sort_key(text) for text in settings.job_sort_key]
        self.shares = PbsShares(
            site.associations,
            unknown_shares=settings.unknown_shares,
            decay_time=settings.fairshare_decay_time,
            decay_factor=settings.fairshare_decay_factor,
        )
        """The entities of fair share and their usage."""
        self._queues = queues_of(site, sort=settings.sort_queues)
        names = frozenset() if self.formula is None else self.formula.names
        compared = names | {name for name, _ in self._sort_keys}
        self.shares_count = settings.fair_share or bool(compared & set(_OF_SHARES))
        """Whether the order depends on shares."""
        self.moves = bool(
            settings.help_starving_jobs
            or settings.fair_share
            or names & {"eligible_time", "fairshare_tree_usage", "fairshare_factor"}
        )
        """Whether the order may change between events."""
        self.eligible = (
            EligibleTimes(site)
            if settings.eligible_time_enable and "eligible_time" in names
            else None
        )
        """The eligible times of waiting jobs; ``None`` if the order does not depend on them."""
        self._waiting: dict[str, _Waiting] = {}
        self._running: dict[str, tuple[Entity, float]] = {}
        self._ranks: dict[str, float] | None = None
        self._as_of = 0.0

    def submitted(self, job: Job, now: float) -> None:
        """Record a submitted job; see `Order`."""
        self.shares.advance(now)
        entity = self.shares.entity(self._entity(job)) if self.shares_count else None
        self._waiting[job.id] = _Waiting(job, self._queue(job), entity)
        if self.eligible is not None:
            self.eligible.submitted(job)
        self._ranks = None

    def started(self, job: Job, now: float) -> None:
        """Count a job's usage from now on; see `Order`."""
        self._waiting.pop(job.id, None)
        if self.eligible is not None:
            self.eligible.started(job, now)
        self._ranks = None
        if self.shares_count:
            values = requested(job)
            rate = max(0.0, self._used(values, 1.0) - self._used(values, 0.0))
            entity = self.shares.entity(self._entity(job))
            self._running[job.id] = entity, rate
            self.shares.started(entity, rate, now)

    def ended(self, job: Job, now: float) -> None:
        """Count a job's usage up to now; see `Order`."""
        self._ranks = None
        if self.eligible is not None:
            self.eligible.ended(job)
        if self.shares_count:
            self.shares.ended(*self._running.pop(job.id), now)

    def key(self, job: Job, now: float) -> float:
        """Return the job's position among the waiting jobs, from 0."""
        if job.id not in self._waiting:
            self.submitted(job, now)
        if self._ranks is None or (self.moves and now != self._as_of):
            self.shares.advance(now)
            if self.eligible is not None:
                for name, time in self.eligible.at(now).items():
                    self._waiting[name].values["eligible_time"] = max(0.0, time)
            arranged = [*self._arranged(now)]
            if self.eligible is not None:
                self.eligible.cycle((one.job for one in arranged), now)
            self._ranks = {one.job.id: float(rank) for rank, one in enumerate(arranged)}
            self._as_of = now
        return self._ranks[job.id]

    def _arranged(self, now: float) -> Iterator[_Waiting]:
        settings, paths = self.settings, dict[Entity, _Key]()
        starving: list[_Waiting] = []
        others: list[tuple[_Key, _Waiting]] = []
        for waiting in self._waiting.values():
            if settings.help_starving_jobs and now - waiting.since > settings.max_starve:
                starving.append(waiting)
            else:
                others.append((self._within(waiting, now, paths), waiting))
        starving.sort(key=lambda waiting: (waiting.since, waiting.job.number))
        others.sort(key=lambda entry: entry[0])
        yield from starving
        if settings.round_robin:
            yield from taking_turns(waiting for _, waiting in others)
            return
        if settings.by_queue:
            others.sort(key=lambda entry: (entry[1].queue.level, entry[1].queue.place))
        for _, waiting in others:
            yield waiting

    def _within(self, waiting: _Waiting, now: float, paths: dict[Entity, _Key]) -> _Key:
        settings, values, entity = self.settings, waiting.values, waiting.entity
        percentage = 0.0
        if entity is not None:
            percentage = values["fairshare_perc"] = values["fair_share_perc"] = entity.percentage
        value = 0.0
        if self.formula is not None:
            if entity is not None:
                used = values["fairshare_tree_usage"] = entity.tree_usage(now)
                values["fairshare_factor"] = 2.0 ** -(used / percentage) if percentage else 0.0
            value = self.formula.value(values)
        path: _Key = ()
        if settings.fair_share and entity is not None:
            found = paths.get(entity)
            path = paths[entity] = _path(entity, now) if found is None else found
        enforced = settings.fair_share and settings.fairshare_enforce_no_shares
        barred = enforced and entity is not None and not percentage
        keys = tuple([sign * values[name] for name, sign in self._sort_keys])
        return barred, -value, path, keys, waiting.job.number

    def _entity(self, job: Job) -> str:
        names = _FIELDS[self.settings.fairshare_entity]
        return ":".join(keys_of(job, names).values())

    def _queue(self, job: Job) -> Queue:
        places = self._places.of(job).names
        return self._queues[places[0] if places else None]

    def _used(self, values: Mapping[str, float], seconds: float) -> float:
        used = {**values, "walltime": seconds, "cput": values["ncpus"] * seconds}
        return self._usage.value(used)


def requested(job: Job) -> dict[str, float]:
    """Return a job's request under PBS's names, with memory in KiB and times in seconds.

    Examples
    --------
    >>> requested(Job("w0!1", 0.0, 4, 60.0, fields={"mem": 2, "node": 2}))["mem"]
    2097152.0
    """
    tres = tres_of_job(job)
    return {
        "ncpus": tres["cpu"],
        "nodect": tres["node"],
        "walltime": 0.0 if job.walltime == math.inf else job.walltime,
        "cput": 0.0,
        "mem": tres.get("mem", 0.0) * _KIB_PER_GIB,
        "ngpus": tres.get("gres/gpu", 0.0),
    }


def _path(entity: Entity, now: float) -> _Key:
    """Return usage / shares of each group from the root down. Groups without shares come last."""
    found: list[tuple[bool, float]] = []
    for one in entity.path:
        percentage = one.percentage
        if not percentage:
            return (*found, (True, 0.0))
        found.append((False, one.used(now) / percentage))
    return tuple(found)


def _sort_key(text: str) -> tuple[str, float]:
    """Return the name and sign of a sort key such as ``ncpus HIGH``."""
    name, _, direction = text.partition(" ")
    if name not in _SORT_KEYS:
        hint = nearest(name, _SORT_KEYS)
        raise OptionError(f"job_sort_key '{text}' has the unknown name '{name}': {hint}")
    if direction.strip().upper() not in ("HIGH", "LOW"):
        raise OptionError(f"job_sort_key '{text}' must end in HIGH or LOW")
    return name, -1.0 if direction.strip().upper() == "HIGH" else 1.0


def queues_of(site: Site, *, sort: bool) -> dict[str | None, Queue]:
    """Return the queues by name. ``None`` stands for jobs without a known queue."""
    ordered = [*site.partitions]
    if sort:
        ordered.sort(key=lambda partition: -partition.priority_tier)
    levels = {
        partition.priority_tier: place for place, partition in reversed([*enumerate(ordered)])
    }
    queues: dict[str | None, Queue] = {
        partition.name: Queue(
            levels[partition.priority_tier] if sort else 0, place, partition.priority_tier
        )
        for place, partition in enumerate(ordered)
    }
    return {**queues, None: Queue(len(ordered), len(ordered), 0)}


def taking_turns(ordered: Iterable[_Waiting]) -> Iterator[_Waiting]:
    """Yield one job of each queue in turn. Queues of the highest priority are emptied first."""
    queues: dict[Queue, deque[_Waiting]] = {}
    for waiting in ordered:
        queues.setdefault(waiting.queue, deque()).append(waiting)
    for level in sorted({queue.level for queue in queues}):
        turn = deque(
            jobs
            for queue, jobs in sorted(queues.items(), key=lambda item: item[0].place)
            if queue.level == level
        )
        while turn:
            jobs = turn.popleft()
            yield jobs.popleft()
            if jobs:
                turn.append(jobs)
