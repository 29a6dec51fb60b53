"""Running jobs that outlive their estimates: when to ask for a correction, and what it changes."""

from schedulers.core.backfilling import Backfilling
from schedulers.core.constants import NEVER
from schedulers.core.corrections import Correction
from schedulers.core.job import Job
from schedulers.core.plan import Plan
from schedulers.errors import SchedulerError
from schedulers.foreign import described, failure


class Overruns:
    """Corrects the estimates of running jobs as of the moment it is due.

    A correction by itself starts no job, so that nobody can tell whether it is made at its moment
    or later, as of then, when somebody looks: `settle_before` does that, and nobody needs to be
    called. Where messages take time a call changes when the next one comes; there calls are asked
    for, as a scheduler of the real Batsim has to.

    Parameters
    ----------
    correction, plan
        What makes the new estimates, and the running jobs.
    backfilling
        Hears of each job that was corrected.
    margin
        Seconds after a planned end at which its correction is due: where the report of an end takes
        time, a job that ends as planned must not be corrected. A correction that wants to be asked
        that much earlier anyway needs no margin. No call is asked for sooner than that from now,
        either: Batsim takes none that is past when the message arrives. ``None``: corrections are
        due at the planned end, and no calls are asked for.
    """

    def __init__(
        self,
        correction: Correction,
        plan: Plan,
        backfilling: Backfilling,
        *,
        margin: float | None,
    ) -> None:
        self._correction = correction
        self._plan = plan
        self._backfilling = backfilling
        self._memoryless = bool(getattr(correction, "memoryless", False))
        self.asks_for_calls = margin is not None
        self._margin = margin or 0.0
        lead = correction.lead
        self._offset = -lead if lead >= self._margin else self._margin - lead
        self._called_at = NEVER
        self._settled = -NEVER

    def settle_before(self, now: float) -> None:
        """Correct each running job whose correction was due before a date, as of when it was due.

        Where calls are asked for there is nothing to do: what was due is corrected when told. A
        `SchedulerError` says that the correction answered what it may not.
        """
        if self.asks_for_calls or self.first_planned() + self._offset >= now:
            return
        if self._memoryless:
            # of many corrections of one job, a moment before the next, only the last one counts
            self.correct_all(self.due_ones(now, False), now)
            return
        while True:
            due = self.first_due(now)
            if due == NEVER:
                return
            self.correct(due)

    def first_planned(self) -> float:
        """Return the first planned end."""
        jobs = self._plan.jobs
        if not jobs:
            return NEVER
        job = jobs[0]
        return job.planned_end

    def first_due(self, before: float) -> float:
        """Return the first date after the last one at which a correction was or is due."""
        for job in self._plan.jobs:
            due = job.planned_end + self._offset
            if due >= before:
                return NEVER
            # one that was due again at once is asked for when somebody looks next
            if due > self._settled and job.running < job.walltime:
                return due
        return NEVER

    def correct(self, now: float) -> None:
        """Correct each running job whose correction is due; see `settle_before`."""
        self._settled = now
        if self.first_planned() + self._offset <= now:
            self.correct_all(self.due_ones(now, True), now)

    def due_ones(self, now: float, itself: bool) -> list[Job]:  # noqa: FBT001 - by the loop
        """Return the jobs whose correction was due before a date, or is at the date itself."""
        due: list[Job] = []
        for job in self._plan.jobs:
            at = job.planned_end + self._offset
            if at > now or (at == now and not itself):
                break
            if job.running < job.walltime:
                due.append(job)
        return due

    def correct_all(self, due: list[Job], now: float) -> None:
        """Correct jobs, and tell of all of them once they are."""
        before = [job.planned_end for job in due]
        for job in due:
            self.lengthen(job, now)
        for place in range(len(due)):
            self._backfilling.corrected(due[place], before[place], now)

    def lengthen(self, job: Job, now: float) -> None:
        """Give a job a new estimate."""
        elapsed = now - job.started
        try:
            estimate = self._correction.correct(job, elapsed)
            # written so that NaN fails; a job may be at its walltime to the last bit
            allowed = elapsed < estimate <= job.walltime or elapsed >= estimate == job.walltime
        except Exception as error:
            raise failure("correction", self._correction, error, job_id=job.id) from error
        if not allowed:
            raise SchedulerError(
                f"correction {described(self._correction)} answered {estimate!r} s for job "
                f"'{job.id}'; it must answer more than the {elapsed} s that the job has run, and "
                "at most its walltime"
            )
        self._plan.remove(job)
        job.running = estimate
        job.corrections += 1
        job.planned_end = job.started + estimate
        self._plan.add(job)

    def next_call(self, now: float) -> float:
        """Return the date at which to be called next, in seconds; infinite: that is not asked for.

        Where calls are asked for.
        """
        if self._called_at <= now:
            self._called_at = NEVER
        for job in self._plan.jobs:
            if job.running >= job.walltime:
                continue
            at = job.planned_end + self._offset
            if at <= now:
                return NEVER
            at = max(at, now + self._margin)
            if at < self._called_at:
                self._called_at = at
                return at
            return NEVER
        return NEVER
