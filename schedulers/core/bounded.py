"""A bound on waiting, around any backfilling that remembers nothing."""

from schedulers.core.backfilling import Backfilling
from schedulers.core.backlog import Backlog, Worth
from schedulers.core.conservative import Kinds
from schedulers.core.constants import HEAD, NEVER
from schedulers.core.job import Job, by_number
from schedulers.core.machine import Availability, Machine
from schedulers.core.orders import Lxf
from schedulers.core.plan import Plan
from schedulers.core.trusted import Trusted


class Bounded(Backfilling):
    """Gives a job that has waited long enough a reservation that nobody may push back.

    At the first pass after a job has waited for `wait`, it is given the earliest place that fits
    around the running jobs, all taken to run up to their walltimes, and around the places of the
    jobs that had waited so long before. From then on the place only ever moves to an earlier date,
    and no other job starts unless it fits around it up to its own walltime: a prediction that turns
    out too short can't push it. The other jobs are chosen by the backfilling inside, in their
    order; one that has room on what is free, but not up to its own walltime, is not told to it.

    So a job waits at most ``wait + W + S``: W is the longest walltime of the jobs that run when it
    has waited for `wait`, and S the sum of the walltimes of the jobs that were submitted before it
    and wait at that date. Those that run started before, and are gone W later. Those that wait have
    waited longer, and have their places before it is given one. From W on these leave no
    gap in which the machine is empty, because the first job after a gap could be moved to the
    gap's begin, and places are moved until none can be moved any more. So at the latest after all
    of their walltimes the machine is empty, and the job has its place there or before. Jobs without
    a walltime bound nothing. Where messages take time, a wait is longer by theirs.

    A job can be protected earlier for two reasons. One is that others overtake it: jobs that were
    submitted after it have started before it with the work `overtaken`, each counted as processors
    x walltime. The other is that it will have waited too long by the time that there is room for
    it: its wait, and `ahead` times what the running jobs still need to make room for it by their
    walltimes, times what walltimes are worth (`Worth`), make `wait` together. The jobs that are
    about to start count as running, so none starts that makes another one late. It then gets a
    place that nobody may push back but the jobs that have waited for `wait`: theirs are given, and
    moved to earlier dates, as if it had none, and it gets another where one of them needs its own.
    When it has waited for `wait` itself, its place is given anew, as one of theirs. The proof needs
    both. A place beside a far one can be in its way when jobs end early, and the far one is given
    when other jobs run than those that W counts; so the places of those that have waited are the
    same as if no other were ever given, and what was shown of them holds.

    With a `backlog` the wait is no constant but what the backlog has made of it at each pass, and
    the bound is the same with the wait that the job had at the pass at which it had waited for so
    long first, W and S as of then. A job that was submitted before another has waited longer at any
    pass, so here too jobs are protected in the order of submission, and one that is protected stays
    it, whatever becomes of the wait, shorter or longer; the proof uses no more of it. No longer
    wait is ever asked for than `least` or `share` times the largest backlog, with every job that
    has not ended taken to need its whole walltime, so at the first pass after that a job is
    protected.

    Parameters
    ----------
    inside
        Chooses among the jobs that are not protected.
    wait, overtaken
        A job is protected after so many seconds, or so many processor seconds that overtook it.
    backlog
        Gives the wait instead of `wait`.
    ahead
        The share of the time until there is room for a job that counts as waited.
    while_trusting
        It looks ahead only while this trusts the estimates, so that without trust jobs are
        scheduled as by EASY until they have waited long enough themselves.
    ageing
        The order of the queue, where its `ageing` needs the wait of each pass.
    """

    wait: float
    overtaken: float
    ahead: float
    availability: Availability
    started_by_bound: list[Job]

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
        self._worth = Worth()
        self._longest = 0.0
        self._freed = False
        self._looks = 0
        self._kinds = Kinds()
        # the jobs that the last pass started at the places it had kept for them
        self.started_by_bound = []

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self.machine = machine
        # beside the running jobs, taken to run up to their walltimes; places are added in a pass
        self.availability = machine.availability(0.0)
        if self.backlog is not None:
            self.backlog.processors = machine.processors
        self.inside.begin(machine)

    def ended(self, job: Job, now: float) -> None:
        """Tell the backfilling inside; see `Backfilling`."""
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
        """Tell the backfilling inside; see `Backfilling`."""
        self.inside.corrected(job, planned_end, now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Forget the place of a job that a rule stops; see `Backfilling`."""
        # places are only in the availability while a pass lasts
        if job.reserved_at >= 0.0:
            job.reserved_at = -1.0
            # others may move to where it was
            self._freed = True
        job.waited = False
        if self.backlog is not None:
            self.backlog.withdrawn(job)

    def changed(self, plan: Plan, now: float) -> None:
        """Look at the machine anew; see `Backfilling`."""
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
        """Count the work that has overtaken each waiting job."""
        for job in started:
            work = job.processors * job.walltime
            for waiting in queue:
                if waiting.number < job.number:
                    waiting.overtaken += work

    def choose_bounded(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Give places to those that have waited, or will have, and let the others fill."""
        protected: list[Job] = []
        for job in queue:
            # those that have been protected because of their wait have places
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
            late = self.late_ones(others, now) if doubtful else []
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
        """Return the share of the time until there is room that counts as waited."""
        if self._while_trusting is not None and not self._while_trusting.trusts:
            return 0.0
        share = self.ahead * self._worth.part()
        return share if share < 1.0 else 1.0

    def mark_doubtful(self, queue: list[Job], now: float) -> bool:
        """Mark who may have waited too long by the time that there is room; say whether any."""
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

    def late_ones(self, others: list[Job], now: float) -> list[Job]:
        """Return those that will, beside what runs, has a place, or has just been chosen."""
        share = self.share_ahead()
        late: list[Job] = []
        self._looks += 1
        for job in others:
            if not job.late:
                continue
            kind = job.alike
            if kind is None:
                kind = self._kinds.note(job)
            if kind.asked != self._looks or not self.machine.by_size:
                kind.asked = self._looks
                kind.room = self.availability.place(job, job.walltime)
                self.availability.give_back(job, kind.room, kind.room + job.walltime)
            if now - job.submit_time + share * (kind.room - now) >= self.wait:
                late.append(job)
        return late

    def give_all_places(self, protected: list[Job], now: float) -> None:
        """Move each place to the earliest date: those of the jobs that have waited come first."""
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
        """Give a place to each job that has none, or whose place is somebody else's now."""
        availability = self.availability
        held: list[Job] = []
        for job in jobs:
            if job.reserved_at < 0.0:
                continue
            # one whose place has begun waits for processors of which the end is not yet reported
            place = max(now, job.reserved_at)
            if availability.place_at(job, place, job.walltime):
                held.append(job)
            else:
                job.reserved_at = -1.0
        if self._freed:
            # once is not enough: a job can be kept back by the place of one that is then moved
            # itself, and a later job would fill the gap; the bound needs that no gap remains
            while self.move_up(held, now):
                pass
        for job in jobs:
            if job.reserved_at < 0.0:
                job.reserved_at = availability.place(job, job.walltime)

    def move_up(self, jobs: list[Job], now: float) -> bool:
        """Move places to earlier dates; say whether any was."""
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
        """Start the jobs whose place begins now, and take them out of the queue."""
        chosen: list[Job] = []
        for job in jobs:
            if job.reserved_at > now or not self.machine.start(job, self.availability):
                job.promise(job.reserved_at)
                continue
            job.reserved_at = -1.0
            job.waited = False
            queue.remove(job)
            # for the backfilling inside it runs already
            plan.start(job, now)
            chosen.append(job)
        return chosen

    def choose_others(self, others: list[Job], plan: Plan, now: float) -> list[Job]:
        """Take out jobs that the backfilling inside chooses, until none pushes a place back."""
        # a job that can only push a place back is not told to it at all: else it would take room
        # from those that can start
        chosen: list[Job] = []
        # another of those that are chosen at once, or a machine that puts a job elsewhere than
        # where it has a place, may leave it none
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
        """Leave out those that ask for no more than is free, but have no place that begins now."""
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
        """Let a job that was chosen run up to its walltime, unless that pushes a place back."""
        end = now + job.walltime
        if not self.availability.may_hold(job, end):
            return False
        self.availability.hold(job, end)
        if job.planned_end < 0.0:
            plan.start(job, now)
        return True

    def withdraw(self, job: Job, plan: Plan) -> None:
        """Undo that a job was chosen."""
        self.machine.give_back(job)
        job.started_as = HEAD
        if job.planned_end >= 0.0:
            plan.remove(job)
            job.planned_end = -1.0
