"""A record of Slurm's accounting, whether it came as text or as JSON."""

import msgspec

from workload_tools.slurm.requested import NOTHING, Requested


class SlurmRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One run of a job, as the accounting has it; what the dump does not tell is ``None``."""

    id: str
    """The job's number; of a dump that lacks it, the form with array and task, as ``178_0``."""
    key: int
    """A number for `id`, which no other job of the dump has."""
    state: str
    """In full and in capitals, without who cancelled the job."""
    submit: float
    eligible: float | None = None
    start: float | None = None
    end: float | None = None
    """Dates in Unix seconds; a run that never started has no `start`."""
    elapsed: float | None = None
    """How long it ran, in seconds, without the time it was suspended."""
    limit: float | None = None
    """The time limit in seconds; ``None`` also for none. The user's own, where a bridge had set
    another."""
    requested_cpus: int | None = None
    allocated_cpus: int | None = None
    nodes: int | None = None
    gpus: int | None = None
    """Counts; `nodes` allocated (those asked for are in `requested`), `gpus` asked for."""
    memory: float | None = None
    """Requested for by the whole job, in GiB."""
    requested: Requested = NOTHING
    user: str | None = None
    group: str | None = None
    account: str | None = None
    cluster: str | None = None
    partition: str | None = None
    qos: str | None = None
    name: str | None = None
    array: str | None = None
    """The number of the array that the job is a task of."""
    node_list: str | None = None
    """The names of the nodes, in Slurm's short form."""
    doubts: tuple[str, ...] = ()
    """What was doubtful about its dates, and which fields could not be read."""
    bridged: bool = False
    """Whether the limit in the accounting was another one, which a bridge had set."""


class Unread(msgspec.Struct, frozen=True, gc=False):
    """A record that makes no job."""

    reason: str
    """Why; the same for all that are counted together."""
    text: str = ""
    """What could not be understood; empty if it was, as that of a step."""


STEP = Unread("a step, not a job")
