"""The first schema: ended jobs."""

import sqlalchemy as sa
from alembic import op

revision = "v0001"
down_revision = None


def upgrade() -> None:
    """Create the table of jobs."""
    op.create_table(
        "ended_jobs",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("submit_time", sa.Double, nullable=False),
        sa.Column("end_time", sa.Double, nullable=False),
        sa.Column("run_time", sa.Double, nullable=False),
        sa.Column("processors", sa.BigInteger, nullable=False),
        sa.Column("walltime", sa.Double),
        sa.Column("wait_time", sa.Double),
        sa.Column("soft_walltime", sa.Double),
        sa.Column("user", sa.Text),
        sa.Column("group", sa.Text),
        sa.Column("project", sa.Text),
        sa.Column("queue", sa.Text),
        sa.Column("partition", sa.Text),
        sa.Column("executable", sa.Text),
        sa.Column("name", sa.Text),
        sa.Column("qos", sa.Text),
        sa.Column("nodes", sa.BigInteger),
        sa.Column("gpus", sa.BigInteger),
        sa.Column("memory", sa.Double),
        sa.Column("status", sa.Integer),
        sa.Column("state", sa.Text),
        sa.Column("killed", sa.Boolean, nullable=False),
        sa.UniqueConstraint("id", "submit_time", name="ended_once"),
    )
    op.create_index("ended_by_end", "ended_jobs", ["end_time", "number"])
    op.create_index("ended_by_user", "ended_jobs", ["user", "end_time"])
