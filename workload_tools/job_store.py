"""A sorted store of a log's jobs, in memory or partly on disk."""

import heapq
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from operator import attrgetter
from pathlib import Path
from typing import IO, Self

import msgspec

from workload_tools.errors import LogError
from workload_tools.job import Job, later
from workload_tools.log import Log

CHUNK_SIZE = 1 << 18
"""Number of jobs that are kept in memory; they need about 200 MB."""

_JOBS_A_BLOCK = 512
_LENGTH_BYTES = 4

_submit_time = attrgetter("submit_time")


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A sorted part of the jobs: its bytes in the temporary file, and its range of submissions."""

    start: int
    end: int
    first: float
    last: float


class JobStore:
    """The jobs of a log, sorted by submission; jobs of the same date are in the log's order.

    Up to `chunk_size` jobs stay in memory. If a log has more jobs, they are sorted in chunks. All
    chunks but the last are written to an unnamed temporary file, and iteration merges the chunks.

    Parameters
    ----------
    folder
        Folder of the temporary file; by default the system's temporary folder.
    chunk_size
        Number of jobs that are kept in memory.

    Examples
    --------
    >>> with JobStore(chunk_size=2) as store:
    ...     store.fill(Job(id=f"{t}", submit_time=t, processors=1, run_time=9.0) for t in (5, 3, 4))
    ...     [job.id for job in store], len(store), store.first
    (['3', '4', '5'], 3, 3)
    """

    def __init__(self, folder: Path | None = None, *, chunk_size: int = CHUNK_SIZE) -> None:
        self.sizes: Counter[int] = Counter()
        self.without_walltime = 0
        self.beyond_walltime = 0
        self.first = 0.0
        self._folder = folder
        self._chunk_size = chunk_size
        self._in_memory: list[Job] = []
        self._chunks: list[_Chunk] = []
        self._file: IO[bytes] | None = None
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(list[Job]).decode

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the temporary file."""
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        """Return the number of jobs."""
        return self.sizes.total()

    @property
    def largest(self) -> int:
        """The number of processors of the largest job; 0 if the store is empty."""
        return max(self.sizes, default=0)

    def fill(self, jobs: Iterator[Job]) -> None:
        """Read all jobs of a log into the store.

        Raises
        ------
        LogError
            The temporary file cannot be written, or a job has a value that cannot be stored.
        """
        self._in_memory = list(islice(jobs, self._chunk_size))
        self._take(self._in_memory)
        for job in jobs:
            self._spill(self._in_memory)
            self._in_memory = [job, *islice(jobs, self._chunk_size - 1)]
            self._take(self._in_memory)
        firsts = [chunk.first for chunk in self._chunks]
        self.first = min([*firsts, *(job.submit_time for job in self._in_memory[:1])], default=0.0)

    def _take(self, jobs: list[Job]) -> None:
        jobs.sort(key=_submit_time)
        self.sizes.update(map(attrgetter("processors"), jobs))
        for job in jobs:
            if job.walltime is None:
                self.without_walltime += 1
            elif job.run_time > job.walltime:
                self.beyond_walltime += 1

    def _spill(self, jobs: list[Job]) -> None:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - see __exit__
            file = self._file
            start = file.tell()
            for index in range(0, len(jobs), _JOBS_A_BLOCK):
                block = self._encode(jobs[index : index + _JOBS_A_BLOCK])
                file.write(len(block).to_bytes(_LENGTH_BYTES))
                file.write(block)
        except OSError as error:
            folder = self._folder or tempfile.gettempdir()
            raise LogError(
                folder, f"cannot write the temporary file of the jobs: {error.strerror}"
            ) from error
        except (ValueError, OverflowError) as error:
            raise LogError(f"jobs '{jobs[0].id}' to '{jobs[-1].id}'", f"{error}") from error
        self._chunks.append(
            _Chunk(start, file.tell(), jobs[0].submit_time, jobs[-1].submit_time),
        )

    def __iter__(self) -> Iterator[Job]:
        """Yield the jobs by submission. The jobs can be iterated repeatedly."""
        parts = [*map(self._from_disk, self._chunks), iter(self._in_memory)]
        spans = [(chunk.first, chunk.last) for chunk in self._chunks]
        spans += [(job.submit_time, job.submit_time) for job in self._in_memory[:1]]
        if all(before[1] <= after[0] for before, after in pairwise(spans)):
            return chain.from_iterable(parts)
        return heapq.merge(*parts, key=_submit_time)

    def _from_disk(self, chunk: _Chunk) -> Iterator[Job]:
        file = self._file
        assert file is not None
        position = chunk.start
        while position < chunk.end:
            # chunks are read alternately, so each must seek its own position
            file.seek(position)
            length = int.from_bytes(file.read(_LENGTH_BYTES))
            yield from self._decode(file.read(length))
            position += _LENGTH_BYTES + length


@dataclass(frozen=True, slots=True)
class StoredJobs:
    """The jobs of a store, with submission times in seconds after the first submission."""

    store: JobStore

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.store)

    def __iter__(self) -> Iterator[Job]:
        """Yield the jobs by submission. The jobs can be iterated repeatedly."""
        first = self.store.first
        if first == 0.0:
            return iter(self.store)
        return (later(job, -first) for job in self.store)


@dataclass(frozen=True, slots=True)
class StoredWorkload:
    """A `workload_tools.job.Workload` whose jobs may not fit into memory."""

    jobs: StoredJobs
    """The jobs by submission, the first at 0 s. Iterable repeatedly while the store is open."""
    processors: int | None
    nodes: int | None
    guessed: bool
    start_time: float | None
    time_zone: str | None
    """These five fields have the same meanings as in `Workload`."""
    origin: tuple[str, ...] = ()
    """Header lines about the log's origin, as in `workload_tools.log.Machine`."""


def stored(log: Log, store: JobStore) -> StoredWorkload:
    """Read a whole log into an empty store, and return it as a workload.

    The workload has the same jobs in the same order as that of `workload_tools.log.gather`, but
    only a limited number of jobs is in memory.

    Parameters
    ----------
    log
        The log, which has not been read yet.
    store
        An empty store for the log's jobs.

    Raises
    ------
    LogError
        The log cannot be read, or the store cannot be written.
    """
    store.fill(log.jobs())
    machine = log.machine
    start_time = None
    if store and machine.start_time is not None:
        start_time = machine.start_time + store.first
    return StoredWorkload(
        jobs=StoredJobs(store),
        processors=machine.processors,
        nodes=machine.nodes,
        guessed=machine.guessed,
        start_time=start_time,
        time_zone=machine.time_zone,
        origin=tuple(machine.origin),
    )
