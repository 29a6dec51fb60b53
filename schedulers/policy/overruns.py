"""Running jobs that outlive their estimates: when to ask for a correction, and what it changes."""

from schedulers.backfilling.plan import Plan
from schedulers.corrections import Correction, Overrun
from schedulers.errors import SchedulerError
from schedulers.foreign import described, failure
from schedulers.job import Job

NEVER = float("inf")


class Overruns:
    """Corrects the estimates of running jobs at the moment it is due.

    Parameters
    ----------
    correction
        Makes the new estimates.
    plan
        The running jobs.
    margin
        How long after a planned end its correction is due, in seconds: where the report of an end
        takes time, a job that ends as planned must not be corrected. A correction that wants to be
        asked that much earlier anyway needs no margin. No call is asked for sooner than that from
        now, either: Batsim takes none that is past when the message arrives.
    """

    def __init__(self, correction: Correction, plan: Plan, *, margin: float) -> None:
        self._correction = correction
        self._plan = plan
        self._margin = margin
        lead = correction.lead
        self._offset = -lead if lead >= margin else margin - lead
        self._called_at = NEVER

    def correct(self, now: float) -> list[tuple[Job, float]]:
        """Correct each running job whose correction is due.

        Returns
        -------
        list of tuple
            The jobs, each with the planned end that it had before, in seconds.

        Raises
        ------
        SchedulerError
            The correction answered what it may not.
        """
        due = []
        for planned_end, _, job in self._plan.ends:
            if planned_end + self._offset > now:
                break
            if job.walltime is None or job.draining < job.walltime:
                due.append((job, planned_end))
        for job, _ in due:
            self._correct(job, now)
        return due

    def _correct(self, job: Job, now: float) -> None:
        elapsed = now - job.started
        overrun = Overrun(
            elapsed=elapsed,
            estimate=job.draining,
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
            raise failure("correction", self._correction, job.id, error) from error
        if not allowed:
            raise SchedulerError(
                f"correction {described(self._correction)} answered {estimate!r} s for job "
                f"'{job.id}'; it must answer more than the {elapsed} s that the job has run, and "
                "at most its walltime"
            )
        self._plan.remove(job)
        job.draining = estimate
        job.corrections += 1
        job.planned_end = job.started + estimate
        self._plan.add(job)

    def next_call(self, now: float) -> float | None:
        """Return the date at which to be called next, in seconds, if that has to be asked for."""
        if self._called_at <= now:
            self._called_at = NEVER
        for planned_end, _, job in self._plan.ends:
            if job.walltime is not None and job.draining >= job.walltime:
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
