"""Jobs and workloads, as read from a log."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace


# gc=False, for speed: fields are text and numbers, so that no job is part of a cycle.
class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A job of a log: what was asked for, by whom, and what became of it.

    A ``msgspec.Struct`` for its speed (a log has hundreds of thousands of them); what the log does
    not tell is ``None``.
    """

    id: str
    """The job's name, unique in its log."""
    submit_time: float
    """Date of submission, in seconds since the workload's first."""
    processors: int
    """How many processors the simulated job takes."""
    run_time: float
    """How long it ran, in seconds; may exceed the walltime (the simulator kills)."""
    walltime: float | None = None
    """The limit that the user asked for, in seconds; ``None`` when the user gave none."""
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
    """Asked for, as `nodes` are."""
    memory: float | None = None
    used_memory: float | None = None
    """Memory of the whole job, asked for and used, in GiB."""
    requested_processors: int | None = None
    allocated_processors: int | None = None
    """What the log says of both; `processors` is one of them."""
    wait_time: float | None = None
    """How long it waited on the real machine, in seconds."""
    status: int | None = None
    """The status field of the Standard Workload Format (1 completed, 0 failed, 5 cancelled)."""
    preceding_job: str | None = None
    """The job that this one waited for."""
    think_time: float | None = None
    """Seconds between that job's end and this one's submission."""
    state: str | None = None
    """What the batch system calls the job's end, such as Slurm's ``TIMEOUT``."""
    tasks: int | None = None
    """Number of tasks asked for."""
    array: str | None = None
    """The job array that it is a task of."""
    soft_walltime: float | None = None
    """The estimate in seconds that the batch system itself planned with, where it recorded one."""
    tasks_per_node: int | None = None
    memory_per_node: float | None = None
    """Memory in GiB on each of its nodes, where it was asked for so."""
    gpus_per_node: int | None = None
    """GPUs on each of its nodes, however many it gets, where they were asked for so."""
    exclusive: bool = False
    """Whether it asked for whole nodes."""
    features: str | None = None
    """The features of nodes that it asked for, as typed: ``a&b``, ``a|b``."""
    gpu_type: str | None = None
    reservation: str | None = None
    licences: str | None = None
    """With their numbers: ``matlab:2,ansys:1``."""
    array_limit: int | None = None
    """How many tasks of its array it let run at a time."""
    eligible_time: float | None = None
    """When its hold, its dependencies and its begin date were over, on the clock of `submit_time`;
    ``None`` where that was at its submission. Not known then, so that no predictor sees it."""
    warm_up: bool = False
    """Whether it is there only to fill the machine, so that figures leave it out."""
    inferred: tuple[str, ...] = ()
    """The fields that no log told, but a model guessed."""


def later(job: Job, seconds: float) -> Job:
    """Return a job whose dates are so many seconds later.

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
    """The jobs of a log and what its header says about the machine."""

    jobs: Sequence[Job]
    """By submission time; the first is submitted at 0."""
    processors: int | None = None
    nodes: int | None = None
    """The machine's size; ``None`` when the log does not tell."""
    guessed: bool = False
    """Whether `processors` is only what the jobs show that there is at least."""
    start_time: float | None = None
    """Date of the first submission, in Unix seconds."""
    time_zone: str | None = None
    """Name of the machine's time zone, such as ``Europe/Paris``."""
