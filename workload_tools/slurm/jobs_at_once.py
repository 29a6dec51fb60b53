"""The jobs of many runs at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import inf
from operator import itemgetter

import numpy as np

from workload_tools.job import Job
from workload_tools.job_columns import Column, JobColumns, numbers
from workload_tools.slurm.cells import Floats, Integers, Marks
from workload_tools.slurm.combining import Run
from workload_tools.slurm.job_maker import (
    MET_SUSPENSION,
    NEGATIVE_WAIT,
    NEVER_STARTED,
    NO_ELAPSED,
    NO_RUN_TIME,
    NOT_ENDED,
    SUSPENDED,
    ZERO_RUN_TIME,
    KindOfJob,
    SlurmJobMaker,
)
from workload_tools.slurm.record import SlurmRecord, Unread
from workload_tools.slurm.regular import RegularRecords
from workload_tools.slurm.sizes import NO_SIZE
from workload_tools.slurm.states import UNFINISHED

_REASONS = (NOT_ENDED, NEVER_STARTED, NO_RUN_TIME, ZERO_RUN_TIME)

_MOST_ALONE = 16
"""So many jobs of a lot may come alone."""


def in_parts(
    maker: SlurmJobMaker,
    records: RegularRecords,
    others: Sequence[tuple[int, Run]],
    *,
    read: Callable[[int], SlurmRecord | Unread],
) -> Iterator[Job | JobColumns]:
    """Yield the jobs of a lot in their order.

    Of a job without a walltime, who drops it takes back what was counted of it since the one
    before: if anything is, it comes alone, and what stands before it is counted before.

    Parameters
    ----------
    maker
        Makes jobs, and counts.
    records
        Those that are regular.
    others
        The runs of others, by the places of their records.
    read
        Reads the record at a place.
    """

    def between(first: int, last: float) -> JobsAtOnce:
        """Return the part of the lot between two places."""
        chosen = ~noted & (records.places > first) & (records.places < last)
        return JobsAtOnce(maker, records.where(chosen))

    whole = JobsAtOnce(maker, records)
    noted = whole.noted_without_limit
    alone = {at for at, (record, _) in others if record.limit is None}
    many = len(alone) + noted.sum() > _MOST_ALONE
    if many:
        # parts would be small
        noted = np.ones(len(noted), np.bool_)
    runs = [*others]
    for at in records.places[noted].tolist():
        record = read(at)
        assert isinstance(record, SlurmRecord)
        runs.append((at, (record, None)))
        alone.add(at)
    if not alone:
        yield from _joined(whole, runs)
        return
    runs.sort(key=itemgetter(0))
    if many:
        for _, run in runs:
            yield from maker.jobs_of(run)
        return
    together: list[tuple[int, Run]] = []
    done = -1
    for at, run in runs:
        if at not in alone:
            together.append((at, run))
            continue
        yield from _joined(between(done, at), together)
        yield from maker.jobs_of(run)
        done, together = at, []
    yield from _joined(between(done, inf), together)


def _joined(at_once: "JobsAtOnce", others: list[tuple[int, Run]]) -> Iterator[JobColumns]:
    """Yield the jobs of regular records and of others as one, if there are any."""
    maker = at_once.maker
    jobs = at_once.jobs()
    made = [(at, job) for at, run in others for job in maker.jobs_of(run)]
    if not made:
        if jobs is not None:
            yield jobs
        return
    more = JobColumns.of([job for _, job in made])
    places = [at for at, _ in made]
    if jobs is not None:
        places = [*at_once.records.places[at_once.kept].tolist(), *places]
        more = JobColumns.joined([jobs, more])
    yield more.at(np.argsort(places, kind="stable"))


class JobsAtOnce:
    """Makes jobs of regular records, as `SlurmJobMaker` does of each.

    Parameters
    ----------
    maker
        Makes a job of each kind, and has the report.
    records
        The records.
    """

    def __init__(self, maker: SlurmJobMaker, records: RegularRecords) -> None:
        self.maker = maker
        self.records = records
        told = ~np.isnan(records.elapsed)
        self.span = records.end - records.start
        self.run_time: Floats = np.where(told, records.elapsed, self.span)
        self.unfinished = self._of_kind([one.state in UNFINISHED for one in records.kinds])
        self.ran = ~self.unfinished & ~np.isnan(records.start) & (self.run_time > 0.0)
        self.made: dict[int, KindOfJob | None] = {
            kind: maker.kind(records.kinds[kind])
            for kind in np.unique(records.kind[self.ran]).tolist()
        }
        sized = [self.made.get(kind) is not None for kind in range(len(records.kinds))]
        self.kept = self.ran & self._of_kind(sized)
        submit, start = records.submit, records.start
        if maker.from_eligible:
            moved = np.minimum(np.maximum(submit, records.eligible), np.maximum(submit, start))
            submit = np.where(np.isnan(records.eligible), submit, moved)
        self.submit: Floats = submit
        self.notes = {
            NO_ELAPSED: self.kept & ~told,
            SUSPENDED: self.kept & (self.span > self.run_time),
            NEGATIVE_WAIT: self.kept & (start < submit),
        }

    def _of_kind(self, values: list[bool]) -> Marks:
        """Return what is true of the kind of each record."""
        return np.array(values, np.bool_)[self.records.kind]

    @cached_property
    def noted_without_limit(self) -> Marks:
        """Which records make a job without a walltime of which something is told in the report."""
        without = self.kept & self._of_kind([one.limit is None for one in self.records.kinds])
        if not without.any():
            return without
        made = [self.made.get(kind) for kind in range(len(self.records.kinds))]
        noted = self._of_kind([one is not None and bool(one.notes or one.mark) for one in made])
        noted_too: Marks = np.logical_or.reduce([noted, *self.notes.values()])
        return without & noted_too

    def jobs(self) -> JobColumns | None:
        """Make the jobs, and count what becomes of each record; None where there is none."""
        maker, records, kept = self.maker, self.records, self.kept
        self._count_dropped()
        if not kept.any():
            return None
        kinds, place_of = np.unique(records.kind[kept], return_inverse=True)
        made = [one for kind in kinds.tolist() if (one := self.made[kind]) is not None]
        submit, start = self.submit[kept], records.start[kept]
        end, run_time = records.end[kept], self.run_time[kept]
        wait = np.where(start < submit, np.nan, start - submit)
        jobs = JobColumns.of([one.job for one in made]).at(place_of)
        sizes = jobs.columns["processors"].values
        maker.busy.add_many(start, np.where(end > start, end, start + run_time), sizes)
        self._count_kept(made, place_of, wait)
        ran = np.ones(len(wait), np.bool_)
        eligible = records.eligible[kept]
        arrays = records.arrays[kept]
        columns = {
            "id": records.ids.at(kept),
            "submit_time": numbers(submit, ran),
            "run_time": numbers(run_time, ran),
            "wait_time": numbers(wait, ~np.isnan(wait)),
            "eligible_time": numbers(eligible, eligible > submit),
            "name": _texts(records.names[kept].tolist()),
            "array": _texts(arrays.tolist()),
        }
        if maker.array_limits and "array" in columns:
            limits = [maker.array_limits.get(one or "") for one in arrays.tolist()]
            told = jobs.listed("array_limit")
            either = [one or other for one, other in zip(told, limits, strict=True)]
            columns["array_limit"] = Column.of(either)
        return jobs.changed({name: one for name, one in columns.items() if one is not None})

    def _count_dropped(self) -> None:
        records, dropped = self.records, self.maker.report.dropped
        reasons = np.select(
            [self.unfinished, np.isnan(records.start), np.isnan(self.run_time)], [0, 1, 2], 3
        )
        for code, reason in enumerate(_REASONS):
            of_kind = records.kind[~self.ran & (reasons == code)]
            for kind, count in Counter(of_kind.tolist()).items():
                dropped[reason.format(records.kinds[kind].state)] += count
        without_size = int((self.ran & ~self.kept).sum())
        if without_size:
            dropped[NO_SIZE[self.maker.sizes.unit]] += without_size

    def _count_kept(self, made: list[KindOfJob], of_kind: Integers, wait: Floats) -> None:
        report = self.maker.report
        report.kept += len(wait)
        left_out: dict[str, Marks] = {}
        counts = np.bincount(of_kind, minlength=len(made)).tolist()
        for place, (kind, count) in enumerate(zip(made, counts, strict=True)):
            for note in kind.notes:
                report.repaired[note] += count
            if kind.mark is not None:
                report.marked[kind.mark] += count
            for one in kind.left_out:
                left_out.setdefault(one, np.zeros(len(made), np.bool_))[place] = True
        for note, marks in self.notes.items():
            if marks.any():
                report.repaired[note] += int(marks.sum())
        lack = {what: of_kinds[of_kind] for what, of_kinds in left_out.items()}
        suspended = self.notes[SUSPENDED][self.kept]
        if suspended.any():
            lack[MET_SUSPENSION] = suspended
        report.left_out.add_many(wait, lack)


def _texts(values: list[str | None]) -> Column | None:
    """Make a column of names; None if there are none."""
    return None if values.count(None) == len(values) else Column.of(values)
