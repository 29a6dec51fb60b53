"""The third schema: how far each file of an accounting was read, instead of the newest alone."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "v0003"
down_revision = "v0002"


def upgrade() -> None:
    """Make the new table of positions, and bring the old ones over."""
    positions = op.create_table(
        "read_positions",
        sa.Column("feed", sa.Text, primary_key=True),
        sa.Column("file", sa.Text, primary_key=True),
        sa.Column("offset", sa.BigInteger, nullable=False),
    )
    bound = op.get_bind()
    last_end = bound.execute(sa.text("SELECT max(end_time) FROM ended_jobs")).scalar()
    for feed, file, offset in bound.execute(
        sa.text('SELECT feed, file, "offset" FROM feed_positions')
    ).all():
        rows = [{"feed": feed, "file": file, "offset": offset}]
        if file:
            # files of earlier days were read to their ends: what was forgotten stays forgotten
            rows.append({"feed": feed, "file": "", "offset": _first_day(file, last_end)})
        bound.execute(positions.insert(), rows)
    op.drop_table("feed_positions")


def _first_day(file: str, last_end: float | None) -> int:
    """Return the day from which on files are read, as PBS calls them.

    A day that has not come was no day of the server's: since that file was there, no other was
    read, so that all are, from the day of the last job on.
    """
    if file <= _day(datetime.now(UTC) + timedelta(days=1)):
        return int(file)
    if last_end is None:
        return 0
    try:
        return int(_day(datetime.fromtimestamp(last_end, UTC) - timedelta(days=1)))
    except (OverflowError, ValueError, OSError):
        return 0


def _day(date: datetime) -> str:
    return f"{date:%Y%m%d}"
