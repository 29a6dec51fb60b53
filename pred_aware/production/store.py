"""The store of ended jobs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec
from sqlalchemy import Connection, Engine, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from pred_aware.production.claims import FeedClaim, claim_on
from pred_aware.production.errors import JobStoreError, store_errors
from pred_aware.production.opening import WRITES, engine_of, new_file, without_password
from pred_aware.production.removing import outside, removed
from pred_aware.production.schema import ENDED, OF_A_JOB, POSITIONS, row_of, storable, why_not
from workload_tools.expected import in_words
from workload_tools.job import Job

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

WHOLE = ""
"""The `file` of a `Position` that belongs to a whole feed."""

_ROWS_AT_ONCE = 2000
_KEY = (ENDED.c.id, ENDED.c.submit_time)


@dataclass(frozen=True, slots=True)
class StoreContents:
    """The contents of a store, as counts and dates."""

    jobs: int
    users: int
    killed: int
    """Numbers of jobs, of users, and of jobs that were killed at their walltime."""
    first_end: float | None
    last_end: float | None
    """Unix dates of the first and the last end; None for an empty store."""


@dataclass(frozen=True, slots=True)
class Position:
    """The position reached in a batch system's accounting."""

    feed: str
    """Name of the feed: its folder or command."""
    file: str
    offset: int
    """A file, and the number of bytes read from it; for `WHOLE`, a number that the feed defines."""


class JobDatabase:
    """The store of ended jobs, in SQLite or PostgreSQL; each job is stored once.

    When `add` returns, the jobs are on disk and survive a killed process or a loss of power.
    Several processes may use a store at the same time. Dates are Unix dates.

    Parameters
    ----------
    name
        A file, or the URL of a PostgreSQL database (``postgresql://user@host/name``).
    create
        True to create a missing store.

    Raises
    ------
    JobStoreError
        The store cannot be opened, or has a newer schema. Every method raises it if the database
        reports an error.

    Examples
    --------
    >>> import tempfile
    >>> job = Job(id="7", submit_time=100.0, processors=4, run_time=60.0, user="ann")
    >>> with tempfile.TemporaryDirectory() as folder, JobDatabase(Path(folder, "jobs.db")) as store:
    ...     told_first, told_again = store.add([job]), store.add([job])
    ...     [one.user for one in store.jobs()]
    ['ann']
    >>> len(told_first), len(told_again)
    (1, 0)
    """

    def __init__(self, name: str | Path, *, create: bool = True) -> None:
        self._engine: Engine = engine_of(name, create=create)
        self.place = without_password(self._engine.url)
        self._claims: dict[str, FeedClaim] = {}

    def __enter__(self) -> Self:
        """Return the store; it is closed when the block ends."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Close the database, and release the claims on feeds."""
        for claim in self._claims.values():
            claim.release()
        self._engine.dispose()

    def add(self, jobs: Sequence[Job], *, position: Position | None = None) -> list[Job]:
        """Store ended jobs; jobs that the store already has are not changed.

        A job is identified by id and submission date, because batch systems reuse ids.

        Parameters
        ----------
        jobs
            The jobs; all of them are stored, or none.
        position
            The position in the accounting after these jobs; stored together with the jobs.

        Returns
        -------
        list of Job
            The new jobs, as stored.

        Raises
        ------
        JobStoreError
            A job has an invalid number, or the database reports an error, such as a full disk.
        """
        for job in jobs:
            reason = why_not(job)
            if reason is not None:
                raise JobStoreError(f"{self.place}: job '{job.id}' cannot be stored: {reason}")
        by_key: dict[tuple[str, float], Job] = {}
        for job in map(storable, jobs):
            by_key.setdefault((job.id, job.submit_time), job)
        if not by_key and position is None:
            return []
        new = set()
        insertion = _inserting(self._engine).on_conflict_do_nothing().returning(*_KEY)
        with store_errors(self.place), self._writing() as connection:
            if by_key:
                found = connection.execute(insertion, [row_of(job) for job in by_key.values()])
                new = {(row.id, row.submit_time) for row in found}
            if position is not None:
                here = (POSITIONS.c.feed == position.feed, POSITIONS.c.file == position.file)
                connection.execute(delete(POSITIONS).where(*here))
                connection.execute(insert(POSITIONS).values(asdict(position)))
        return [job for key, job in by_key.items() if key in new]

    def positions(self, feed: str) -> dict[str, int]:
        """Return the position reached in each file of a feed; see `Position`."""
        wanted = select(POSITIONS.c.file, POSITIONS.c.offset).where(POSITIONS.c.feed == feed)
        with store_errors(self.place), self._reading() as connection:
            return {row.file: row.offset for row in connection.execute(wanted)}

    def claim(self, feed: str) -> None:
        """Make sure that no other process reads a feed into this store.

        The claim lasts until the store is closed or the process ends. For PostgreSQL, call this
        repeatedly, because the claim is lost with the connection.

        Raises
        ------
        JobStoreError
            Another process holds the claim.
        """
        if feed not in self._claims:
            self._claims[feed] = claim_on(self._engine, self.place, feed)
        if not self._claims[feed].hold():
            raise JobStoreError(
                f"{self.place}: another service already reads '{feed}' into this store, so each "
                "job would reach only one of the services; stop the other service, or give another "
                "store"
            )

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs in the order of their ends; jobs with equal ends as they were added.

        Raises
        ------
        JobStoreError
            A row is not a valid job, because another program has changed the database.
        """
        columns = [ENDED.c[name] for name in OF_A_JOB]
        wanted = select(*columns).order_by(ENDED.c.end_time, ENDED.c.number)
        with store_errors(self.place), self._reading() as connection:
            for row in connection.execute(wanted).yield_per(_ROWS_AT_ONCE):
                yield self._job(row)

    def _job(self, row: Sequence[Any]) -> Job:
        """Convert a row into a job; SQLite accepts values of any type."""
        values = dict(zip(OF_A_JOB, row, strict=True))
        try:
            return msgspec.convert(values, Job)
        except msgspec.ValidationError as error:
            raise JobStoreError(
                f"{self.place}: job '{values['id']}' in the table '{ENDED.name}' is damaged: "
                f"{in_words(error)}; correct or remove it with the database's tools, or restore a "
                "backup"
            ) from error

    def contents(self) -> StoreContents:
        """Return counts and dates of the store's jobs."""
        wanted = select(
            func.count(),
            func.count(ENDED.c.user.distinct()),
            func.count().filter(ENDED.c.killed),
            func.min(ENDED.c.end_time),
            func.max(ENDED.c.end_time),
        ).select_from(ENDED)
        with store_errors(self.place), self._reading() as connection:
            return StoreContents(*connection.execute(wanted).one())

    def prune(self, *, ended_before: float | None = None, jobs_a_user: int | None = None) -> int:
        """Remove old jobs; return their number.

        Parameters
        ----------
        ended_before
            A Unix date: jobs that ended earlier are removed.
        jobs_a_user
            Number of most recent jobs to keep for each user. Jobs without a user count as one user.
        """
        doomed = []
        if ended_before is not None:
            doomed.append(ENDED.c.end_time < ended_before)
        if jobs_a_user is not None:
            newest_first = (ENDED.c.end_time.desc(), ENDED.c.number.desc())
            rank = func.row_number().over(partition_by=ENDED.c.user, order_by=newest_first)
            ranked = select(ENDED.c.number, rank.label("rank")).subquery()
            old = select(ranked.c.number).where(ranked.c.rank > jobs_a_user)
            doomed.append(ENDED.c.number.in_(old))
        return sum(self._remove(condition) for condition in doomed)

    def forget(self, user: str) -> int:
        """Remove all jobs of a user; return their number.

        Raises
        ------
        JobStoreError
            The jobs are removed, but another process reads the store, so that SQLite cannot
            overwrite them.
        """
        return self._remove(ENDED.c.user == user)

    def _remove(self, condition: Any) -> int:  # noqa: ANN401 - any condition of SQLAlchemy
        with store_errors(self.place):
            return removed(self._engine, condition, self.place)

    def backup(self, path: Path) -> None:
        """Copy an SQLite store consistently, while other processes may write to it.

        Raises
        ------
        JobStoreError
            The file exists or cannot be written, or the store is in PostgreSQL, which has its own
            tools.
        """
        if self._engine.dialect.name != "sqlite":
            raise JobStoreError(f"{self.place}: back up a PostgreSQL database with pg_dump")
        if path.exists():
            raise JobStoreError(f"{path}: exists already; give a new file")
        with new_file(path) as temporary:
            temporary.touch(mode=0o600)
            with store_errors(str(path)):
                outside(self._engine, "VACUUM INTO :path", path=str(temporary))

    def _reading(self) -> "AbstractContextManager[Connection]":
        return self._engine.connect()

    def _writing(self) -> "AbstractContextManager[Connection]":
        return self._engine.execution_options(**{WRITES: True}).begin()


def _inserting(engine: Engine) -> Any:  # noqa: ANN401 - a type of SQLAlchemy
    return {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[engine.dialect.name](ENDED)
