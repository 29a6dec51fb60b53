"""Slurm's scheduler: the main scheduler's pass, and backfill's plan."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields

import msgspec

from schedulers.core.backfilling import Backfilling
from schedulers.core.job import BACKFILLED, Job, take_out
from schedulers.core.machine import NEVER, Machine
from schedulers.core.plan import Plan
from schedulers.errors import OptionError
from schedulers.machine.node_room import Placement
from schedulers.site.batch_system import Slurm
from schedulers.site.gated_machine import GatedMachine
from schedulers.site.reader import calendar_of
from schedulers.site.site import Site
from schedulers.slurm.cluster import cluster_of
from schedulers.slurm.ends import End
from schedulers.slurm.licences import Licences
from schedulers.slurm.main_pass import main_pass
from schedulers.slurm.memory import Memory
from schedulers.slurm.parameters import Parameters
from schedulers.slurm.planner import SOON, EnoughTested, Planned, Planner
from schedulers.slurm.queue import Entry, entries_of
from schedulers.slurm.share import Share
from workload_tools.expected import in_words

OLD = 23
"""Versions before this one plan as 22.05 does."""


@dataclass(eq=False, kw_only=True)
class SlurmBackfilling(Backfilling):
    """Scheduling as Slurm does it, in the order that the jobs are given.

    The main scheduler looks at the jobs in their order whenever one was submitted or has ended, and
    in each partition stops at the first that can't start. Backfill comes every `bf_interval`
    seconds and plans all jobs in their order: each gets the earliest start, by its estimate, that
    those before it leave, on nodes that it keeps as a whole; those whose start is now start. The
    options are those of ``SchedulerParameters``; what is left out is as the site's table ``slurm``
    has it, else as Slurm's own default.
    """

    skips_limited = True

    bf_interval: int | None = None
    """Seconds between backfill's passes."""
    bf_resolution: int | None = None
    """Seconds of the grid of its plan, which counts from 1970."""
    bf_window: int | None = None
    """Minutes that it plans ahead."""
    bf_max_job_test: int | None = None
    """Jobs that it looks at in a pass."""
    bf_max_job_user: int | None = None
    """Of each user; 0: any number."""
    bf_max_job_part: int | None = None
    """In each partition; 0: any number."""
    bf_max_job_start: int | None = None
    """Jobs that it starts in a pass; 0: any number."""
    bf_min_age_reserve: int | None = None
    """Seconds that a job has to wait before it is planned."""
    bf_node_space_size: int | None = None
    """Entries of its table of plans."""
    bf_running_job_reserve: bool | None = None
    """Whether jobs that run on whole nodes are in that table."""
    default_queue_depth: int | None = None
    """Jobs that the main scheduler looks at when one was submitted or has ended."""
    partition_job_depth: int | None = None
    """Of each partition; 0: any number."""
    sched_interval: int | None = None
    """Seconds between the main scheduler's passes through all jobs."""

    _site: Site = field(default_factory=Site, init=False, repr=False)
    _key_in: Callable[[Job, str, float], float] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the options."""
        super().__init__()
        self.remembers = self.asks = True
        self._settle()

    def on_site(self, site: Site) -> None:
        """Take what is not given from a site's table ``slurm``; called before `begin`."""
        self._site = site
        self._settle()

    def ordered_by(self, key_in: Callable[[Job, str, float], float]) -> None:
        """Take each job of several partitions by its key in each; see `Multifactor.key_in`."""
        self._key_in = key_in

    @property
    def by_key_in_each(self) -> bool:
        """Whether jobs of several partitions are gone through by their keys in each."""
        return self._key_in is not None

    @property
    def needs_fields(self) -> bool:
        """Whether it counts users or associations, which jobs have to name then."""
        return bool(self.told.bf_max_job_user or self.told.bf_max_job_assoc)

    @property
    def plans_licences(self) -> bool:
        """Whether it keeps the limits of licences by itself, since it plans with them."""
        return self.told.bf_licenses

    def _settle(self) -> None:
        given = {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.init and getattr(self, one.name) is not None
        }
        told = msgspec.to_builtins(self._site.slurm or Slurm())
        try:
            self.told = msgspec.convert({**told, **given}, Slurm)
            """The site's table, with the options over it."""
        except msgspec.ValidationError as error:
            raise OptionError(f"backfilling 'slurm': {in_words(error)}") from None

    @property
    def parameters(self) -> Parameters:
        """Those of backfill's plan."""
        told, start = self.told, calendar_of(self._site).unix_start
        return Parameters(
            resolution=float(told.bf_resolution),
            window=60.0 * told.bf_window,
            max_job_test=told.bf_max_job_test,
            node_space_size=told.bf_node_space_size,
            old=_is_old(told.version),
            kill_wait=float(told.kill_wait),
            licences=self.licences.all if told.bf_licenses else {},
            epoch=0.0 if start is None else start,
        )

    @property
    def licences(self) -> Licences:
        """The site's, none of which is used."""
        return Licences(self._site)

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        site = self._site
        inside = machine.inside if isinstance(machine, GatedMachine) else machine
        self._machine = machine
        self._parameters = self.parameters
        self._cluster = cluster_of(inside, old=self._parameters.old)
        self._is_limited = machine.stops if isinstance(machine, GatedMachine) else _is_free
        self._licences = self.licences
        self._tiers = {one.name: one.priority_tier for one in site.partitions}
        self.planned: dict[int, Planned] = {}
        """What backfill has planned in its last pass, by the jobs' numbers."""
        self.first: dict[str, Job] = {}
        """The job of each partition that waits for room (``Resources``), as of the last main pass.

        Those behind it wait for their turn (``Priority``); who waits for a limit is in no queue.
        """
        self._memory = Memory()
        # when the jobs are gone through, and when they were last
        self._due = self._main_due = NEVER
        self._last_main = self._last_full = self._last_backfill = -NEVER
        self._ended = self._unseen = False
        # since when nothing was to be seen on an idle machine
        self._running = self._waited = 0
        self._still_since = -NEVER

    def ended(self, job: Job, now: float) -> None:
        """Note that there is more room; see `Backfilling`."""
        self._cluster.ended(job)
        self._licences.give_back(job)
        self._ended = True
        self._running -= 1

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Let backfill make another plan; see `Backfilling`."""
        self._come_again(now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Let backfill make another plan, but not twice at a date; see `Backfilling`."""
        self._come_again(now + self.told.bf_interval if now == self._last_backfill else now)

    def changed(self, plan: Plan, now: float) -> None:
        """Let both look again; see `Backfilling`."""
        self._memory.forget()
        self._ended = True
        self._waited = -1
        self._come_again(now)

    def _come_again(self, now: float) -> None:
        """Let backfill come at the next multiple of its interval."""
        interval = self.told.bf_interval
        self._due = min(self._due, math.ceil(now / interval) * interval)

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Return when to go through the queue again; see `Backfilling`.

        Where nothing runs and comes, a changing order counts as long as jobs grow older for it
        (``priority_max_age``).
        """
        if self._running or waiting != self._waited:
            self._still_since, self._waited = now, waiting
        # else a job that nothing lets start would be looked at for ever
        if not waiting or now > self._still_since + self.told.priority_max_age:
            return NEVER
        told, at = self.told, min(self._due, self._main_due)
        if order_changes and told.backfill:
            at = min(at, (math.floor(now / told.bf_interval) + 1) * told.bf_interval)
        if self._unseen or order_changes or told.defer:
            full = max(now, self._last_full + told.sched_interval)
            at = min(at, self._parameters.whole_after(full))
        return at

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        told = self.told
        self._cluster.look(plan)
        ahead = queue[:]
        chosen: list[Job] = []
        if self._main_is_due(now):
            full = now >= self._last_full + told.sched_interval
            self._last_main, self._main_due = now, NEVER
            if full:
                self._last_full = now
            chosen, self.first = main_pass(
                self._entries(queue, now), self._cluster, self.take,
                is_limited=self._is_limited, told=told, now=now, full=full,
            )  # fmt: skip
            take_out(queue, chosen)
            self._unseen = not full and len(queue) > told.default_queue_depth
        if told.backfill:
            self._come_again(now)
            if now >= self._due:
                self._due, self._last_backfill = NEVER, now
                started = self.backfill(queue, plan, chosen=chosen, now=now)
                if started:
                    # what is entered for them is not what they are planned with while they run
                    self._come_again(now + told.bf_interval)
                chosen += started
        _note_overtaking(ahead, chosen)
        self._running += len(chosen)
        return chosen

    def _entries(self, queue: list[Job], now: float) -> Iterator[Entry]:
        """Yield the jobs as both schedulers go through them."""
        key_in, cluster = self._key_in, self._cluster
        if key_in is None or all(len(cluster.choices(job)) == 1 for job in queue):
            return entries_of(queue, cluster, self._tiers)
        return entries_of(
            queue, cluster, self._tiers, key_in=lambda job, partition: key_in(job, partition, now)
        )

    def _main_is_due(self, now: float) -> bool:
        """Say whether the main scheduler looks at the jobs now.

        That a job has ended it sees at the next whole second, since it comes once in each.
        """
        told, whole_after = self.told, self._parameters.whole_after
        if now == self._last_main:
            return True
        due = whole_after(max(now, self._last_full + told.sched_interval))
        if self._ended:
            due = whole_after(now)
        elif not told.defer:
            due = min(due, self._last_main + told.batch_sched_delay)
        self._ended = False
        self._main_due = min(self._main_due, due)
        return now >= self._main_due

    def backfill(
        self, queue: list[Job], plan: Plan, *, chosen: Sequence[Job] = (), now: float
    ) -> list[Job]:
        """Plan all waiting jobs, and start those whose start is now.

        Parameters
        ----------
        queue
            The waiting jobs in their order; those that are started are removed.
        plan
            The running jobs.
        chosen
            Those that were started at this date, and are not in the plan.
        now
            In seconds.

        Returns
        -------
        list of Job
            In the order of their starts; the others have their planned starts for promises.
        """
        cluster, parameters = self._cluster, self._parameters
        now = parameters.whole(now)
        soon = -NEVER if parameters.old else now + SOON
        running = [
            End(max(parameters.whole(job.planned_end), soon), job.number, cluster.held(job))
            for job in plan.jobs
        ]
        running += [End(now + job.running, job.number, cluster.held(job)) for job in chosen]
        running.sort()
        planner = Planner(
            cluster, running, parameters=parameters, now=now, memory=self._memory,
            is_limited=self._is_limited,
        )  # fmt: skip
        if self.told.bf_running_job_reserve or self.told.bf_licenses:
            self._keep_running(planner, plan, chosen, now=now)
        self.planned = {}
        started: dict[int, Job] = {}
        with suppress(EnoughTested):
            self._plan_all(planner, queue, started, now)
        for job in queue:
            found = self.planned.get(job.number)
            if found is not None and job.number not in started and found.start != job.last_promise:
                job.promise(found.start)
        take_out(queue, list(started.values()))
        return list(started.values())

    def _plan_all(
        self, planner: Planner, queue: list[Job], started: dict[int, Job], now: float
    ) -> None:
        """Plan the jobs in their order, and start those that can."""
        told, planned = self.told, self.planned
        share = Share(told)
        for job, choice in self._entries(queue, now):
            if job.number in started or not share.has(job, choice.partition):
                continue
            if not told.bf_licenses and not self._licences.has(job):
                continue
            asked = self._licences.asked(job) if told.bf_licenses else None
            keeps = now - job.submit_time >= told.bf_min_age_reserve and not self._is_limited(job)
            made = planner.plan(job, choice, job.backfilling, licences=asked, keeps=keeps)
            if made is not None and made.start > now:
                other = planned.get(job.number)
                if other is None or made.start < other.start:
                    planned[job.number] = made
            elif made is None or not made.placement or self._is_limited(job, made.placement):
                pass
            elif not self.take(job, made.placement):
                # who has the room has just reached its limit and goes on
                if keeps:
                    planner.keep(now + job.backfilling, nodes=made.placement.mask, licences=asked)
            else:
                started[job.number] = job
                whole = self._cluster.has_whole(job, choice)
                planner.start(job, made.placement, now + job.running, whole=whole, licences=asked)
            if planner.is_full or len(started) == (told.bf_max_job_start or -1):
                return

    def take(self, job: Job, placement: Placement) -> bool:
        """Take room for a job; say whether there is any, and no limit in the way."""
        if not self._licences.has(job) or not self._cluster.take(job, placement, self._machine):
            return False
        self._licences.take(job)
        return True

    def _keep_running(
        self, planner: Planner, plan: Plan, chosen: Sequence[Job], *, now: float
    ) -> None:
        """Enter running jobs in the table of plans: their licences, and their nodes if whole."""
        ends = [(max(job.planned_end, now + SOON), job) for job in plan.jobs]
        ends += [(now + job.running, job) for job in chosen]
        for end, job in ends:
            held = self._cluster.held(job)
            choices = self._cluster.choices(job)
            whole = any(self._cluster.has_whole(job, choice) for choice in choices)
            asked = self._licences.asked(job)
            if whole or asked:
                planner.keep(end, nodes=held.mask if whole else 0, licences=asked)


def _is_free(job: Job, placement: Placement | None = None) -> bool:
    """Say that no limit stops a job, where there is none."""
    del job, placement
    return False


def _is_old(version: str | None) -> bool:
    """Say whether a version such as ``22.05.8`` plans as 22.05 does."""
    year = (version or "").partition(".")[0]
    return year.isdecimal() and int(year) < OLD


def _note_overtaking(queue: list[Job], chosen: list[Job]) -> None:
    """Note which of the jobs have started before others that were ahead of them."""
    started = {job.number for job in chosen}
    passed = False
    for job in queue:
        if job.number not in started:
            passed = True
        elif passed:
            job.started_as = BACKFILLED
