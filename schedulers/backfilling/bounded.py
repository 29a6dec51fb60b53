"""A bound on waiting, around any backfilling that remembers nothing."""

from operator import attrgetter

from schedulers.backfilling.backfilling import Backfilling, at_worst
from schedulers.backfilling.places import move_up
from schedulers.backfilling.plan import Plan
from schedulers.backfilling.protection import Backlog, Worth
from schedulers.backfilling.trusted import Trusted
from schedulers.job import HEAD, Job
from schedulers.machine.machine import NEVER, Machine

_number = attrgetter("number")


class Bounded:
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
    """

    plans = True
    remembers = True

    def __init__(
        self,
        inside: Backfilling,
        *,
        wait: float = NEVER,
        overtaken: float = NEVER,
        backlog: Backlog | None = None,
        ahead: float = 0.0,
        while_trusting: Trusted | None = None,
    ) -> None:
        self.inside = inside
        self.wait = wait
        self.overtaken = overtaken
        self.backlog = backlog
        self.ahead = ahead
        self._while_trusting = while_trusting
        self._worth = Worth()
        # the longest walltime so far
        self._longest = 0.0
        self._work: dict[int, float] = {}
        self._places: dict[int, float] = {}
        self._waited: set[int] = set()
        self._ended = False
        self.started_by_bound: list[Job] = []
        """The jobs that the last pass started at the places it had kept for them."""

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self._machine = machine
        # beside the running jobs, taken to run up to their walltimes; places are added in a pass
        self._availability = machine.availability(0.0)
        if self.backlog is not None:
            self.backlog.begin(machine.processors)
        self.inside.begin(machine)

    def ended(self, job: Job, now: float) -> None:
        """Tell the backfilling inside; see `Backfilling`."""
        self._ended = True
        end = _end(job, job.started)
        if end > now:
            self._availability.advance(now)
            self._availability.give_back(job, now, end)
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
        if self._places.pop(job.number, None) is not None:
            # others may move to where it was
            self._ended = True
        self._waited.discard(job.number)
        if self.backlog is not None:
            self.backlog.withdrawn(job)

    def changed(self, plan: Plan, now: float) -> None:
        """Look at the machine anew; see `Backfilling`."""
        self._ended = True
        self._availability = self._machine.availability(now)
        for _, _, job in plan.ends:
            self._availability.hold(job, max(now, _end(job, job.started)))

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        if self.backlog is not None:
            self.backlog.look(queue, self._worth.part)
            self.wait = self.backlog.wait
        chosen = self._choose(queue, plan, now)
        if self.backlog is not None:
            self.backlog.started(chosen)
        if self.overtaken < NEVER:
            self._count(queue, chosen)
        return chosen

    def _has_waited(self, job: Job, now: float) -> bool:
        return now - job.submit_time >= self.wait or job.number in self._waited

    def _protected(self, queue: list[Job], now: float) -> list[Job]:
        # those that have been protected because of their wait have places
        wait, places = self.wait, self._places
        work, overtaken = self._work, self.overtaken
        by_work = overtaken < NEVER
        return [
            job
            for job in queue
            if now - job.submit_time >= wait
            or job.number in places
            or (by_work and work.get(job.number, 0.0) >= overtaken)
        ]

    def _count(self, queue: list[Job], started: list[Job]) -> None:
        """Count the work that has overtaken each waiting job."""
        for job in started:
            self._work.pop(job.number, None)
            work = job.processors * at_worst(job)
            for waiting in queue:
                if waiting.number < job.number:
                    self._work[waiting.number] = self._work.get(waiting.number, 0.0) + work

    def _choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        protected = self._protected(queue, now)
        doubtful = self._doubtful(queue, protected, now) if self._share_ahead else set()
        self.started_by_bound = []
        availability = self._availability
        availability.advance(now)
        if not protected and not doubtful:
            chosen = self.inside.choose(queue, plan, now)
            for job in chosen:
                availability.hold(job, _end(job, now))
            return chosen
        protected.sort(key=_number)
        self._give_all_places(protected, now)
        chosen = self._start_placed(protected, queue, plan, now)
        while True:
            others = [job for job in queue if job.number not in self._places]
            filling = self._choose_others(others, plan, now)
            unsure = [job for job in others if job.number in doubtful]
            late = self._late_ones(unsure, now)
            if not late:
                break
            for job in filling:
                availability.give_back(job, now, _end(job, now))
                self._withdraw(job, plan)
            late.sort(key=_number)
            self._give_places(late, now)
            chosen += self._start_placed(late, queue, plan, now)
        self.started_by_bound = list(chosen)
        for job in filling:
            queue.remove(job)
        for job in queue:
            if job.number in self._places:
                place = max(self._places[job.number], now)
                availability.give_back(job, place, _end(job, place))
        return chosen + filling

    def _doubtful(self, queue: list[Job], protected: list[Job], now: float) -> set[int]:
        """Return who may have waited too long by the time that there is room, by number."""
        self._longest = max([self._longest, *map(at_worst, queue)])
        latest = now - self.wait + self._share_ahead * self._longest
        doubtful = {job.number for job in queue if job.submit_time <= latest}
        return doubtful.difference([job.number for job in protected]) if doubtful else doubtful

    def _late_ones(self, jobs: list[Job], now: float) -> list[Job]:
        """Return those that will, beside what runs, has a place, or has just been chosen."""
        availability, ahead = self._availability, self._share_ahead
        late: list[Job] = []
        rooms: dict[tuple[int, float], float] = {}
        for job in jobs:
            length = at_worst(job)
            kind = job.processors, length
            room = rooms.get(kind)
            if room is None:
                room = availability.place(job, length)
                availability.give_back(job, room, _end(job, room))
                if self._machine.by_size:
                    rooms[kind] = room
            if now - job.submit_time + ahead * (room - now) >= self.wait:
                late.append(job)
        return late

    @property
    def _share_ahead(self) -> float:
        if self._while_trusting is not None and not self._while_trusting.trusts:
            return 0.0
        return min(1.0, self.ahead * self._worth.part)

    def _give_all_places(self, protected: list[Job], now: float) -> None:
        """Move each place to the earliest date: those of the jobs that have waited come first."""
        places = self._places
        waited = [job for job in protected if self._has_waited(job, now)]
        for job in waited:
            if job.number not in self._waited:
                self._waited.add(job.number)
                places.pop(job.number, None)
        self._give_places(waited, now)
        if len(waited) < len(protected):
            early = [job for job in protected if job.number not in self._waited]
            self._give_places(early, now)
        self._ended = False

    def _start_placed(self, jobs: list[Job], queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Start the jobs whose place begins now, and take them out of the queue."""
        chosen = []
        for job in jobs:
            place = self._places[job.number]
            if place > now or not self._availability.start(job):
                job.promise(place)
                continue
            del self._places[job.number]
            self._waited.discard(job.number)
            queue.remove(job)
            # for the backfilling inside it runs already
            job.planned_end = now + job.running
            plan.add(job)
            chosen.append(job)
        return chosen

    def _give_places(self, jobs: list[Job], now: float) -> None:
        """Give a place to each job that has none, or whose place is somebody else's now."""
        availability, places = self._availability, self._places
        held = []
        for job in jobs:
            if job.number not in places:
                continue
            # one whose place has begun waits for processors of which the end is not yet reported
            place = max(places[job.number], now)
            if availability.place_at(job, place, at_worst(job)):
                held.append(job)
            else:
                del places[job.number]
        if self._ended:
            self._compress(held, now)
        for job in jobs:
            if job.number not in places:
                places[job.number] = availability.place(job, at_worst(job))

    def _compress(self, held: list[Job], now: float) -> None:
        """Move the places that are held to earlier dates until none can be moved any more."""
        # once is not enough: a job can be kept back by the place of one that is then moved itself,
        # and a later job would fill the gap; the stated bound needs that no gap remains
        while move_up(held, self._places, self._availability, now=now, duration_of=at_worst):
            pass

    def _choose_others(self, others: list[Job], plan: Plan, now: float) -> list[Job]:
        """Take out jobs that the backfilling inside chooses, until none pushes a place back."""
        # a job that can only push a place back is not told to it at all: else it would take room
        # from those that can start
        chosen: list[Job] = []
        # by number; another of those that are chosen at once, or a machine that puts a job
        # elsewhere than where it has a place, may leave it none
        refused: set[int] = set()
        while self._machine.free and others:
            able = [job for job in self._able(others, now) if job.number not in refused]
            if not able:
                break
            known = len(refused)
            for job in self.inside.choose(able, plan, now):
                if self._hold(job, plan, now):
                    chosen.append(job)
                else:
                    self._withdraw(job, plan)
                    refused.add(job.number)
            others[:] = [job for job in others if job.planned_end < 0.0]
            if len(refused) == known:
                break
        return chosen

    def _able(self, jobs: list[Job], now: float) -> list[Job]:
        """Leave out those that ask for no more than is free, but have no place that begins now."""
        free, by_size = self._machine.free, self._machine.by_size
        fit: dict[tuple[int, float], bool] = {}
        able = []
        for job in jobs:
            if job.processors <= free:
                kind = job.processors, at_worst(job)
                if kind not in fit or not by_size:
                    fit[kind] = self._has_place(job, now)
                if not fit[kind]:
                    continue
            able.append(job)
        return able

    def _has_place(self, job: Job, now: float) -> bool:
        """Say whether a job that waits has a place that begins now."""
        found = self._availability.place_at(job, now, at_worst(job))
        if found:
            self._availability.give_back(job, now, _end(job, now))
        return found

    def _hold(self, job: Job, plan: Plan, now: float) -> bool:
        """Let a job that was chosen run up to its walltime, unless that pushes a place back."""
        availability, end = self._availability, _end(job, now)
        if not availability.may_hold(job, end):
            return False
        availability.hold(job, end)
        if job.planned_end < 0.0:
            job.planned_end = now + job.running
            plan.add(job)
        return True

    def _withdraw(self, job: Job, plan: Plan) -> None:
        """Undo that a job was chosen."""
        self._machine.give_back(job)
        job.started_as = HEAD
        if job.planned_end >= 0.0:
            plan.remove(job)
            job.planned_end = -1.0


def _end(job: Job, start: float) -> float:
    return start + at_worst(job)
