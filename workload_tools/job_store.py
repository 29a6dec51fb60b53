"""Jobs put by until all are there, sorted by submission: in memory, or on disk where many."""

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
"""How many jobs are held in memory at a time, about 200 MB."""

_JOBS_A_BLOCK = 512
_LENGTH_BYTES = 4

_submit_time = attrgetter("submit_time")


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Where a sorted part of the jobs stands in the file, and the dates that it spans."""

    start: int
    end: int
    first: float
    last: float


class JobStore:
    """The jobs of a log by submission, those of one date in the log's order.

    Up to `chunk_size` jobs stay in memory. More are sorted in parts, of which all but the last go
    to a temporary file without a name, and are merged when they are asked for.

    Parameters
    ----------
    folder
        Where the temporary file is, if one is needed; by default the system's folder for such.
    chunk_size
        How many jobs are held in memory.

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
        """Return the store, which is to be closed."""
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
        """The processors of the largest job; 0 where there is none."""
        return max(self.sizes, default=0)

    def fill(self, jobs: Iterator[Job]) -> None:
        """Take all jobs of a log.

        Raises
        ------
        LogError
            The temporary file can't be written, or a job has a number or text that no file holds.
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
            raise LogError(folder, f"no temporary file of the jobs: {error.strerror}") from error
        except (ValueError, OverflowError) as error:
            raise LogError(f"jobs '{jobs[0].id}' to '{jobs[-1].id}'", f"{error}") from error
        self._chunks.append(
            _Chunk(start, file.tell(), jobs[0].submit_time, jobs[-1].submit_time),
        )

    def __iter__(self) -> Iterator[Job]:
        """Yield the jobs by submission; as often as asked for."""
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
            # several parts are read in turns, so each goes to its own place
            file.seek(position)
            length = int.from_bytes(file.read(_LENGTH_BYTES))
            yield from self._decode(file.read(length))
            position += _LENGTH_BYTES + length


@dataclass(frozen=True, slots=True)
class StoredJobs:
    """The jobs of a store with dates of submission from the first of them on."""

    store: JobStore

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.store)

    def __iter__(self) -> Iterator[Job]:
        """Yield the jobs by submission; as often as asked for."""
        first = self.store.first
        if first == 0.0:
            return iter(self.store)
        return (later(job, -first) for job in self.store)


@dataclass(frozen=True, slots=True)
class StoredWorkload:
    """What `workload_tools.job.Workload` says, for jobs that may not fit into memory."""

    jobs: StoredJobs
    """By submission, the first at 0; to be gone through as often as wanted while their store is
    open."""
    processors: int | None
    nodes: int | None
    guessed: bool
    start_time: float | None
    time_zone: str | None
    """As `Workload` has them."""
    origin: tuple[str, ...] = ()
    """As `workload_tools.log.Machine` has it."""


def stored(log: Log, store: JobStore) -> StoredWorkload:
    """Read a log to its end into an empty store, and make a workload of it.

    The same jobs in the same order as `workload_tools.log.gather` gives, in bounded memory.

    Parameters
    ----------
    log
        A log of which nothing was read yet.
    store
        Where its jobs go.

    Raises
    ------
    LogError
        The log can't be read, or the store can't be written.
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
