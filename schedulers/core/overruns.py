"""When the estimates of running jobs are corrected, and what each correction changes."""

from schedulers.core.backfilling import Backfilling
from schedulers.core.constants import NEVER
from schedulers.core.corrections import Correction
from schedulers.core.job import Job, Plan
from schedulers.errors import SchedulerError
from schedulers.foreign import described, failure


class Overruns:
    """Corrects the estimates of running jobs, each as if at the date when its correction was due.

    A correction starts no job. So in a simulation without message delays, corrections can wait
    until the next pass, with the same result. `settle_before` makes these late corrections, and no
    calls are needed. With message delays, a call changes the time of the next message. So the
    scheduler then requests calls, as with the real Batsim.

    The plan contains the running jobs. Each corrected job is reported to the backfilling rule.

    A correction is due `margin` seconds after the planned end. Without this margin, a job that ends
    as planned could be corrected, because the report of its end takes time. A correction whose
    `lead` is at least the margin is due `lead` seconds before the planned end. Calls are requested
    at least `margin` seconds ahead, because Batsim refuses a call whose date has passed when the
    message arrives. With the margin ``None``, corrections are due at the planned end, and no calls
    are requested.
    """

    def __init__(
        self, correction: Correction, plan: Plan, backfilling: Backfilling, *, margin: float | None
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
        """Make all corrections that were due before `now`, each as if at its due date.

        If the scheduler requests calls, do nothing, because `correct` makes the corrections. Raise
        a `SchedulerError` if the correction returns an invalid estimate.
        """
        if self.asks_for_calls or self.first_planned() + self._offset >= now:
            return
        if self._memoryless:
            # if several corrections of a job are due, only the last one matters
            self.correct_all(self.due_jobs(now, False), now)
            return
        while True:
            due = self.first_due(now)
            if due == NEVER:
                return
            self.correct(due)

    def first_planned(self) -> float:
        """Return the first planned end of a running job, in seconds; infinity without jobs."""
        jobs = self._plan.jobs
        if not jobs:
            return NEVER
        job = jobs[0]
        return job.planned_end

    def first_due(self, before: float) -> float:
        """Return the first due date that is not handled and before `before`; else infinity."""
        for job in self._plan.jobs:
            due = job.planned_end + self._offset
            if due >= before:
                return NEVER
            # a job whose correction is due again at the same date waits for the next call
            if due > self._settled and job.running < job.walltime:
                return due
        return NEVER

    def correct(self, now: float) -> None:
        """Make all corrections that are due at `now`; see `settle_before`."""
        self._settled = now
        if self.first_planned() + self._offset <= now:
            self.correct_all(self.due_jobs(now, True), now)

    def due_jobs(self, now: float, itself: bool) -> list[Job]:  # noqa: FBT001 - by the loop
        """Return the jobs whose correction was due before `now`; with `itself`, also at `now`."""
        due: list[Job] = []
        for job in self._plan.jobs:
            at = job.planned_end + self._offset
            if at > now or (at == now and not itself):
                break
            if job.running < job.walltime:
                due.append(job)
        return due

    def correct_all(self, due: list[Job], now: float) -> None:
        """Correct the jobs, then report all of them to the backfilling rule."""
        before = [job.planned_end for job in due]
        for job in due:
            self.lengthen(job, now)
        for place in range(len(due)):
            self._backfilling.corrected(due[place], before[place], now)

    def lengthen(self, job: Job, now: float) -> None:
        """Give a job its next corrected estimate, and move it in the plan."""
        elapsed = now - job.started
        try:
            estimate = self._correction.correct(job, elapsed)
            # written so that NaN fails; the last estimate may be exactly the walltime
            allowed = elapsed < estimate <= job.walltime or elapsed >= estimate == job.walltime
        except Exception as error:
            raise failure("correction", self._correction, error, job_id=job.id) from error
        if not allowed:
            raise SchedulerError(
                f"correction {described(self._correction)} returned {estimate!r} s for job "
                f"'{job.id}'; it must return more than the {elapsed} s that the job has run, and "
                "at most the job's walltime"
            )
        self._plan.remove(job)
        job.running = estimate
        job.corrections += 1
        job.planned_end = job.started + estimate
        self._plan.add(job)

    def next_call(self, now: float) -> float:
        """Return the date of the next call to request, in seconds; infinity for no call."""
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
