"""Backfill's plan of the waiting jobs in one pass. It reuses results of the last pass."""

from collections.abc import Callable
from typing import Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.core.nodeset import NodeSet
from schedulers.machine.node_layout import Choice
from schedulers.site.batch_system import Slurm
from schedulers.slurm.calendar import MARGIN, SOON, Calendar
from schedulers.slurm.cluster import Cluster, Ending, ending_of
from schedulers.slurm.rooms import Rooms
from schedulers.slurm.table import Licences, Period, PlanTable, period_of


class RememberedPlan:
    """The remembered plan of a job, and the conditions under which the plan still holds.

    Jobs with equal requests share one such object.
    """

    __slots__ = (
        "added", "added_from", "added_to", "among", "begin", "begun", "beyond", "choice", "ends_by",
        "enough", "entries", "first_end", "following", "is_full", "keeps", "least", "licences",
        "limit", "periods", "sees", "size", "start", "tested", "usable",
    )  # fmt: skip

    # the request
    choice: Choice
    size: int
    limit: float
    keeps: bool
    licences: Licences | None
    least: int
    among: NodeSet
    # the plan
    start: float
    tested: bool
    is_full: bool
    # the table after the job was planned
    periods: list[Period]
    entries: int
    begun: bool
    beyond: float
    first_end: float
    begin: float
    # the result of `look` at the present date; `sees` is the date until which it holds
    enough: bool
    usable: NodeSet | None
    following: float
    sees: float
    # the latest end of the table for which the plan holds
    ends_by: float
    # the reserved nodes or None, and the begin and end of the reservation
    added: NodeSet | None
    added_from: float
    added_to: float


def is_of(looked: RememberedPlan, job: Job, choice: Choice, limit: float, keeps: bool) -> bool:  # noqa: FBT001
    """Return True if a job has the same request as a remembered plan."""
    return (
        looked.size == job.processors
        and looked.limit == limit
        and looked.keeps == keeps
        and looked.choice is choice
    )


class Planner:
    """Plans the waiting jobs. Each job gets the earliest start that delays no job before it.

    The plan reserves whole nodes. Reservations are rounded to the time grid. A planned start is not
    rounded: it is the exact end of the running job for which the waiting job must wait.

    If the running jobs have not changed since the last pass, the planner reuses the plans of the
    first waiting jobs, up to the first one that has changed. A plan also depends on the date. So
    the planner checks whether the job fits now, which reservations begin before the job's end, and
    where the table ends.

    `licences` is the available number of each licence, or ``None`` if backfill does not plan with
    licences. `is_limited` says whether a limit stops a job with a given placement. Such a job gets
    no reservation.

    - `has_tested_enough`: whether nodes were tried for as many jobs as a pass allows
      (``bf_max_job_test``). The pass then ends.
    - `is_full`: whether the last job found the table full. The pass then ends.
    - `jobs`, `looked`: the first jobs of this pass and their remembered plans.
    - `jobs_before`, `before`: the first jobs of the last pass and their plans, if these plans may
      still hold.
    - `alike`: plans by kind of job. They hold while neither the table nor the running jobs change.
    - `again`: whether the table still equals the table at this point of the last pass, except for
      its begin and end.
    - `continues`: whether the planner will remember the plan of the next job.
    """

    jobs: list[Job]
    looked: list[RememberedPlan]
    jobs_before: list[Job]
    before: list[RememberedPlan]

    def __init__(
        self,
        cluster: Cluster,
        calendar: Calendar,
        settings: Slurm,
        *,
        licences: Licences | None,
        is_limited: Callable[[Job, Any], bool] | None,
    ) -> None:
        self.cluster = cluster
        self.calendar = calendar
        self.is_limited = is_limited
        self.settings = settings
        self.window = 60.0 * settings.bf_window
        self.kill_wait = float(settings.kill_wait)
        self.max_job_test = settings.bf_max_job_test
        self.most_entries = settings.bf_node_space_size or settings.bf_max_job_test
        self.shares = not licences and is_limited is None and not cluster.has_dates
        self.has_openings = False
        self.table = PlanTable(cluster.nodes, licences, looks_beyond=not calendar.old)
        self.rooms = Rooms(cluster, calendar)
        self.now = 0.0
        self.tested = 0
        self.has_tested_enough = self.is_full = False
        self.ends_by = NEVER
        self.added: NodeSet | None = None
        self.added_from = self.added_to = 0.0
        self.jobs, self.looked = [], []
        self.jobs_before, self.before = [], []
        self.alike: dict[object, RememberedPlan] = {}
        self.again = self.continues = False

    def forget(self) -> None:
        """Forget the last pass, because the machine itself has changed, for example its size."""
        self.jobs, self.looked = [], []
        self.rooms.forget()

    def begin(self, ends: list[Ending], now: float) -> None:
        """Begin a pass with the ends of the running jobs, sorted by date and job number."""
        calendar = self.calendar
        self.now = now
        begin = calendar.down(now)
        until = calendar.down(now + self.window)
        if until <= begin:
            until = begin + calendar.resolution
        self.table.reset(begin, until)
        self.tested = 0
        self.has_tested_enough = self.is_full = False
        same = self.rooms.begin(ends)
        if ends:
            ending = ends[0]
            # if a job has run beyond its time limit, its assumed end depends on the date
            same = same and ending.date > now + SOON + MARGIN
        self.jobs_before, self.before = [], []
        if same:
            self.jobs_before, self.before = self.jobs, self.looked
        self.jobs, self.looked = [], []
        self.alike = {}
        # checked once per pass, because most sites have no reservations
        self.has_openings = self.cluster.has_dates and bool(self.cluster.openings(now))
        self.again = not self.has_openings
        self.continues = True

    def keep(self, end: float, nodes: NodeSet, licences: Licences | None) -> None:
        """Reserve nodes and licences for a running job until its end."""
        self.alike = {}
        self.table.add(self.table.begin, self.calendar.round_end(end), nodes, licences)

    def start(self, job: Job, end: float, whole: bool, licences: Licences | None) -> None:  # noqa: FBT001
        """Add the end of a job that has just started on the cluster's `found` nodes."""
        found = self.cluster.found
        self.alike = {}
        self.rooms.start(ending_of(end, job.number, found, self.cluster.placement))
        if whole:
            self.keep(end, found, licences)
        elif licences:
            self.keep(end, NodeSet(found.nodes), licences)

    def plan(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        keeps: bool,  # noqa: FBT001
        licences: Licences | None,
    ) -> float:
        """Return the planned start of a job in a partition, in seconds, or `NEVER`.

        If the start is now, the cluster's `found` holds the nodes. The job is planned for `limit`
        seconds. If `keeps` is set and the start is later, the job gets a reservation.
        """
        known = self.known(job, choice, limit, keeps) if self.again else None
        if known is not None and self.holds(known):
            return self.plan_as_remembered(job, known)
        if self.again and (known is None or known.added is not None):
            self.take_up()
            self.again = False
        kind = self.cluster.kind(job) if self.shares else None
        alike = self.alike.get(kind) if self.alike else None
        if alike is not None and is_of(alike, job, choice, limit, keeps):
            return self.plan_as_remembered(job, alike)
        if self.again:
            self.take_up()
        looked = self.look(job, choice, limit, keeps, licences)
        tested = self.tested
        self.ends_by = NEVER
        self.added = None
        start = self.planned(job, looked)
        if start <= self.now or self.has_tested_enough or self.has_openings:
            # the plans of the following jobs depend on the date
            self.again = self.continues = False
            return start
        looked.tested = self.tested > tested
        self.fill(looked, start)
        if self.continues:
            self.again = known is not None and self.leaves_the_same(known, looked)
            self.table.owns_periods = False
        if self.shares and looked.added is None:
            self.alike[kind] = looked
        self.note(job, looked)
        return start

    def look(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        keeps: bool,  # noqa: FBT001
        licences: Licences | None,
    ) -> RememberedPlan:
        """Find the nodes and licences that the table has for a job that starts now."""
        table = self.table
        looked = RememberedPlan.__new__(RememberedPlan)
        looked.choice = choice
        looked.size = job.processors
        looked.limit = limit
        looked.keeps = keeps
        looked.licences = licences
        looked.least = self.cluster.least_nodes(job)
        looked.among = self.cluster.of_partition(choice)
        looked.usable = None
        looked.enough = self.has_now(looked, table.periods)
        if looked.enough and self.continues:
            looked.usable = table.usable.copy()
        looked.following = table.following
        looked.sees = table.sees_until(table.periods, self.now, limit)
        return looked

    def has_now(self, looked: RememberedPlan, periods: list[Period]) -> bool:
        """Return True if the table has enough nodes and licences for a job that starts now."""
        self.table.place = 0
        return self.table.look(
            periods, self.now, looked.limit, looked.least, looked.among, looked.licences
        )

    def fill(self, looked: RememberedPlan, start: float) -> None:
        """Store the plan of a job, and the table after the job was planned."""
        table = self.table
        looked.start = start
        looked.is_full = self.is_full
        looked.periods = table.periods
        looked.entries = table.entries
        looked.begun = table.begun
        looked.beyond = table.beyond
        looked.first_end = table.end_of_first(table.periods)
        looked.ends_by = self.ends_by
        looked.begin = table.begin
        looked.added = self.added
        looked.added_from = self.added_from
        looked.added_to = self.added_to

    def note(self, job: Job, looked: RememberedPlan) -> None:
        """Remember the plan of a job for the next pass."""
        if looked.added is not None:
            self.alike = {}
        if self.continues:
            self.jobs.append(job)
            self.looked.append(looked)

    def plan_as_remembered(self, job: Job, looked: RememberedPlan) -> float:
        """Plan a job by a remembered plan; return its start."""
        if looked.tested:
            self.test()
            if self.has_tested_enough:
                return NEVER
        self.is_full = looked.is_full
        self.note(job, looked)
        return looked.start

    def known(self, job: Job, choice: Choice, limit: float, keeps: bool) -> RememberedPlan | None:  # noqa: FBT001
        """Return the job's plan of the last pass, if the job comes at the same position again."""
        place = len(self.looked)
        if place < len(self.before) and self.jobs_before[place] is job:
            known = self.before[place]
            if is_of(known, job, choice, limit, keeps):
                return known
        return None

    def holds(self, known: RememberedPlan) -> bool:
        """Return True if a remembered plan still holds."""
        now = self.now
        if now > known.start - MARGIN or now > known.first_end - MARGIN:
            return False
        until = self.table.until
        if until > known.ends_by or until > known.beyond:
            return False
        return now < known.sees - MARGIN or self.sees_the_same(known)

    def sees_the_same(self, known: RememberedPlan) -> bool:
        """Return ``True`` if the table still has the same nodes and licences for a job now."""
        table = self.table
        periods = table.periods
        if self.looked:
            last = self.looked[len(self.looked) - 1]
            periods = last.periods
        enough = self.has_now(known, periods)
        if enough != known.enough or table.following != known.following:
            return False
        if enough and (known.usable is None or not table.usable.equals(known.usable)):
            return False
        known.sees = table.sees_until(periods, self.now, known.limit)
        return True

    def take_up(self) -> None:
        """Restore the table after the last job whose remembered plan still held."""
        if not self.looked:
            return
        last = self.looked[len(self.looked) - 1]
        table = self.table
        table.periods = last.periods[:]
        table.owns_periods = True
        period = last.periods[0]
        table.periods[0] = period_of(table.begin, period.free, period.licences)
        table.entries = last.entries
        table.begun = last.begun
        table.beyond = last.beyond

    def leaves_the_same(self, known: RememberedPlan, looked: RememberedPlan) -> bool:
        """Return ``True`` if a job got the same reservation as in the last pass."""
        if known.added is None or looked.added is None:
            return known.added is looked.added
        return (
            known.added_from == looked.added_from
            and known.added_to == looked.added_to
            and known.added.equals(looked.added)
            and (looked.added_from > looked.begin or looked.begin == known.begin)
            and self.table.until <= known.beyond
        )

    def test(self) -> None:
        """Count a job for which nodes are tried, up to the limit of a pass."""
        if self.tested >= self.max_job_test:
            self.has_tested_enough = True
        else:
            self.tested += 1

    def planned(self, job: Job, looked: RememberedPlan) -> float:
        """Return the planned start of a job in seconds, or `NEVER`. Begin with the last `look`."""
        table, now, limit = self.table, self.now, looked.limit
        able = self.cluster.able(job, looked.choice)
        until = table.until
        enough, tested = looked.enough, False
        date = now
        while True:
            start, following = NEVER, table.following
            if self.has_openings:
                openings = self.cluster.openings(date)
                if openings and openings[0] < until:
                    following = min(following, openings[0])
            if enough and self.leaves_enough(job, looked, able, date):
                if not tested:
                    self.test()
                    if self.has_tested_enough:
                        return NEVER
                    tested = True
                start = self.rooms.first_room(job, looked.choice, table.usable, date, following)
                if start < now:
                    # a running job is beyond its time limit
                    start = max(start + self.kill_wait, now + SOON)
                start = max(start, date)
            if start > following or start == NEVER:
                if following == NEVER:
                    return NEVER
                date = following
            elif start <= now or self.reserve_from(job, looked, start):
                return start
            else:
                date = start if start > date else start + self.calendar.resolution
            if date >= until:
                self.ends_by = min(self.ends_by, until)
            enough = table.look(
                table.periods, date, limit, looked.least, looked.among, looked.licences
            )

    def leaves_enough(
        self, job: Job, looked: RememberedPlan, able: NodeSet | None, date: float
    ) -> bool:
        """Return True if enough of the usable nodes suit a job that starts at a date."""
        usable = self.table.usable
        if able is not None:
            usable.keep(able)
        if self.cluster.has_dates:
            closed = self.cluster.closed(job, date)
            if closed is not None:
                usable.remove(closed)
        elif able is None:
            return True
        return usable.count() >= looked.least

    def reserve_from(self, job: Job, looked: RememberedPlan, start: float) -> bool:
        """Reserve the `found` nodes from a later start on; return ``False`` if they are not free.

        After the table's end, all nodes count as free.
        """
        table = self.table
        if start >= table.until:
            self.ends_by = min(self.ends_by, start)
            return True
        begin, end = self.calendar.down(start), self.calendar.round_end(start + looked.limit)
        nodes = self.cluster.found
        if self.cluster.has_dates:
            closed = self.cluster.closed(job, start)
            if closed is not None and closed.overlaps(nodes):
                return False
        if not table.is_free(begin, end, nodes, looked.licences):
            return False
        # the placement depends only on the running jobs, so the plan can be remembered
        if not looked.keeps or (
            self.is_limited is not None and self.is_limited(job, self.cluster.placement)
        ):
            return True
        self.is_full = table.entries >= self.most_entries
        if not self.is_full:
            table.add(begin, end, nodes, looked.licences)
            self.added = nodes
            self.added_from = begin
            self.added_to = end
        return True
