"""A record of Slurm's accounting, whether it came as text or as JSON."""

import msgspec


class SlurmRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One run of a job, as the accounting has it; what the dump does not tell is ``None``.

    Parameters
    ----------
    id
        The job's number; of a dump that lacks it, the form with array and task, as ``178_0``.
    key
        A number for `id`, which no other job of the dump has.
    state
        In full and in capitals, without who cancelled the job.
    submit, eligible, start, end
        Dates in Unix seconds; a run that never started has no `start`.
    elapsed
        How long it ran, in seconds, without the time it was suspended.
    limit
        The time limit in seconds; ``None`` also for none. The user's own, where a bridge had set
        another.
    requested_cpus, allocated_cpus, nodes, gpus
        Counts; `nodes` allocated, `gpus` asked for.
    memory
        Asked for by the whole job, in GiB.
    user, group, account, cluster, partition, qos, name
        Names.
    array
        The number of the array that the job is a task of.
    node_list
        The names of the nodes, in Slurm's short form.
    doubt
        What was doubtful about its dates.
    bridged
        Whether the limit in the accounting was another one, which a bridge had set.
    """

    id: str
    key: int
    state: str
    submit: float
    eligible: float | None = None
    start: float | None = None
    end: float | None = None
    elapsed: float | None = None
    limit: float | None = None
    requested_cpus: int | None = None
    allocated_cpus: int | None = None
    nodes: int | None = None
    gpus: int | None = None
    memory: float | None = None
    user: str | None = None
    group: str | None = None
    account: str | None = None
    cluster: str | None = None
    partition: str | None = None
    qos: str | None = None
    name: str | None = None
    array: str | None = None
    node_list: str | None = None
    doubt: str | None = None
    bridged: bool = False


class Unread(msgspec.Struct, frozen=True, gc=False):
    """A record that makes no job.

    Parameters
    ----------
    reason
        Why; the same for all that are counted together.
    text
        What could not be understood; empty if it was, as that of a step.
    """

    reason: str
    text: str = ""


STEP = Unread("a step, not a job")
