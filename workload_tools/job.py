"""Jobs and workloads, as read from a log."""

import msgspec


# gc=False, for speed: fields are text and numbers, so that no job is part of a cycle.
class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A job of a log: what was asked for, by whom, and what became of it.

    A ``msgspec.Struct`` for its speed (a log has hundreds of thousands of them); what the log does
    not tell is ``None``.

    Parameters
    ----------
    id
        The job's name, unique in its log.
    submit_time
        Date of submission, in seconds since the workload's first.
    processors
        How many processors the simulated job takes.
    run_time
        How long it ran, in seconds; may exceed the walltime (the simulator kills).
    walltime
        The limit that the user asked for, in seconds; ``None`` when the user gave none.
    user, group, project, queue, partition, executable, name, qos
        Names, as text.
    nodes, gpus
        Numbers asked for.
    memory, used_memory
        Memory of the whole job, asked for and used, in GiB.
    requested_processors, allocated_processors
        What the log says of both; `processors` is one of them.
    wait_time
        How long it waited on the real machine, in seconds.
    status
        The status field of the Standard Workload Format (1 completed, 0 failed, 5 cancelled).
    state
        What the batch system calls the job's end, such as Slurm's ``TIMEOUT``.
    tasks
        Number of tasks asked for.
    array
        The job array that it is a task of.
    soft_walltime
        The estimate in seconds that the batch system itself planned with, where it recorded one.
    preceding_job, think_time
        The job that this one waited for, and the seconds between that one's end and its submission.
    warm_up
        Whether it is there only to fill the machine, so that figures leave it out.
    inferred
        The fields that no log told, but a model guessed.
    """

    id: str
    submit_time: float
    processors: int
    run_time: float
    walltime: float | None = None
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
    memory: float | None = None
    used_memory: float | None = None
    requested_processors: int | None = None
    allocated_processors: int | None = None
    wait_time: float | None = None
    status: int | None = None
    preceding_job: str | None = None
    think_time: float | None = None
    state: str | None = None
    tasks: int | None = None
    array: str | None = None
    soft_walltime: float | None = None
    warm_up: bool = False
    inferred: tuple[str, ...] = ()


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of a log and what its header says about the machine.

    Parameters
    ----------
    jobs
        By submission time; the first is submitted at 0.
    processors, nodes
        The machine's size; ``None`` when the log does not tell.
    guessed
        Whether `processors` is only what the jobs show that there is at least.
    start_time
        Date of the first submission, in Unix seconds.
    time_zone
        Name of the machine's time zone, such as ``Europe/Paris``.
    """

    jobs: list[Job]
    processors: int | None = None
    nodes: int | None = None
    guessed: bool = False
    start_time: float | None = None
    time_zone: str | None = None
