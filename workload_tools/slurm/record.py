"""A record of Slurm's accounting, from text or JSON."""

import msgspec

from workload_tools.slurm.requested import NOTHING, Requested


class SlurmRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One run of a job, as in the accounting; unknown values are ``None``."""

    id: str
    """The job's number; if the dump lacks it, the form with array and task, such as ``178_0``."""
    key: int
    """An integer for `id` that is unique in the dump."""
    state: str
    """The full name in capitals, without the user who cancelled the job."""
    submit: float
    eligible: float | None = None
    start: float | None = None
    end: float | None = None
    """Dates in Unix seconds; a run that never started has no `start`."""
    elapsed: float | None = None
    """Run time in seconds, without suspensions."""
    limit: float | None = None
    """Time limit in seconds; ``None`` if unknown or unlimited.

    If a bridge replaced the limit, this is the user's own.
    """
    requested_cpus: int | None = None
    allocated_cpus: int | None = None
    nodes: int | None = None
    gpus: int | None = None
    """Counts: `nodes` are allocated (requested ones are in `requested`), `gpus` are requested."""
    memory: float | None = None
    """Memory requested for the whole job, in GiB."""
    requested: Requested = NOTHING
    user: str | None = None
    group: str | None = None
    account: str | None = None
    cluster: str | None = None
    partition: str | None = None
    qos: str | None = None
    name: str | None = None
    array: str | None = None
    """The number of the job array, if the job is one of its tasks."""
    node_list: str | None = None
    """The names of the nodes, in Slurm's short form."""
    doubts: tuple[str, ...] = ()
    """Doubts about its dates, and optional fields that are invalid."""
    bridged: bool = False
    """True if a bridge had replaced the limit in the accounting."""


class Unread(msgspec.Struct, frozen=True, gc=False):
    """A record that does not become a job."""

    reason: str
    """The reason, under which such records are counted."""
    text: str = ""
    """The invalid text; empty for a valid record such as that of a step."""


STEP = Unread("a step, not a job")
