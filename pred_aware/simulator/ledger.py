"""The state of the simulated machine: waiting, running and ended jobs, and their processors."""

from collections.abc import Callable, Sequence

from pred_aware.simulator.errors import DecisionError
from pred_aware.simulator.job import (
    COMPLETED_KILLED,
    REJECTED,
    RUNNING,
    SUBMITTED,
    EndedJobs,
    SimulatedJob,
)
from pred_aware.simulator.sources import JobSources
from pred_aware.simulator.tracing import MACHINE_STATE_VALUES, ROWS_AT_ONCE, Tracer
from workload_tools.batsim.decisions import Execute
from workload_tools.batsim.end_date import end_date
from workload_tools.batsim.intervals import Intervals, format_intervals

_STATES_AT_ONCE = ROWS_AT_ONCE * MACHINE_STATE_VALUES


PROGRESS_EVERY = 500
"""Progress is reported after this many ended jobs."""


class Ledger:
    """Keeps the state of the machine and jobs, checks decisions against it, and records ended jobs.

    `progress` is called from time to time with the number of ended jobs. `speeds` are the
    operations per second of each processor, for jobs that compute. An impossible decision raises a
    `DecisionError`.
    """

    def __init__(
        self,
        processors: int,
        source: JobSources,
        tracer: Tracer,
        *,
        progress: Callable[[int], None] | None = None,
        speeds: Sequence[float] = (),
    ) -> None:
        self.processors = processors
        self.jobs: dict[str, SimulatedJob] = {}
        self.past = EndedJobs()
        # rows and columns are created for many jobs together, which is faster
        self._over: list[SimulatedJob] = []
        self.ended = 0
        self.running = 0
        self.submitted = 0
        self._source = source
        self._killed: set[str] = set()
        self._tracer = tracer
        self._progress = progress
        self._speeds = speeds
        self._busy = bytearray(processors)
        self._idle = processors
        self._states = tracer.machine_states

    @property
    def waiting(self) -> int:
        """The number of submitted jobs that have neither started nor been rejected."""
        return self.submitted - self.running - self.ended

    def waiting_jobs(self) -> list[SimulatedJob]:
        """Return the waiting jobs."""
        return [job for job in self.jobs.values() if job.state is SUBMITTED]

    def submit(self, job: SimulatedJob) -> None:
        """Add a submitted job."""
        self.jobs[job.id] = job
        self.submitted += 1

    def find(self, job_id: str, what: str, now: float) -> SimulatedJob:
        """Return the job of a decision. It must be submitted and not ended."""
        job = self.jobs.get(job_id)
        if job is None:
            submitted = self._source.submitted(job_id, now)
            known = "has ended" if submitted else "is not submitted yet"
            if submitted is None:
                known = "is unknown"
            raise DecisionError(
                f"at {now} s the decision process asked to {what} job '{job_id}', which {known}"
            )
        return job

    def start(self, execute: Execute, now: float) -> SimulatedJob:
        """Start a waiting job on as many free processors as it requested, and return it."""
        job_id = execute.job_id
        intervals = execute.intervals
        executors = execute.executors
        job = self.jobs.get(job_id)
        if job is None:
            job = self.find(job_id, "start", now)
        if job.state is not SUBMITTED:
            raise DecisionError(
                f"at {now} s the decision process asked to start job '{job.id}', which is not "
                f"waiting but {job.state.name}"
            )
        busy = self._busy
        processors = self.processors
        size = 0
        for first, last in intervals:
            if last >= processors or busy.count(1, first, last + 1):
                self._refuse(job, intervals, now)
            length = last - first + 1
            busy[first : last + 1] = b"\1" * length
            size += length
        if (executors or size) != job.processors or not size:
            raise DecisionError(
                f"at {now} s the decision process gave job '{job.id}' {executors or size} "
                f"processors ({format_intervals(intervals)}); it asks for {job.processors}"
            )
        if job.delay < 0.0:
            if not execute.one_each:
                raise DecisionError(
                    f"at {now} s the decision process gave job '{job.id}', which computes, a "
                    "mapping without exactly one executor per processor; this is not simulated"
                )
            # its slowest processor determines the speed
            speeds = self._speeds
            job.computes(min(min(speeds[a : b + 1]) for a, b in intervals))
        job.state = RUNNING
        job.intervals = intervals
        job.start = now
        self.running += 1
        self._idle = idle = self._idle - size
        states = self._states
        states += (now, idle, processors - idle)
        if len(states) == _STATES_AT_ONCE:
            self._tracer.write_machine_states()
        return job

    def _refuse(self, job: SimulatedJob, intervals: Intervals, now: float) -> None:
        if intervals[-1][1] >= self.processors:
            reason = f"the machine has {self.processors}, numbered from 0"
        else:
            users = [
                other.id
                for other in self.jobs.values()
                if other.state is RUNNING
                and any(a <= d and c <= b for a, b in other.intervals for c, d in intervals)
            ]
            reason = f"some of them are in use by {', '.join(users)}"
        raise DecisionError(
            f"at {now} s the decision process gave job '{job.id}' the processors "
            f"{format_intervals(intervals)}; {reason}"
        )

    def finish(self, job: SimulatedJob, now: float) -> None:
        """Stop and record a job that has reached its end."""
        self.stop(job, now)
        job.state = job.final_state
        self.record(job)

    def stop(self, job: SimulatedJob, now: float) -> None:
        """Free the processors of an ended job."""
        size = 0
        busy = self._busy
        for first, last in job.intervals:
            length = last - first + 1
            busy[first : last + 1] = bytes(length)
            size += length
        job.end = end_date(job.start, now)
        self._idle = idle = self._idle + size
        states = self._states
        states += (now, idle, self.processors - idle)
        if len(states) == _STATES_AT_ONCE:
            self._tracer.write_machine_states()

    def record(self, job: SimulatedJob) -> None:
        """Record an ended job. Its `state` is final."""
        self.running -= 1
        self._forget(job)
        if self._progress is not None and not self.ended % PROGRESS_EVERY:
            self._progress(self.ended)

    def reject(self, job_id: str, now: float) -> None:
        """Reject a waiting job."""
        job = self.find(job_id, "reject", now)
        if job.state is not SUBMITTED:
            raise DecisionError(
                f"at {now} s the decision process rejected job '{job_id}', which is not waiting "
                f"but {job.state.name}"
            )
        job.state = REJECTED
        self._forget(job)

    def _forget(self, job: SimulatedJob) -> None:
        self.ended += 1
        del self.jobs[job.id]
        self._over.append(job)
        if len(self._over) == ROWS_AT_ONCE:
            self.write()

    def write(self) -> None:
        """Write the rows of ended jobs that are not written yet, and add the jobs to `past`."""
        self.past.add(self._over)
        self._tracer.jobs(self._over)
        self._over.clear()

    def to_kill(self, job_ids: list[str], now: float) -> list[str]:
        """Return the jobs to kill, without those that are already being killed.

        All jobs must have started. It is no error if a job has ended.
        """
        wanted = []
        for job_id in job_ids:
            job = self.jobs.get(job_id)
            submitted = self._source.submitted(job_id, now)
            if not submitted or (job is not None and job.state is SUBMITTED):
                known = "is unknown" if submitted is None else "has not started"
                raise DecisionError(
                    f"at {now} s the decision process asked to kill job '{job_id}', which {known}"
                )
            if job_id not in self._killed:
                self._killed.add(job_id)
                wanted.append(job_id)
        return wanted

    def kill(self, job_ids: list[str], now: float) -> list[tuple[SimulatedJob, float]]:
        """Stop the jobs that still run, and return their progress, from 0 to 1."""
        stopped = []
        for job_id in job_ids:
            job = self.jobs.get(job_id)
            if job is not None and job.state is RUNNING:
                progress = (now - job.start) / job.delay if job.delay else 1.0
                stopped.append((job, progress))
                job.state = COMPLETED_KILLED
                job.return_code = -1
                self.stop(job, now)
        return stopped

    def set_metadata(self, job_id: str, text: str, now: float) -> None:
        """Set the metadata of a waiting or running job. Double quotes are not allowed."""
        if '"' in text:
            raise DecisionError(
                f"at {now} s the metadata of job '{job_id}' has a double quote, which the output "
                "file cannot hold"
            )
        self.find(job_id, "set metadata of", now).metadata = text
