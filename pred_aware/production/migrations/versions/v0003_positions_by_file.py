"""The third schema: the position in each accounting file, not only in the newest."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "v0003"
down_revision = "v0002"


def upgrade() -> None:
    """Create the new table of positions, and copy the old ones."""
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
            # files of earlier days were read completely, and some of their jobs may be deleted
            rows.append({"feed": feed, "file": "", "offset": _first_day(file, last_end)})
        bound.execute(positions.insert(), rows)
    op.drop_table("feed_positions")


def _first_day(file: str, last_end: float | None) -> int:
    """Return the first day whose file is read, in PBS's format.

    After a file with a future date, the old version ignored all other files. In this case all files
    are read again, from the day of the last job.
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
