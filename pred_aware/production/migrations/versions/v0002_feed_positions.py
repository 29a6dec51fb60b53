"""The second schema: how far a batch system's accounting was read."""

import sqlalchemy as sa
from alembic import op

revision = "v0002"
down_revision = "v0001"


def upgrade() -> None:
    """Make the table of positions."""
    op.create_table(
        "feed_positions",
        sa.Column("feed", sa.Text, primary_key=True),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("offset", sa.BigInteger, nullable=False),
    )
