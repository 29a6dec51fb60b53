"""Many lines of a log in the Standard Workload Format at once, where nothing is the matter."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workload_tools.job import Job
from workload_tools.swf.line import (
    LARGEST_WHOLE,
    PARTIAL_STATUS,
    STANDARD_FIELDS,
    WHOLE_FIELDS,
)

Floats = NDArray[np.float64]

_STATUS, _NAMES, _PRECEDING = 10, range(11, 16), 16
_POWERS_OF_TEN = 10.0 ** np.arange(1, 17)
_KIB_PER_GIB = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class RegularLines:
    """Lines that have 18 numbers each, and job numbers that rise."""

    texts: list[str]
    """Their fields, one line's after the other's."""
    numbers: Floats
    """The same; shape (18, lines)."""
    kept: NDArray[np.bool_]
    """Which of them are jobs that ran."""
    sizes: Floats
    """The processors of those; shape (jobs,)."""
    other_sizes: int
    """How many of them have only the other number of processors."""

    @classmethod
    def of(cls, lines: list[str], *, above: float, requested_first: bool) -> "RegularLines | None":
        """Return lines in columns.

        ``None`` where they have to be looked at one by one: a comment, what can't be read, a job
        number that came before or is not as Python writes it, a job that may have several lines.

        Parameters
        ----------
        lines
            One at least.
        above
            The highest job number that came before.
        requested_first
            Whether a job takes the requested processors, where both are told.
        """
        try:
            rows = np.loadtxt(lines, comments=None, ndmin=2)
        except ValueError:
            return None
        if rows.shape != (len(lines), STANDARD_FIELDS):
            return None
        numbers, texts = np.ascontiguousarray(rows.T), "\n".join(lines).split()
        names = texts[::STANDARD_FIELDS]
        if not (_are_fields(numbers) and _rise(numbers[0], names, above)):
            return None
        size, other = (numbers[7], numbers[4]) if requested_first else (numbers[4], numbers[7])
        has_size = size > 0.0
        kept = (numbers[3] > 0.0) & (has_size | (other > 0.0)) & (numbers[1] >= 0.0)
        sizes = np.where(has_size, size, other)[kept]
        return cls(texts, numbers, kept, sizes, int((kept & ~has_size).sum()))

    @property
    def lack_a_walltime(self) -> bool:
        """Whether any job does."""
        return bool((self.numbers[8, self.kept] <= 0.0).any())

    @property
    def latest(self) -> float:
        """When the last job was submitted; minus infinity without a job."""
        return float(self.numbers[1, self.kept][-1]) if len(self.sizes) else -np.inf

    def out_of_order(self, latest: float) -> int:
        """Count the jobs that were submitted before the one above, the first of them at least."""
        submitted = self.numbers[1, self.kept]
        return int((submitted < np.append(latest, submitted)[:-1]).sum())

    def waits(self) -> list[float]:
        """Return how long each job waited, in seconds, where it did."""
        waits = self.numbers[2, self.kept]
        found: list[float] = waits[waits > 0.0].tolist()
        return found

    def others(self) -> Iterator[tuple[int, list[str], list[float]]]:
        """Yield the lines that are no jobs: place, fields and numbers."""
        for place in np.flatnonzero(~self.kept).tolist():
            yield place, self._fields(place), self.numbers[:, place].tolist()

    def _fields(self, place: int) -> list[str]:
        return self.texts[STANDARD_FIELDS * place : STANDARD_FIELDS * (place + 1)]

    def jobs(self) -> list[Job]:
        """Make the jobs, as `workload_tools.swf.log.SwfLog` does line by line."""
        numbers, sizes, texts = self.numbers, self.sizes, self.texts
        if not self.kept.all():
            numbers = numbers[:, self.kept]
            chosen = map(self._fields, np.flatnonzero(self.kept).tolist())
            texts = [*chain.from_iterable(chosen)]
        (
            _, submit, wait, run, allocated, _, used, requested, walltime, memory, status,
            *_, think,
        ) = numbers  # fmt: skip
        columns = zip(
            texts[::STANDARD_FIELDS],
            submit.tolist(),
            sizes.astype(np.int64).tolist(),
            run.tolist(),
            _or_none(walltime, walltime > 0.0),
            *(_names(texts[field::STANDARD_FIELDS]) for field in _NAMES),
            _memory(memory, np.where(requested > 0.0, requested, sizes)),
            _memory(used, np.where(allocated > 0.0, allocated, sizes)),
            _or_none(requested.astype(np.int64), requested > 0.0),
            _or_none(allocated.astype(np.int64), allocated > 0.0),
            _or_none(wait, wait >= 0.0),
            _or_none(status.astype(np.int64), status >= 0.0),
            _or_none(texts[_PRECEDING::STANDARD_FIELDS], numbers[_PRECEDING] >= 0.0),
            _or_none(think, think >= 0.0),
            strict=True,
        )
        return [
            Job(
                id=identifier, submit_time=submitted, processors=processors, run_time=run_time,
                walltime=limit, user=user, group=group, executable=executable, queue=queue,
                partition=partition, memory=asked, used_memory=had, requested_processors=wanted,
                allocated_processors=got, wait_time=waited, status=ended, preceding_job=before,
                think_time=thought,
            )
            for (
                identifier, submitted, processors, run_time, limit, user, group, executable,
                queue, partition, asked, had, wanted, got, waited, ended, before, thought,
            ) in columns
        ]  # fmt: skip


def _are_fields(numbers: Floats) -> bool:
    """Say whether numbers are those of a log, none of which is of a job with several lines."""
    whole = numbers[[*WHOLE_FIELDS]]
    return bool(
        np.isfinite(numbers).all()
        and (numbers <= LARGEST_WHOLE).all()
        and (whole == np.rint(whole)).all()
        and not np.isin(numbers[_STATUS], PARTIAL_STATUS).any()
    )


def _rise(jobs: Floats, names: list[str], above: float) -> bool:
    """Say whether job numbers are whole, as Python writes them, and rise from above a number."""
    if not (jobs[0] > max(above, 0.0) and (jobs[1:] > jobs[:-1]).all()):
        return False
    written = "".join(names)
    # one with a zero before it, or with a dot, is longer than its number
    digits = 1 + np.searchsorted(_POWERS_OF_TEN, jobs, side="right")
    return written.isascii() and written.isdecimal() and len(written) == digits.sum()


def _or_none(values: NDArray[Any] | list[Any], told: NDArray[np.bool_]) -> Iterable[Any]:
    """Return values, and None in the place of those that are not told."""
    if not told.any():
        return repeat(None, len(told))
    listed: list[Any] = values if isinstance(values, list) else values.tolist()
    if told.all():
        return listed
    return [value if known else None for value, known in zip(listed, told.tolist(), strict=True)]


def _names(texts: list[str]) -> Iterable[str | None]:
    """Return names, each once in memory, and None in the place of those below 0."""
    names = {text: intern(text) if float(text) >= 0.0 else None for text in set(texts)}
    return map(names.__getitem__, texts)


def _memory(amount: Floats, processors: Floats) -> Iterable[float | None]:
    """Return the memory of each job in GiB; the format has KB for each processor."""
    return _or_none(amount * processors / _KIB_PER_GIB, amount >= 0.0)
