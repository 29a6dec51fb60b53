"""Jobs and workloads, as read from a log."""

import msgspec


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
    warm_up: bool = False
    """Whether it is there only to fill the machine, so that figures leave it out."""
    inferred: tuple[str, ...] = ()
    """The fields that no log told, but a model guessed."""


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of a log and what its header says about the machine."""

    jobs: list[Job]
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
