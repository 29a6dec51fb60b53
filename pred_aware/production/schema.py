"""The tables of the store, as its newest schema has them; `migrations` makes them."""

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
    # the order in which they were told
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
"""Jobs that ended, each once: no two have the same id and the same date of submission."""

OF_A_JOB = tuple(
    # as plain texts: SQLAlchemy's own know whether they are quoted
    f"{column.name}"
    for column in ENDED.columns
    if column.name not in ("number", "end_time", "killed")
)
"""The columns that `workload_tools.job.Job` has, too."""

POSITIONS = Table(
    "read_positions",
    METADATA,
    Column("feed", Text, primary_key=True),
    Column("file", Text, primary_key=True),
    Column("offset", BigInteger, nullable=False),
)
"""How far each file of a batch system's accounting was read; see `store.Position`."""
