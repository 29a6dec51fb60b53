"""A bound on waiting for any backfilling rule that keeps no state between passes."""

from schedulers.core.backfilling import Backfilling
from schedulers.core.backlog import Backlog, UsedFraction
from schedulers.core.conservative import Kinds
from schedulers.core.constants import HEAD, NEVER
from schedulers.core.job import Job, Plan, by_number
from schedulers.core.machine import Availability, Machine
from schedulers.core.orders import Lxf
from schedulers.core.trusted import Trusted


class Bounded(Backfilling):
    """Protects each job that has waited long enough by a reservation that never moves back.

    A reservation is a start, a duration and room on the machine. At the first pass after a job has
    waited for `wait` seconds, the job gets the earliest possible reservation. Running jobs count
    with their full walltimes, and jobs that were protected earlier keep their reservations. From
    then on the reservation only moves to earlier dates. Another job starts only if it delays no
    reservation, even if it runs for its full walltime. So a prediction that is too short cannot
    delay a protected job. The inner backfilling rule chooses among the jobs without reservations,
    in their order. It does not see jobs that fit now but would delay a reservation.

    The bound: a job waits at most ``wait + W + S``. W is the longest walltime of the jobs that run
    when the job has waited for `wait`. S is the sum of the walltimes of the jobs that were
    submitted earlier and still wait at that moment.

    Proof: after W, these running jobs have ended. The earlier jobs have waited longer, so they
    already have reservations. After W, these reservations leave no gap in which the machine is
    empty. Otherwise the first job after the gap could move to the beginning of the gap, but
    reservations are moved until none can move. So the earlier jobs end at W + S at the latest. The
    machine is empty then, so the job's reservation begins there or earlier.

    If jobs have no walltimes, the bound does not hold. Delays of messages add to the bound.

    A job can be protected earlier for two reasons:

    - Others have overtaken it too often: the jobs that were submitted later and started earlier
      have the total work `overtaken` (processors x walltime).
    - It would wait too long: its wait, plus `ahead` x `UsedFraction` x the time until running jobs
      make room for it by their walltimes, reaches `wait`. Jobs about to start count as running, so
      no start makes another job wait too long.

    A job that is protected earlier has an early reservation. Jobs that have waited for `wait` take
    precedence: their reservations are computed as if no early reservations existed. A job whose
    early reservation is taken gets another reservation. When the job itself has waited for `wait`,
    it gets a new reservation in the same way. So early reservations never change the reservations
    of jobs that have waited for `wait`, as the proof requires.

    With a `backlog`, the wait changes from pass to pass. The bound then holds with the wait, W and
    S of the pass that first protected the job. A job that was submitted earlier has always waited
    longer, so jobs are still protected in the order of submission. A protected job stays protected
    even if the wait grows later. The wait never exceeds the greater of `least` and `share` times
    the largest backlog in which all jobs that have not ended count with their full walltimes.

    Parameters
    ----------
    inside
        The backfilling rule for the jobs that are not protected.
    wait, overtaken
        A job is protected after it has waited for `wait` seconds, or after jobs with the work
        `overtaken` (in processor seconds) have overtaken it.
    backlog
        Determines the wait at each pass, instead of `wait`.
    ahead
        This fraction of the time until a job has room counts as time that the job has waited.
    while_trusting
        `Bounded` uses `ahead` only while this rule trusts the estimates. Without trust, EASY
        schedules the jobs until they have waited for `wait`.
    ageing
        The order of the queue, if its option `ageing` needs the value of `wait` at each pass.
    """

    availability: Availability

    def __init__(
        self,
        inside: Backfilling,
        *,
        wait: float = NEVER,
        overtaken: float = NEVER,
        backlog: Backlog | None = None,
        ahead: float = 0.0,
        while_trusting: Trusted | None = None,
        ageing: Lxf | None = None,
    ) -> None:
        self.plans = self.remembers = True
        self.only_fitting = self.asks = False
        self.inside = inside
        self.wait = wait
        self.overtaken = overtaken
        self.backlog = backlog
        self.ahead = ahead
        self._while_trusting = while_trusting
        self._ageing = ageing
        if ageing is not None:
            ageing.limit = wait
        self._worth = UsedFraction()
        self._longest = 0.0
        self._freed = False
        self._looks = 0
        self._kinds = Kinds()
        # the jobs that the last pass started in their reservations
        self.started_by_bound: list[Job] = []

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine; see `Backfilling`."""
        self.machine = machine
        # the room beside running jobs that use their full walltimes; a pass adds the reservations
        self.availability = machine.availability(0.0)
        if self.backlog is not None:
            self.backlog.processors = machine.processors
        self.inside.begin(machine)

    def ended(self, job: Job, now: float) -> None:
        """Free the room of an ended job, and report it to the inner rule; see `Backfilling`."""
        self._freed = True
        end = job.started + job.walltime
        if end > now:
            self.availability.advance(now)
            self.availability.give_back(job, now, end)
        self._worth.ended(job, now)
        if self.backlog is not None:
            self.backlog.ended(job, now)
        self.inside.ended(job, now)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Report the corrected estimate to the inner rule; see `Backfilling`."""
        self.inside.corrected(job, planned_end, now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Forget the reservation of a job that a site rule stops; see `Backfilling`."""
        # the availability contains reservations only during a pass, so nothing is given back here
        if job.reserved_at >= 0.0:
            job.reserved_at = -1.0
            # other jobs may move to the freed room
            self._freed = True
        job.waited = False
        if self.backlog is not None:
            self.backlog.withdrawn(job)

    def changed(self, plan: Plan, now: float) -> None:
        """Compute the availability again; see `Backfilling`."""
        self._freed = True
        self.availability = self.machine.availability(now)
        for job in plan.jobs:
            end = job.started + job.walltime
            self.availability.hold(job, max(now, end))

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        if self.backlog is not None:
            self.backlog.look(queue, self._worth.part())
            self.wait = self.backlog.wait()
            if self._ageing is not None:
                self._ageing.limit = self.wait
        chosen = self.choose_bounded(queue, plan, now)
        if self.backlog is not None:
            self.backlog.started(chosen)
        if self.overtaken < NEVER:
            self.count_overtaken(queue, chosen)
        return chosen

    def count_overtaken(self, queue: list[Job], started: list[Job]) -> None:
        """Add the work of the started jobs to `overtaken` of the jobs that they overtook."""
        for job in started:
            work = job.processors * job.walltime
            for waiting in queue:
                if waiting.number < job.number:
                    waiting.overtaken += work

    def choose_bounded(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Give reservations to jobs that wait or will wait too long, then choose other jobs."""
        protected: list[Job] = []
        for job in queue:
            # jobs that an earlier pass protected already have reservations
            if (
                now - job.submit_time >= self.wait
                or job.reserved_at >= 0.0
                or job.overtaken >= self.overtaken
            ):
                protected.append(job)
        doubtful = self.mark_doubtful(queue, now)
        self.started_by_bound = []
        availability = self.availability
        availability.advance(now)
        if not protected and not doubtful:
            chosen = self.inside.choose(queue, plan, now)
            for job in chosen:
                availability.hold(job, now + job.walltime)
            return chosen
        protected.sort(key=by_number)
        self.give_all_places(protected, now)
        chosen = self.start_placed(protected, queue, plan, now)
        while True:
            others = [job for job in queue if job.reserved_at < 0.0]
            filling = self.choose_others(others, plan, now)
            late = self.late_jobs(others, now) if doubtful else []
            if not late:
                break
            for job in filling:
                availability.give_back(job, now, now + job.walltime)
                self.withdraw(job, plan)
            late.sort(key=by_number)
            self.give_places(late, now)
            chosen = chosen + self.start_placed(late, queue, plan, now)
        self.started_by_bound = chosen
        for job in filling:
            queue.remove(job)
        for job in queue:
            if job.reserved_at >= 0.0:
                place = max(now, job.reserved_at)
                availability.give_back(job, place, place + job.walltime)
        return chosen + filling

    def share_ahead(self) -> float:
        """Return which fraction of the time until a job has room counts as time that it waited."""
        if self._while_trusting is not None and not self._while_trusting.trusts:
            return 0.0
        share = self.ahead * self._worth.part()
        return share if share < 1.0 else 1.0

    def mark_doubtful(self, queue: list[Job], now: float) -> bool:
        """Mark jobs that may wait too long before they have room; return whether any was marked."""
        share = self.share_ahead()
        if not share:
            return False
        for job in queue:
            if job.walltime > self._longest:
                self._longest = job.walltime
        latest = now - self.wait + share * self._longest
        found = False
        for job in queue:
            job.late = job.submit_time <= latest and not (
                now - job.submit_time >= self.wait
                or job.reserved_at >= 0.0
                or job.overtaken >= self.overtaken
            )
            found = found or job.late
        return found

    def late_jobs(self, others: list[Job], now: float) -> list[Job]:
        """Return the jobs that will wait too long, given running, placed and chosen jobs."""
        share = self.share_ahead()
        late: list[Job] = []
        self._looks += 1
        for job in others:
            if not job.late:
                continue
            kind = job.alike
            if kind is None:
                kind = self._kinds.note(job)
            if kind.room_at != self._looks or not self.machine.by_size:
                kind.room_at = self._looks
                kind.room = self.availability.place(job, job.walltime)
                self.availability.give_back(job, kind.room, kind.room + job.walltime)
            if now - job.submit_time + share * (kind.room - now) >= self.wait:
                late.append(job)
        return late

    def give_all_places(self, protected: list[Job], now: float) -> None:
        """Give protected jobs their earliest reservations; jobs that waited for `wait` first."""
        waited: list[Job] = []
        early: list[Job] = []
        for job in protected:
            if now - job.submit_time >= self.wait or job.waited:
                if not job.waited:
                    job.waited = True
                    job.reserved_at = -1.0
                waited.append(job)
            else:
                early.append(job)
        self.give_places(waited, now)
        if early:
            self.give_places(early, now)
        self._freed = False

    def give_places(self, jobs: list[Job], now: float) -> None:
        """Give a reservation to each job that has none, or whose reservation is taken."""
        availability = self.availability
        held: list[Job] = []
        for job in jobs:
            if job.reserved_at < 0.0:
                continue
            # if a reservation has begun, its job waits until the end of another job is reported
            place = max(now, job.reserved_at)
            if availability.place_at(job, place, job.walltime):
                held.append(job)
            else:
                job.reserved_at = -1.0
        if self._freed:
            # a moved reservation can free room for an earlier job; the bound holds only if no gap
            # remains, so repeat this until no reservation moves
            while self.move_up(held, now):
                pass
        for job in jobs:
            if job.reserved_at < 0.0:
                job.reserved_at = availability.place(job, job.walltime)

    def move_up(self, jobs: list[Job], now: float) -> bool:
        """Move reservations to earlier dates; return whether any moved."""
        moved = False
        for job in jobs:
            if job.reserved_at <= now:
                continue
            place = self.availability.move_up(job, job.reserved_at, job.walltime)
            if place < job.reserved_at:
                job.reserved_at = place
                moved = True
        return moved

    def start_placed(self, jobs: list[Job], queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Start the jobs whose reservations begin now, and remove them from the queue."""
        chosen: list[Job] = []
        for job in jobs:
            if job.reserved_at > now or not self.machine.start(job, self.availability):
                job.promise(job.reserved_at)
                continue
            job.reserved_at = -1.0
            job.waited = False
            queue.remove(job)
            # the inner rule must count the job as running
            plan.start(job, now)
            chosen.append(job)
        return chosen

    def choose_others(self, others: list[Job], plan: Plan, now: float) -> list[Job]:
        """Return the jobs that the inner rule chooses, without jobs that delay a reservation."""
        # `able` hides jobs that would delay a reservation: the inner rule could choose them
        # instead of jobs that can start
        chosen: list[Job] = []
        # a chosen job can still delay a reservation, because of another chosen job or because the
        # machine gives it other processors than planned
        refused: list[Job] = []
        while self.machine.free and others:
            able = self.able(others, refused, now)
            if not able:
                break
            known = len(refused)
            for job in self.inside.choose(able, plan, now):
                if self.hold(job, plan, now):
                    chosen.append(job)
                else:
                    self.withdraw(job, plan)
                    refused.append(job)
            others[:] = [job for job in others if job.planned_end < 0.0]
            if len(refused) == known:
                break
        return chosen

    def able(self, jobs: list[Job], refused: list[Job], now: float) -> list[Job]:
        """Leave out refused jobs, and jobs that fit now but would delay a reservation."""
        able: list[Job] = []
        free = self.machine.free
        self._looks += 1
        for job in jobs:
            if job.processors <= free:
                kind = job.alike
                if kind is None:
                    kind = self._kinds.note(job)
                if kind.looked != self._looks or not self.machine.by_size:
                    kind.looked = self._looks
                    kind.fits = self.availability.place_at(job, now, job.walltime)
                    if kind.fits:
                        self.availability.give_back(job, now, now + job.walltime)
                if not kind.fits:
                    continue
            if not refused or job not in refused:
                able.append(job)
        return able

    def hold(self, job: Job, plan: Plan, now: float) -> bool:
        """Hold room for a chosen job's walltime; return ``False`` if it delays a reservation."""
        end = now + job.walltime
        if not self.availability.may_hold(job, end):
            return False
        self.availability.hold(job, end)
        if job.planned_end < 0.0:
            plan.start(job, now)
        return True

    def withdraw(self, job: Job, plan: Plan) -> None:
        """Undo the choice of a job, and give back its room."""
        self.machine.give_back(job)
        job.started_as = HEAD
        if job.planned_end >= 0.0:
            plan.remove(job)
            job.planned_end = -1.0
