"""The tables of a store, and the stored fields of finished jobs."""

import math
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, MetaData, Table, Text

from pred_aware.log.past_jobs import past_job
from workload_tools.job import Job

METADATA = MetaData()

ENDED = Table(
    "ended_jobs",
    METADATA,
    # the number grows in the order of insertion
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("id", Text, nullable=False),
    Column("submit_time", Double, nullable=False),
    Column("end_time", Double, nullable=False),
    Column("run_time", Double, nullable=False),
    Column("processors", BigInteger, nullable=False),
    Column("walltime", Double),
    Column("wait_time", Double),
    Column("soft_walltime", Double),
    *(
        Column(name, Text)
        for name in (
            *("user", "group", "project", "queue"),
            *("partition", "executable", "name", "qos"),
        )
    ),
    Column("nodes", BigInteger),
    Column("gpus", BigInteger),
    Column("memory", Double),
    Column("status", Integer),
    Column("state", Text),
    Column("killed", Boolean, nullable=False),
)
"""Ended jobs; id and submission date together are unique."""

OF_A_JOB = tuple(
    # plain strings, because SQLAlchemy's own names also contain how they are quoted
    f"{column.name}"
    for column in ENDED.columns
    if column.name not in ("number", "end_time", "killed")
)
"""Columns that are also fields of `workload_tools.job.Job`."""

POSITIONS = Table(
    "read_positions",
    METADATA,
    Column("feed", Text, primary_key=True),
    Column("file", Text, primary_key=True),
    Column("offset", BigInteger, nullable=False),
)
"""Position reached in each accounting file of a batch system; see `store.Position`."""


LARGEST = 2**53
"""Largest amount of memory, in bytes."""
LARGEST_COUNT = 2**31 - 1
"""Largest number of processors, nodes or GPUs."""
LONGEST = 2**33
"""Longest time in seconds: 272 years, above the 2**32 that some logs give for no walltime."""
LAST_DATE = 2**35
"""Latest date: the year 3058."""

_LIMITS = {
    **dict.fromkeys(("run_time", "walltime", "wait_time", "soft_walltime"), LONGEST),
    **dict.fromkeys(("processors", "nodes", "gpus"), LARGEST_COUNT),
    "memory": LARGEST,
}
# PostgreSQL stores the status in 32 bits
_LARGEST_STATUS = 2**31 - 1
_KILLED = frozenset({"TIMEOUT", "exit -29"})
_FAILED = 0


def killed(job: Job) -> bool:
    """Return True if a job was killed at its walltime, so that its full run time is unknown.

    Slurm (``TIMEOUT``) and PBS Professional (exit status -29) report this. Any other failed job
    counts as killed if it ran for its whole walltime.

    Examples
    --------
    >>> job = Job(id="7", submit_time=0.0, processors=1, run_time=60.0, walltime=60.0, status=0)
    >>> killed(job), killed(msgspec.structs.replace(job, status=1))
    (True, False)
    """
    if job.state in _KILLED:
        return True
    return job.status == _FAILED and job.walltime is not None and job.run_time >= job.walltime


def why_not(job: Job) -> str | None:
    """Return why a job cannot be stored; None if it can.

    Examples
    --------
    >>> why_not(Job(id="7", submit_time=0.0, processors=1, run_time=-1.0))
    'run_time is -1.0'
    """
    for name, most in _LIMITS.items():
        value = getattr(job, name)
        if value is not None and not 0 <= value <= most:
            return f"{name} is {value}"
    if job.status is not None and abs(job.status) > _LARGEST_STATUS:
        return f"status is {job.status}"
    if not math.isfinite(job.submit_time) or abs(job.submit_time) > LAST_DATE:
        return f"submit_time is {job.submit_time}"
    return None


def storable(job: Job) -> Job:
    r"""Return a job with texts that any database can store.

    Examples
    --------
    >>> storable(Job(id="7", submit_time=0.0, processors=1, run_time=1.0, user="a\0b")).user
    'a\\x00b'
    """
    changed = {}
    for name in OF_A_JOB:
        value = getattr(job, name)
        if isinstance(value, str) and (text := _text(value)) != value:
            changed[name] = text
    return msgspec.structs.replace(job, **changed) if changed else job


def row_of(job: Job) -> dict[str, Any]:
    """Return a job as a row of `ENDED`, by column."""
    row = {name: getattr(job, name) for name in OF_A_JOB}
    return {**row, "end_time": past_job(job).end, "killed": killed(job)}


def _text(text: str) -> str:
    """Escape NULs and lone surrogates as in Python, because databases may not store them."""
    return text.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode()
