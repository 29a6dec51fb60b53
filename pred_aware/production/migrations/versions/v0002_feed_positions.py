"""The second schema: the position in the batch system's accounting."""

import sqlalchemy as sa
from alembic import op

revision = "v0002"
down_revision = "v0001"


def upgrade() -> None:
    """Create the table of positions."""
    op.create_table(
        "feed_positions",
        sa.Column("feed", sa.Text, primary_key=True),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("offset", sa.BigInteger, nullable=False),
    )
