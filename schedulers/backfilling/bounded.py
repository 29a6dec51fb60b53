"""A bound on waiting, around any backfilling that remembers nothing."""

from schedulers.backfilling.backfilling import Backfilling
from schedulers.job import Job
from schedulers.plan import Plan
from schedulers.profile import NEVER, Profile


class Bounded:
    """Gives a job that has waited long enough a reservation that nobody may push back.

    At the first pass after a job has waited for `wait`, it is given the earliest place that fits
    around the running jobs, all taken to run up to their walltimes, and around the places of the
    jobs that were protected before. From then on the place only ever moves to an earlier date, and
    no other job starts unless it fits around it up to its own walltime: a prediction that turns out
    too short can't push it. The other jobs are chosen by the backfilling inside, in their order.

    So a job waits at most ``wait + W + S``: W is the longest walltime of the jobs that run when it
    has waited for `wait` (they started before, and are gone W later), and S the sum of the
    walltimes of the jobs that were submitted before it and wait at that date, because at the latest
    after all of these the machine is empty. Jobs without a walltime bound nothing.

    A job that others overtake can be protected earlier: when jobs that were submitted after it have
    started before it with so much work, each counted as processors x walltime.

    Parameters
    ----------
    inside
        Chooses among the jobs that are not protected.
    wait
        After how long a job is protected, in seconds.
    overtaken
        After how much work that has overtaken it a job is protected, in processor seconds.
    """

    plans = True

    def __init__(
        self, inside: Backfilling, *, wait: float = NEVER, overtaken: float = NEVER
    ) -> None:
        self._inside = inside
        self._wait = wait
        self._overtaken = overtaken
        self._work: dict[int, float] = {}
        self._places: dict[int, float] = {}
        self._processors = 0

    def begin(self, processors: int) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self._processors = processors
        self._inside.begin(processors)

    def ended(self, job: Job, now: float) -> None:
        """Tell the backfilling inside; see `Backfilling`."""
        self._inside.ended(job, now)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Tell the backfilling inside; see `Backfilling`."""
        self._inside.corrected(job, planned_end, now)

    def choose(self, queue: list[Job], free: int, plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        chosen = self._choose(queue, free, plan, now)
        if self._overtaken < NEVER:
            self._count(queue, chosen)
        return chosen

    def _is_protected(self, job: Job, now: float) -> bool:
        return (
            now - job.submit_time >= self._wait
            or self._work.get(job.number, 0.0) >= self._overtaken
            or job.number in self._places
        )

    def _count(self, queue: list[Job], started: list[Job]) -> None:
        """Count the work that has overtaken each waiting job."""
        for job in started:
            self._work.pop(job.number, None)
            work = job.processors * _length(job)
            for waiting in queue:
                if waiting.number < job.number:
                    self._work[waiting.number] = self._work.get(waiting.number, 0.0) + work

    def _choose(self, queue: list[Job], free: int, plan: Plan, now: float) -> list[Job]:
        protected = [job for job in queue if self._is_protected(job, now)]
        if not protected:
            return self._inside.choose(queue, free, plan, now)
        protected.sort(key=lambda job: job.number)
        profile = self._hard_profile(plan, now)
        chosen = self._start_protected(protected, free, profile, now)
        for job in chosen:
            queue.remove(job)
            free -= job.processors
        others = [job for job in queue if job.number not in self._places]
        for job in self._choose_others(others, free, plan, profile, now):
            queue.remove(job)
            chosen.append(job)
        return chosen

    def _hard_profile(self, plan: Plan, now: float) -> Profile:
        profile = Profile(self._processors, now)
        for _, _, job in plan.ends:
            end = NEVER if job.walltime is None else job.started + job.walltime
            profile.take(now, end, job.processors)
        return profile

    def _start_protected(
        self, protected: list[Job], free: int, profile: Profile, now: float
    ) -> list[Job]:
        """Move each place to the earliest date, and return the jobs whose place begins now."""
        places = self._places
        for job in protected:
            if job.number in places:
                profile.take(places[job.number], _end(job, places[job.number]), job.processors)
        chosen = []
        for job in protected:
            place = places.get(job.number, NEVER)
            profile.take(place, _end(job, place), -job.processors)
            earlier = profile.earliest(job.processors, _length(job), before=place)
            profile.take(earlier, _end(job, earlier), job.processors)
            if earlier <= now and job.processors <= free:
                free -= job.processors
                places.pop(job.number, None)
                chosen.append(job)
            else:
                places[job.number] = earlier
                job.promise(earlier)
        return chosen

    def _choose_others(
        self, others: list[Job], free: int, plan: Plan, profile: Profile, now: float
    ) -> list[Job]:
        """Ask the backfilling inside until it names only jobs that push no place back."""
        chosen: list[Job] = []
        while others and free:
            refused = False
            for job in self._inside.choose(others, free, plan, now):
                if profile.fits(job.processors, _length(job)):
                    profile.take(now, _end(job, now), job.processors)
                    free -= job.processors
                    chosen.append(job)
                    if job.planned_end < 0.0:
                        job.planned_end = now + job.draining
                        plan.add(job)
                else:
                    refused = True
                    if job.planned_end >= 0.0:
                        plan.remove(job)
                        job.planned_end = -1.0
            if not refused:
                break
        return chosen


def _length(job: Job) -> float:
    return NEVER if job.walltime is None else job.walltime


def _end(job: Job, start: float) -> float:
    return start + _length(job)
