"""Jobs and workloads, as read from a log."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace


# gc=False is faster, and safe: fields are texts and numbers, so jobs never form reference cycles
class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A job of a log: its request, its user and its result.

    Values that the log does not contain are ``None``. The class is a ``msgspec.Struct`` for speed,
    because a log has hundreds of thousands of jobs.
    """

    id: str
    """The job's id, unique in its log."""
    submit_time: float
    """Submission time, in seconds since the workload's first submission."""
    processors: int
    """Number of processors that the simulated job occupies."""
    run_time: float
    """Run time in seconds. If it exceeds the walltime, the simulator kills the job there."""
    walltime: float | None = None
    """The time limit that the user requested, in seconds; ``None`` if the job has no limit."""
    user: str | None = None
    group: str | None = None
    project: str | None = None
    queue: str | None = None
    partition: str | None = None
    executable: str | None = None
    name: str | None = None
    qos: str | None = None
    nodes: int | None = None
    gpus: int | None = None
    """Requested number of nodes and GPUs."""
    memory: float | None = None
    used_memory: float | None = None
    """Requested and used memory of the whole job, in GiB."""
    requested_processors: int | None = None
    allocated_processors: int | None = None
    """Requested and allocated processors in the log. `processors` is one of these two numbers."""
    wait_time: float | None = None
    """Wait on the real machine, in seconds."""
    status: int | None = None
    """The status field of the Standard Workload Format (1 completed, 0 failed, 5 cancelled)."""
    preceding_job: str | None = None
    """Id of the job whose end this job waited for."""
    think_time: float | None = None
    """Seconds from the end of the preceding job to the submission of this job."""
    state: str | None = None
    """The batch system's name of the job's final state, such as Slurm's ``TIMEOUT``."""
    tasks: int | None = None
    """Requested number of tasks."""
    array: str | None = None
    """Id of the job array that the job belongs to."""
    soft_walltime: float | None = None
    """The soft walltime in seconds that the batch system planned with, if recorded."""
    tasks_per_node: int | None = None
    memory_per_node: float | None = None
    """Requested memory per node, in GiB."""
    gpus_per_node: int | None = None
    """Requested GPUs on each node of the job."""
    exclusive: bool = False
    """True if the job requested whole nodes."""
    features: str | None = None
    """The requested node features as the user typed them: ``a&b``, ``a|b``."""
    gpu_type: str | None = None
    reservation: str | None = None
    licences: str | None = None
    """Names and numbers of requested licences: ``matlab:2,ansys:1``."""
    array_limit: int | None = None
    """Largest number of tasks of the job's array that may run at the same time."""
    eligible_time: float | None = None
    """Time from which no hold, dependency or begin date prevented the start, in seconds like
    `submit_time`.

    ``None`` if the job was eligible at submission. Predictors do not see this value, because it is
    unknown at submission.
    """
    warm_up: bool = False
    """True if the job only fills the machine at the start, and is excluded from all measures."""
    inferred: tuple[str, ...] = ()
    """Names of fields whose values a model inferred; all others are from the log."""


def later(job: Job, seconds: float) -> Job:
    """Return a copy of a job whose dates are later by a number of seconds.

    Examples
    --------
    >>> job = Job(id="1", submit_time=5.0, eligible_time=9.0, processors=1, run_time=60.0)
    >>> moved = later(job, -5.0)
    >>> moved.submit_time, moved.eligible_time
    (0.0, 4.0)
    """
    submit_time, eligible_time = job.submit_time + seconds, job.eligible_time
    if eligible_time is None:
        return replace(job, submit_time=submit_time)
    return replace(job, submit_time=submit_time, eligible_time=eligible_time + seconds)


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of a log, and the machine that the log describes."""

    jobs: Sequence[Job]
    """The jobs in order of submission. The first job is submitted at 0 s."""
    processors: int | None = None
    nodes: int | None = None
    """The machine's size; ``None`` if unknown."""
    guessed: bool = False
    """True if `processors` is only a lower bound that was computed from the jobs."""
    start_time: float | None = None
    """Date of the first submission, in Unix seconds."""
    time_zone: str | None = None
    """Name of the machine's time zone, such as ``Europe/Paris``."""
