"""The passes of Slurm's main scheduler and of backfill through the waiting jobs."""

from collections.abc import Callable, Mapping
from typing import Any

from schedulers.core.backfilling import Backfilling
from schedulers.core.constants import BACKFILLED, NEVER
from schedulers.core.job import Job, Plan, by_number, take_out
from schedulers.core.machine import Machine
from schedulers.core.nodeset import NodeSet
from schedulers.machine.node_layout import Choice
from schedulers.site.batch_system import Slurm
from schedulers.slurm.calendar import ALL, SOON, Calendar, ceil, floor
from schedulers.slurm.cluster import Cluster, Ending, KeyIn, Line, ending_of, insert
from schedulers.slurm.licences import Licences, Share
from schedulers.slurm.planner import Planner
from schedulers.slurm.table import Licences as Wanted


class SlurmPasses(Backfilling):
    """Decides when Slurm's schedulers go through the waiting jobs, and starts jobs.

    `first` holds, for each partition, the job at which the last main pass stopped because too few
    resources were free (reason ``Resources``). The jobs behind it wait with the reason
    ``Priority``. Jobs that a limit stops are not in the queue.
    """

    skips_limited = True

    cluster: Cluster
    calendar: Calendar
    planner: Planner
    licences: Licences
    share: Share | None
    is_limited: Callable[[Job, Any], bool] | None
    tiers: dict[str, int]
    first: dict[str, Job]

    def __init__(self) -> None:
        super().__init__()
        self.remembers = self.asks = True
        self.key_in: KeyIn | None = None

    def begin_passes(
        self,
        machine: Machine,
        cluster: Cluster,
        *,
        settings: Slurm,
        calendar: Calendar,
        licences: Licences,
        is_limited: Callable[[Job, Any], bool] | None,
        tiers: Mapping[str, int],
    ) -> None:
        """Start with an idle machine, or with the site's gate around it.

        `cluster` is the machine as Slurm sees it. `settings` holds Slurm's parameters. `is_limited`
        says whether a limit stops a job with a given placement, or with any placement. Without
        limits it is ``None``. `tiers` holds the tiers of the partitions.
        """
        self.machine, self.cluster, self.calendar = machine, cluster, calendar
        self.licences = licences
        self.has_licences = bool(licences.all)
        self.plans_with_licences = settings.bf_licenses
        self.is_limited = is_limited
        self.tiers = dict(tiers) if len(set(tiers.values())) > 1 else {}
        share = Share(settings)
        self.share = share if share.counts else None
        self.interval = float(settings.bf_interval)
        self.min_age_reserve = float(settings.bf_min_age_reserve)
        self.reserves_running = settings.bf_running_job_reserve
        self.most_starts = settings.bf_max_job_start
        self.depth = settings.default_queue_depth
        self.partition_depth = settings.partition_job_depth
        self.full_interval = float(settings.sched_interval)
        self.batch_delay = float(settings.batch_sched_delay)
        self.defers = settings.defer
        self.backfills = settings.backfill
        self.gives_up_after = settings.priority_max_age
        self.planner = Planner(
            cluster,
            calendar,
            settings,
            licences=licences.all if settings.bf_licenses else None,
            is_limited=is_limited,
        )
        self.first = {}
        self.listed = False
        """Whether the planner's list of ends is up to date."""
        # dates of the next and the last passes
        self.due = self.main_due = NEVER
        self.last_main = self.last_full = self.last_backfill = -NEVER
        self.has_ended = self.has_unseen = False
        self.newest = 0
        # the numbers of running and waiting jobs, and the date since which the machine is idle and
        # the queue is unchanged
        self.running = self.waited = 0
        self.still_since = -NEVER

    def ended(self, job: Job, now: float) -> None:
        """Free the resources of a job that has ended; see `Backfilling`."""
        self.cluster.ended(job)
        if self.has_licences:
            self.licences.give_back(job)
        self.has_ended = True
        self.listed = False
        self.running -= 1

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Schedule the next backfill pass; see `Backfilling`."""
        self.listed = False
        self.schedule_next(now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Schedule the next backfill pass, later than the last pass; see `Backfilling`."""
        self.schedule_next(now + self.interval if now == self.last_backfill else now)

    def changed(self, plan: Plan, now: float) -> None:
        """Schedule the next passes of both schedulers; see `Backfilling`."""
        self.planner.forget()
        self.listed = False
        self.has_ended = True
        self.waited = -1
        self.schedule_next(now)

    def schedule_next(self, now: float) -> None:
        """Schedule backfill at the next multiple of its interval."""
        at = ceil(now / self.interval) * self.interval
        self.due = min(self.due, at)

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Return the date of the next pass; see `Backfilling`.

        If no job runs and no job is submitted, passes continue only while the age of jobs can still
        change priorities (``priority_max_age``).
        """
        if self.running or waiting != self.waited:
            self.still_since = now
            self.waited = waiting
        # without this end, passes would continue for ever for a job that can never start
        if not waiting or now > self.still_since + self.gives_up_after:
            return NEVER
        at = min(self.due, self.main_due)
        if order_changes and self.backfills:
            at = min(at, (floor(now / self.interval) + 1.0) * self.interval)
        if self.has_unseen or order_changes or self.defers:
            full = max(now, self.last_full + self.full_interval)
            at = min(at, self.calendar.ceil_second(full))
        return at

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        self.cluster.look(plan)
        ahead = queue[:]
        chosen: list[Job] = []
        if self.main_is_due(now):
            full = now >= self.last_full + self.full_interval
            self.last_main = now
            self.main_due = NEVER
            if full:
                self.last_full = now
            for number in self.submissions(queue):
                come = queue if number == ALL else [job for job in queue if job.number < number]
                started = self.main_pass(come, now, full)
                take_out(queue, started)
                chosen = chosen + started
            self.has_unseen = not full and len(queue) > self.depth
        if self.backfills:
            self.schedule_next(now)
            if now >= self.due:
                self.due = NEVER
                self.last_backfill = now
                started = self.backfill(queue, plan, chosen, now)
                if started:
                    # backfill plans a job differently once the job runs, so plan again
                    self.schedule_next(now + self.interval)
                    chosen = chosen + started
        if chosen:
            self.listed = False
            note_overtaking(ahead, chosen)
            self.running += len(chosen)
        return chosen

    def main_is_due(self, now: float) -> bool:
        """Return ``True`` if the main scheduler runs now.

        It runs at most once per second. After the end of a job, it runs at the next whole second.
        """
        if now == self.last_main:
            return True
        due = self.calendar.ceil_second(max(now, self.last_full + self.full_interval))
        if self.has_ended:
            due = self.calendar.ceil_second(now)
        elif not self.defers:
            due = min(due, self.last_main + self.batch_delay)
        self.has_ended = False
        self.main_due = min(self.main_due, due)
        return now >= self.main_due

    def submissions(self, queue: list[Job]) -> list[int]:
        """Return, for each main pass at this date, the job number below which jobs take part.

        Without ``batch_sched_delay``, the main scheduler makes a pass after each submission. In a
        log with whole seconds, several jobs may have been submitted at one date. Their numbers give
        the order of submission. A job array counts as one submission.
        """
        if self.batch_delay or self.defers:
            return [ALL]
        new = [
            job for job in queue if job.number > self.newest and job.submit_time == self.last_main
        ]
        new.sort(key=by_number)
        numbers: list[int] = []
        array = None
        for job in new:
            of = (job.fields or {}).get("array")
            if of is None or of != array:
                numbers.append(job.number)
            array = of
            self.newest = job.number
        return [*numbers[1:], ALL]

    def main_pass(self, queue: list[Job], now: float, full: bool) -> list[Job]:  # noqa: FBT001
        """Start jobs in the order of the queue; return the started jobs.

        In each partition, the pass stops at the first job that cannot start. Later jobs must not
        use the nodes of this partition. A `full` pass goes through all jobs, any other pass only
        through the first ``default_queue_depth`` jobs.
        """
        cluster = self.cluster
        chosen: list[Job] = []
        stopped: dict[str, Job] = {}
        kept = None
        started: set[int] = set()
        looked: set[int] = set()
        of_partition: dict[str, int] = {}
        line = Line(queue, cluster, self.tiers, self.key_in, now)
        while line.advance():
            if kept is not None and kept.contains(cluster.nodes):
                break
            job, choice = line.job, line.choice
            name = choice.partition
            if name in stopped or job.number in started:
                continue
            if not full:
                looked.add(job.number)
                if len(looked) > self.depth:
                    break
            if self.partition_depth:
                of_partition[name] = of_partition.get(name, 0) + 1
                if of_partition[name] > self.partition_depth:
                    continue
            if self.stops(job, None):
                continue
            usable = self.usable(job, choice, kept, now)
            has_room = cluster.place(job, choice, cluster.room, usable)
            if has_room and self.stops(job, cluster.placement):
                continue
            if has_room and self.take(job):
                started.add(job.number)
                chosen.append(job)
                continue
            stopped[name] = job
            kept = NodeSet(cluster.nodes.nodes) if kept is None else kept
            kept.add(cluster.of_choice(choice))
        self.first = stopped
        return chosen

    def usable(self, job: Job, choice: Choice, kept: NodeSet | None, now: float) -> NodeSet:
        """Return the nodes that a job may use now, without the nodes `kept` for other jobs."""
        usable = self.cluster.of_choice(choice)
        if kept is not None:
            usable = usable.minus(kept)
        closed = self.cluster.closed(job, now)
        if closed is not None:
            usable = usable.minus(closed)
        return usable

    def stops(self, job: Job, placement: Any) -> bool:  # noqa: ANN401 - the machine's own
        """Return ``True`` if a limit stops a job with this placement; ``None`` means any."""
        return self.is_limited is not None and self.is_limited(job, placement)

    def take(self, job: Job) -> bool:
        """Give a job the cluster's `found` nodes; return ``False`` without room or licences."""
        if self.has_licences and not self.licences.has(job):
            return False
        if not self.cluster.take(job, self.machine):
            return False
        if self.has_licences:
            self.licences.take(job)
        return True

    def backfill(self, queue: list[Job], plan: Plan, chosen: list[Job], now: float) -> list[Job]:
        """Plan all waiting jobs. Remove the jobs that start now from the queue, and return them.

        The jobs in `chosen` have started at this date and are not yet in `plan`. The jobs that
        remain in the queue get planned starts.
        """
        now = self.calendar.whole(now)
        planner = self.planner
        planner.begin(self.ends(plan, chosen, now), now)
        self.listed = not chosen
        if self.reserves_running or self.plans_with_licences:
            self.keep_running(plan, chosen, now)
        started = self.plan_all(queue, now)
        take_out(queue, started)
        return started

    def plan_all(self, queue: list[Job], now: float) -> list[Job]:
        """Plan the jobs in the order of the queue; return the started jobs."""
        planner = self.planner
        started: list[Job] = []
        # the earliest planned starts of jobs with several partitions
        earliest: dict[int, float] = {}
        numbers: set[int] = set()
        licences = None
        if self.share is not None:
            self.share.begin()
        line = Line(queue, self.cluster, self.tiers, self.key_in, now)
        while line.advance():
            job, choice = line.job, line.choice
            if (not line.once and job.number in numbers) or self.skips(job, choice):
                continue
            if self.plans_with_licences:
                licences = self.licences.request_of(job)
            keeps = now - job.submit_time >= self.min_age_reserve and not self.stops(job, None)
            start = planner.plan(job, choice, job.backfilling, keeps, licences)
            if planner.has_tested_enough:
                break
            if start <= now:
                if self.starts(job, choice, now, keeps, licences):
                    numbers.add(job.number)
                    started.append(job)
            elif not line.once:
                earliest[job.number] = min(start, earliest.get(job.number, NEVER))
            elif start != job.last_promise:
                job.promise(start)
            if planner.is_full or len(started) == self.most_starts > 0:
                break
        for job in queue if earliest else ():
            start = earliest.get(job.number, NEVER)
            if job.number not in numbers and start != job.last_promise:
                job.promise(start)
        return started

    def skips(self, job: Job, choice: Choice) -> bool:
        """Return ``True`` if backfill skips a job in a partition: by a count, or for licences."""
        if self.share is not None and not self.share.has(job, choice.partition):
            return True
        return self.has_licences and not self.plans_with_licences and not self.licences.has(job)

    def starts(
        self,
        job: Job,
        choice: Choice,
        now: float,
        keeps: bool,  # noqa: FBT001
        licences: Wanted | None,
    ) -> bool:
        """Start a job on the nodes found last, unless a limit stops it there."""
        planner, cluster = self.planner, self.cluster
        if self.stops(job, cluster.placement):
            return False
        if self.take(job):
            planner.start(job, now + job.running, cluster.gets_whole_nodes(job, choice), licences)
            return True
        if keeps:
            # a job that has run beyond its time limit still holds the nodes
            planner.keep(now + job.backfilling, cluster.found, licences)
        return False

    def ends(self, plan: Plan, chosen: list[Job], now: float) -> list[Ending]:
        """Return the planned ends of the running jobs, sorted by date and job number."""
        if self.listed and not chosen:
            # no job has started or ended since the last pass
            ends = self.planner.rooms.ends
            if not ends:
                return ends
            ending = ends[0]
            if ending.date > now + SOON:
                return ends
        cluster, calendar = self.cluster, self.calendar
        soon = -NEVER if calendar.old else now + SOON
        ends = []
        for job in plan.jobs:
            date = max(calendar.whole(job.planned_end), soon)
            insert(ends, ending_of(date, job.number, cluster.held(job), cluster.placement_of(job)))
        for job in chosen:
            date = now + job.running
            insert(ends, ending_of(date, job.number, cluster.held(job), cluster.placement_of(job)))
        return ends

    def keep_running(self, plan: Plan, chosen: list[Job], now: float) -> None:
        """Reserve the licences and the whole nodes of running jobs in the planner's table."""
        ends = [(max(job.planned_end, now + SOON), job) for job in plan.jobs]
        ends += [(now + job.running, job) for job in chosen]
        cluster = self.cluster
        for end, job in ends:
            whole = any([cluster.gets_whole_nodes(job, choice) for choice in cluster.choices(job)])
            licences = self.licences.request_of(job)
            if whole:
                self.planner.keep(end, cluster.held(job), licences)
            elif licences:
                self.planner.keep(end, NodeSet(cluster.nodes.nodes), licences)


def note_overtaking(queue: list[Job], chosen: list[Job]) -> None:
    """Mark the chosen jobs that overtake other jobs of the queue as backfilled."""
    started = {job.number for job in chosen}
    passed = False
    for job in queue:
        if job.number not in started:
            passed = True
        elif passed:
            job.started_as = BACKFILLED
