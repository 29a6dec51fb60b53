"""Many records of a dump as text at once, where nothing is the matter with them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from workload_tools.job_columns import Column
from workload_tools.slurm.amounts import MOST_DIGITS as MOST_COUNT_DIGITS
from workload_tools.slurm.cells import Cells, Floats, Integers, Marks
from workload_tools.slurm.dates_at_once import read_dates
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.job_number import MOST_DIGITS, read_job_number
from workload_tools.slurm.record import SlurmRecord
from workload_tools.slurm.record_reader import RecordReader, name_of, values_of

Objects: TypeAlias = NDArray[np.object_]


@dataclass(frozen=True, slots=True, eq=False)
class RegularRecords:
    """Records in columns: those of one kind agree in all that is not here."""

    places: Integers
    """Where they stand among the records of their lot; shape (records,), as all others."""
    ids: Column
    arrays: Objects
    names: Objects
    submit: Floats
    eligible: Floats
    start: Floats
    end: Floats
    elapsed: Floats
    """As `SlurmRecord` has them; NaN for None."""
    kind: Integers
    """The place of their kind among these."""
    kinds: list[SlurmRecord]

    def where(self, chosen: Marks) -> "RegularRecords":
        """Return some of them."""
        if chosen.all():
            return self
        columns = {
            one.name: getattr(self, one.name)[chosen]
            for one in fields(self)
            if one.name not in ("ids", "kinds")
        }
        return RegularRecords(**columns, ids=self.ids.at(chosen), kinds=self.kinds)

    def without(
        self, reason: Callable[[SlurmRecord], str | None]
    ) -> "tuple[RegularRecords, Counter[str]]":
        """Return those against whose kind nothing speaks, and what does against how many."""
        reasons = [reason(kind) for kind in self.kinds]
        counts = np.bincount(self.kind, minlength=len(reasons)).tolist()
        against: Counter[str] = Counter()
        for told, count in zip(reasons, counts, strict=True):
            if told is not None and count:
                against[told] += count
        if not against:
            return self, against
        return self.where(
            np.array([told is None for told in reasons], np.bool_)[self.kind]
        ), against


@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """The records of a lot."""

    regular: RegularRecords
    steps: int
    """How many are steps."""
    others: list[int]
    """The places of those that have to be looked at one by one."""


def sorted_out(
    texts: list[str], reader: RecordReader, *, repeated: Iterable[int], with_nodes: bool
) -> Sorted:
    """Say which records of a lot are regular, and read them.

    Others do not have as many separators as fields, have something that can't be read, a date that
    is doubtful, or a job that has several records or is a component of another.

    Parameters
    ----------
    texts
        The records.
    reader
        Reads those of their layout.
    repeated
        The keys of the jobs that have several records.
    with_nodes
        Whether the names of the nodes make a kind.
    """
    cells = Cells(texts, reader.layout)
    keys, arrays, found = _numbers(cells, reader)
    others = np.ones(len(texts), np.bool_)
    others[cells.places[found == _STEP]] = False
    of_jobs = (found == _JOB) & ~np.isin(keys, np.fromiter(repeated, np.int64))
    cells.where(of_jobs)
    elapsed, good = _run_times(cells, reader, texts)
    kind, kinds = _kinds(cells, reader, texts, with_nodes=with_nodes)
    good &= kind >= 0
    submit = read_dates(reader.clock, cells, reader.dates[0], good)
    # a record without a date of submission can't be read
    good &= ~np.isnan(submit)
    eligible, start, end = (read_dates(reader.clock, cells, at, good) for at in reader.dates[1:])
    regular = RegularRecords(
        places=cells.places,
        ids=_ids(cells, reader.job_id),
        arrays=arrays[of_jobs],
        names=_objects([*map(name_of, cells.texts(reader.name))]),
        submit=submit,
        eligible=eligible,
        start=start,
        end=end,
        elapsed=elapsed,
        kind=kind,
        kinds=kinds,
    ).where(good)
    others[regular.places] = False
    return Sorted(regular, int((found == _STEP).sum()), np.flatnonzero(others).tolist())


_OTHER, _STEP, _JOB = range(3)


def _numbers(cells: Cells, reader: RecordReader) -> tuple[Integers, Objects, Integers]:
    """Return the keys of jobs, their arrays, and what else each record is of."""
    keys, plain = cells.numbers(reader.job_id, most=MOST_DIGITS)
    if reader.shown_id != reader.job_id:
        shown, also = cells.numbers(reader.shown_id, most=MOST_DIGITS)
        begins, ends = cells.span(reader.shown_id)
        plain &= (also & (shown == keys)) | (begins == ends)
    found = np.where(plain, _JOB, _OTHER)
    arrays = np.full(len(keys), None, object)
    rest = ~plain
    numbers = zip(
        np.flatnonzero(rest).tolist(),
        cells.texts(reader.job_id, rows=rest),
        cells.texts(reader.shown_id, rows=rest),
        strict=True,
    )
    for row, text, told in numbers:
        if "+" in text or "+" in told:
            continue
        try:
            job = read_job_number(text)
            if job.step:
                found[row] = _STEP
                continue
            array = job.array if told == text or not told else read_job_number(told).array
        except UnreadableError:
            continue
        keys[row], arrays[row], found[row] = job.key, array, _JOB
    return keys, arrays, found


def _ids(cells: Cells, column: int) -> Column:
    """Return the texts of jobs' numbers, which mostly are as Python writes them."""
    begins, ends = cells.span(column)
    numbers, plain = cells.numbers(column, most=MOST_DIGITS)
    if plain.all() and (numbers >= 10 ** (ends - begins - 1)).all():
        return Column(str, numbers)
    return Column.of(cells.texts(column))


def _run_times(cells: Cells, reader: RecordReader, texts: list[str]) -> tuple[Floats, Marks]:
    """Return how long runs took, and where that can be read."""
    numbers, is_number = cells.numbers(reader.elapsed_raw, most=MOST_COUNT_DIGITS)
    elapsed, good = np.where(is_number, numbers, np.nan), np.ones(len(numbers), np.bool_)
    for row in np.flatnonzero(~is_number).tolist():
        values = values_of(texts[cells.places[row]], reader.layout)
        try:
            run_time = reader.run_time([*(values or ()), ""])
        except UnreadableError:
            good[row] = False
        else:
            elapsed[row] = np.nan if run_time is None else run_time
    return elapsed, good


def _kinds(
    cells: Cells, reader: RecordReader, texts: list[str], *, with_nodes: bool
) -> tuple[Integers, list[SlurmRecord]]:
    """Return the kind of each record, -1 if it can't be read, and the kinds."""
    told = reader.places_of_kind(with_nodes=with_nodes)
    breaks = [at for at in range(1, len(told)) if told[at] > told[at - 1] + 1]
    parts = [
        cells.texts(told[first], told[last - 1])
        for first, last in pairwise([0, *breaks, len(told)])
    ]
    numbers: dict[tuple[str, ...], int] = {}
    found = [numbers.setdefault(key, len(numbers)) for key in zip(*parts, strict=True)]
    kind = np.array(found, np.int64)
    _, firsts = np.unique(kind, return_index=True)
    read: list[SlurmRecord | None] = []
    for place in cells.places[firsts].tolist():
        values = values_of(texts[place], reader.layout)
        assert values is not None
        read.append(reader.kind({at: values[at] for at in told}))
    readable = np.array([one is not None for one in read], np.bool_)
    renumbered = np.where(readable, np.cumsum(readable) - 1, -1)
    return renumbered[kind], [one for one in read if one is not None]


def _objects(values: Sequence[str | None]) -> Objects:
    return np.fromiter(values, object, len(values))
