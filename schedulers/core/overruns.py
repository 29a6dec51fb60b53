"""Running jobs that outlive their estimates: when to ask for a correction, and what it changes."""

from collections.abc import Callable

from schedulers.backfilling.plan import Plan
from schedulers.corrections import Correction, Overrun
from schedulers.errors import SchedulerError
from schedulers.foreign import described, failure
from schedulers.job import Job
from schedulers.machine.machine import NEVER


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
    corrected
        Called with each job that was corrected, its planned end before, and the moment; see
        `Backfilling`.
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
        *,
        corrected: Callable[[Job, float, float], None],
        margin: float | None,
    ) -> None:
        self._correction = correction
        self._plan = plan
        self._corrected = corrected
        self._memoryless = bool(getattr(correction, "memoryless", False))
        self._asks_for_calls = margin is not None
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
        ends = self._plan.ends
        if self._asks_for_calls or not ends or ends[0][0] + self._offset >= now:
            return
        if self._memoryless:
            # of many corrections of one job, a moment before the next, only the last one counts
            self._correct_all(self._due(now, itself=False), now)
            return
        while (due := self._first_due(before=now)) is not None:
            self.correct(due)

    def _first_due(self, *, before: float) -> float | None:
        """Return the first date after the last one at which a correction was or is due."""
        for planned_end, _, job in self._plan.ends:
            due = planned_end + self._offset
            if due >= before:
                return None
            # one that was due again at once is asked for when somebody looks next
            if due > self._settled and (job.walltime is None or job.running < job.walltime):
                return due
        return None

    def correct(self, now: float) -> None:
        """Correct each running job whose correction is due; see `settle_before`."""
        self._settled = now
        ends = self._plan.ends
        if not ends or ends[0][0] + self._offset > now:
            return
        self._correct_all(self._due(now, itself=True), now)

    def _due(self, now: float, *, itself: bool) -> list[tuple[Job, float]]:
        """Return the jobs whose correction was due before a date, or is at the date itself."""
        due = []
        for planned_end, _, job in self._plan.ends:
            at = planned_end + self._offset
            if at > now or (at == now and not itself):
                break
            if job.walltime is None or job.running < job.walltime:
                due.append((job, planned_end))
        return due

    def _correct_all(self, due: list[tuple[Job, float]], now: float) -> None:
        for job, _ in due:
            self._correct(job, now)
        for job, planned_end in due:
            self._corrected(job, planned_end, now)

    def _correct(self, job: Job, now: float) -> None:
        elapsed = now - job.started
        overrun = Overrun(
            elapsed=elapsed,
            estimate=job.running,
            first_estimate=job.first_estimate,
            walltime=job.walltime,
            corrections=job.corrections,
            submission=job.submission,
        )
        longest = NEVER if job.walltime is None else job.walltime
        try:
            estimate = self._correction.correct(overrun)
            # written so that NaN fails; a job may be at its walltime to the last bit
            allowed = elapsed < estimate <= longest or elapsed >= estimate == longest
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

    def next_call(self, now: float) -> float | None:
        """Return the date at which to be called next, in seconds, if that has to be asked for."""
        if not self._asks_for_calls:
            return None
        if self._called_at <= now:
            self._called_at = NEVER
        for planned_end, _, job in self._plan.ends:
            if job.walltime is not None and job.running >= job.walltime:
                continue
            at = planned_end + self._offset
            if at <= now:
                return None
            at = max(at, now + self._margin)
            if at < self._called_at:
                self._called_at = at
                return at
            return None
        return None
