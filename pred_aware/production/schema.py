"""The tables of the store in the newest schema; `migrations` creates them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Integer,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()

ENDED = Table(
    "ended_jobs",
    METADATA,
    # in the order of insertion
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
    # as plain strings: SQLAlchemy's names also know whether they are quoted
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
