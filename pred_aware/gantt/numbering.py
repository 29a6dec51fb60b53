"""Numbers instead of names of jobs and users, for pages that may be shared."""

import re
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from schedulers.core.lowest_free import LowestFree
from workload_tools.batsim.intervals import Intervals, count, parse_intervals
from workload_tools.printable import printable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.report.sentence import Name
    from pred_aware.runs.run import Run


MOST_CHANGED = 20


@dataclass(frozen=True, slots=True)
class SchedulePair:
    """The schedules of two runs of the same jobs, with options for a page."""

    baseline: "Run"
    other: "Run"
    """Runs of the same jobs."""
    changed: int = MOST_CHANGED
    """Number of listed jobs whose waits changed most: half with longer waits, half with shorter."""
    names: bool = False
    """True to show names of jobs and users; False to show numbers, for jobs in order of submission.
    """
    explain: bool = True
    """True to explain why the listed jobs waited; this simulates the runs again if possible."""


_NUMBER = re.compile(r"[1-9]\d{0,8}", re.ASCII)
"""Matches a job's id that a packed column can store as a number without loss."""


class Numbering:
    """Numbers of the jobs and users of two schedules, or their names if these may be shown.

    Parameters
    ----------
    schedules
        The two runs, with the choice between names and numbers.
    """

    def __init__(self, schedules: "SchedulePair") -> None:
        self._schedules = schedules

    @cached_property
    def jobs(self) -> "pd.DataFrame":
        """The jobs that ran in either schedule, in the order of their numbers from 1.

        Jobs are ordered by submission. Jobs submitted at the same time are ordered by id, with
        shorter ids first. The index is `job_id`, the columns are `submission_time` and
        `requested_number_of_resources`.
        """
        import pandas as pd

        columns = ["submission_time", "requested_number_of_resources"]
        runs = (self._schedules.baseline, self._schedules.other)
        both = pd.concat([run.jobs[columns] for run in runs])
        jobs = both[~both.index.duplicated()]
        ids = jobs.index.astype("str")
        lengths = ids.str.len().to_numpy(np.int64)
        order = np.lexsort((ids.to_numpy(str), lengths, jobs["submission_time"].to_numpy()))
        return jobs.iloc[order]

    @cached_property
    def users(self) -> "tuple[NDArray[np.int64], list[str]] | None":
        """The index of each job's user (-1 for none), and the users in order of their first jobs.

        ``None`` if the runs' workload is unknown or has no users.
        """
        import pandas as pd

        for run in (self._schedules.baseline, self._schedules.other):
            if "user" in run.jobs:
                known = run.jobs["user"].reindex(self.jobs.index)
                codes, users = pd.factorize(known.astype("object"))
                return codes.astype(np.int64), [str(user) for user in users]
        return None

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], int]:
        """Numbers of users, by the kind of name (``user``) and the name."""
        users = () if self.users is None else self.users[1]
        return {("user", user): number for number, user in enumerate(users, 1)}

    @cached_property
    def numbers(self) -> "NDArray[np.int64]":
        """The number of each job in `jobs`: counted from 1, or its id if names may be shown."""
        return np.arange(1, len(self.jobs) + 1) if self._ids is None else self._ids

    @property
    def numbers_are_names(self) -> bool:
        """True if the numbers are the jobs' own ids."""
        return self._ids is not None

    @cached_property
    def _ids(self) -> "NDArray[np.int64] | None":
        """The jobs' ids as numbers; ``None`` if names are hidden or an id is not a number."""
        ids = self.jobs.index.tolist()
        if not self._schedules.names or not all(map(_NUMBER.fullmatch, ids)):
            return None
        return np.array(ids, np.int64)

    def numbers_of(self, jobs: "pd.Index[str]") -> "NDArray[np.int64]":
        """Return the numbers of jobs that are given by id."""
        return self.numbers[self.jobs.index.get_indexer(jobs)]

    def called(self, name: "Name") -> str:
        """Return the displayed name of a job, user or queue; queues keep their names."""
        if self._schedules.names or name.kind == "queue":
            return printable(name.value)
        number = self._number(name.kind, name.value)
        return f"{number:,}" if name.kind == "job" else f"{number}"

    def _number(self, kind: str, value: str) -> int:
        import pandas as pd

        if kind == "job":
            return int(self.numbers_of(pd.Index([value]))[0])
        # an explanation may read users from the workload's file, which `users` does not read
        return self._numbers.setdefault((kind, value), len(self._numbers) + 1)


def job_processors(jobs: "pd.DataFrame", *, processors: int) -> tuple[list[Intervals], bool]:
    """Return the processors of each job, and whether the run recorded them.

    If the run did not, each job gets the free processors with the lowest numbers at its start.

    Parameters
    ----------
    jobs
        As in `pred_aware.Run.jobs`; a job without a start has no processors.
    processors
        Size of the machine.
    """
    ran = jobs["starting_time"].notna().tolist()
    if "allocated_resources" in jobs:
        texts = zip(jobs["allocated_resources"].tolist(), ran, strict=True)
        try:
            return [parse_intervals(text) if runs else () for text, runs in texts], True
        except (TypeError, ValueError):
            pass  # the processors are missing, or in another simulator's format
    return _lowest_free(jobs, processors), False


def _lowest_free(jobs: "pd.DataFrame", processors: int) -> list[Intervals]:
    start, end, sizes = (
        jobs[column].to_numpy()
        for column in ("starting_time", "finish_time", "requested_number_of_resources")
    )
    rule, free = LowestFree(processors), processors
    found: list[Intervals] = [()] * len(jobs)
    running: list[tuple[float, int]] = []
    for job in np.lexsort((end, start)).tolist():
        while running and running[0][0] <= start[job]:
            ended = found[heappop(running)[1]]
            rule.release(ended)
            free += count(ended)
        # the condition is false for a job that never ran, or that needs more than the free ones
        if start[job] >= 0.0 and 0 < sizes[job] <= free:
            found[job] = rule.allocate(int(sizes[job]))
            free -= int(sizes[job])
            heappush(running, (float(end[job]), job))
    return found


def in_columns(some: list[Intervals], order: "NDArray[np.intp]") -> "dict[str, NDArray[np.int64]]":
    """Return the processor intervals of jobs as columns of numbers.

    Parameters
    ----------
    some
        The intervals of each job.
    order
        The jobs with intervals, in order of start, so that neighbours are similar.

    Returns
    -------
    dict
        ``intervals``: the number of intervals of each job. ``gaps``: the number of processors
        between the end of a job's previous interval (or processor 0) and each interval.
        ``lengths``: the size of each interval except a job's last one, which has the rest of the
        job's processors. ``gaps`` and ``lengths`` have the jobs in the given order.
    """
    gaps, lengths = [], []
    for job in order.tolist():
        reached = 0
        for first, last in some[job]:
            gaps.append(first - reached)
            lengths.append(last + 1 - first)
            reached = last + 1
        if some[job]:
            lengths.pop()
    columns = {
        "intervals": [len(job_intervals) for job_intervals in some],
        "gaps": gaps,
        "lengths": lengths,
    }
    return {name: np.array(column, np.int64) for name, column in columns.items()}
