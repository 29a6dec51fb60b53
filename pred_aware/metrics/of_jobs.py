"""Compute quantities of each job of a run."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.figures import TAU, bounded_slowdown
from pred_aware.metrics.job_results import read_side_table, rows_in
from pred_aware.metrics.overtaking import overtaken, work_that_overtook
from pred_aware.metrics.sample import Sample
from pred_aware.metrics.table import SIZE_CLASSES, size_edges
from schedulers.core.job import BACKFILLED, HEAD, QUEUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults

    Array = NDArray[np.float64]

LATE = 0.01
"""Starts that differ by at most this many seconds are equal. In the real Batsim, messages take some
milliseconds."""
_DIGITS = 6
_KINDS = (HEAD, QUEUE, BACKFILLED)
"""The ways in which a scheduler starts a job, as in the estimates file."""


class OfJobs:
    """Computes quantities of a run's jobs on demand, without warm-up jobs.

    Parameters
    ----------
    run
        The run with the jobs.
    baseline
        The run to compare with; ``None`` without a baseline.
    tau
        In bounded slowdowns, shorter run times count as this time in seconds.
    """

    def __init__(
        self, run: "JobResults", *, baseline: "JobResults | None" = None, tau: float = TAU
    ) -> None:
        self.run = run
        self._baseline = baseline
        self._tau = tau
        self._made: dict[str, Array] = {}

    def values(self, quantity: str) -> "Array":
        """Return a quantity by its name; NaN for jobs that lack the quantity.

        Parameters
        ----------
        quantity
            A name in `pred_aware.metrics.table.QUANTITIES`, or a quantity for fairness.

        Returns
        -------
        numpy.ndarray
            Shape (jobs,), in the order of `pred_aware.Run.ran`.
        """
        if quantity not in self._made:
            self._made[quantity] = (
                self._waits_of_size(quantity)
                if quantity in SIZE_CLASSES
                else getattr(self, f"_{quantity}")()
            )
        return self._made[quantity]

    def sample(self, quantity: str, some: "NDArray[np.intp] | None" = None) -> Sample:
        """Return a quantity of all jobs, or of the jobs at the positions `some`, for statistics."""
        values, areas = self.values(quantity), self.values("area")
        return Sample(values, areas) if some is None else Sample(values[some], areas[some])

    def column(self, name: str) -> "Array":
        """Return one of Batsim's numeric columns."""
        return self.run.column(name)

    def _area(self) -> "Array":
        return self.column("requested_number_of_resources") * self.column("execution_time")

    def _waiting_time(self) -> "Array":
        return self.column("waiting_time")

    def _waits_of_size(self, name: str) -> "Array":
        edges = size_edges(self.run.processors or 1)
        classes = np.searchsorted(edges, self.column("requested_number_of_resources"))
        return np.where(classes == [*SIZE_CLASSES].index(name), self._waiting_time(), np.nan)

    def _turnaround_time(self) -> "Array":
        return self.column("turnaround_time")

    def _slowdown(self) -> "Array":
        stretch = self.column("stretch")
        return np.where(np.isfinite(stretch), stretch, np.nan)

    def _bounded_slowdown(self) -> "Array":
        waiting, run_time = self.column("waiting_time"), self.column("execution_time")
        return bounded_slowdown(waiting, run_time, tau=self._tau)

    def _per_processor_bounded_slowdown(self) -> "Array":
        waiting, run_time = self.column("waiting_time"), self.column("execution_time")
        spread = self.column("requested_number_of_resources") * np.maximum(run_time, self._tau)
        return np.maximum(1.0, (waiting + run_time) / spread)

    def _unitless_wait(self) -> "Array":
        walltimes = self.run.walltimes
        given = np.where(walltimes > 0.0, walltimes, np.nan)
        return self.column("waiting_time") / given

    def _overtaken(self) -> "Array":
        found = self._all_overtaken
        return found[len(found) - len(self.column("starting_time")) :].astype(np.float64)

    @cached_property
    def _all_overtaken(self) -> "NDArray[np.bool_]":
        return overtaken(*self._all_jobs("submission_time", "starting_time"))

    def _work_that_overtook(self) -> "Array":
        submission, start, sizes, run_time = self._all_jobs(
            *("submission_time", "starting_time"),
            *("requested_number_of_resources", "execution_time"),
        )
        work = sizes * run_time / (self.run.processors or 1)
        found = work_that_overtook(
            submission, start, work=work, were_overtaken=self._all_overtaken
        )  # fmt: skip
        return found[len(found) - len(self.column("starting_time")) :]

    def _all_jobs(self, *columns: str) -> "list[Array]":
        """Return columns of all jobs, with warm-up jobs first."""
        return [self.run.column(name, whole=True) for name in columns]

    def _later_than_baseline(self) -> "Array":
        return delays_against_baseline(self._delays)["later_than_baseline"]

    def _earlier_than_baseline(self) -> "Array":
        return delays_against_baseline(self._delays)["earlier_than_baseline"]

    @property
    def _delays(self) -> "Array":
        """The seconds by which each job starts later than in the baseline."""
        if self._baseline is None:
            return np.full(len(self.column("starting_time")), np.nan)
        rows = rows_in(self._baseline, self.run)
        # jobs that are not in the baseline have the row -1, the appended NaN
        before: Array = np.append(self._baseline.column("starting_time"), np.nan)[rows]
        return self.column("starting_time") - before

    def _later_than_promised(self) -> "Array":
        return late(self.column("starting_time") - self._promised())

    def _promised(self) -> "Array":
        """Return the first planned start of each job."""
        known = self.run.planned("first_promised_start")
        if known is not None:
            return known
        content = self.run.content("estimates") or b""
        # most schedulers plan few starts, so most lines have no planned start and are skipped
        lines = [line for line in content.split(b"\n") if not line.endswith(b",,")]
        return self._planned(b"\n".join(lines), "first_promised_start")

    def _started_as_head(self) -> "Array":
        return self._started_as("head")

    def _started_as_queue(self) -> "Array":
        return self._started_as("queue")

    def _started_as_backfilled(self) -> "Array":
        return self._started_as("backfilled")

    def _started_as(self, kind: str) -> "Array":
        """Return 1 for jobs that were started in this way, 0 for others, NaN if unknown."""
        found = self._how_started
        return np.where(np.isnan(found), np.nan, found == _KINDS.index(kind))

    @cached_property
    def _how_started(self) -> "Array":
        """How the scheduler started each job, as an index into `_KINDS`."""
        known = self.run.planned("started_as")
        if known is not None:
            return known
        content = self.run.content("estimates") or b""
        return self._planned(content, "started_as", words=_KINDS)

    def _planned(self, lines: bytes, column: str, *, words: Sequence[str] = ()) -> "Array":
        """Return a column of the estimates file in the order of the jobs, with words as indices.

        Parameters
        ----------
        lines
            Lines of the file, with its header; empty if the run has no such file.
        column
            The column's name.
        words
            The possible words, if the column is not numeric.
        """
        import pandas as pd

        run, found = self.run, np.full(len(self.run.ran), np.nan)
        if lines.count(b"\n") < 1:
            return found
        table = read_side_table(
            lines,
            f"{run.name}: its _estimates.csv",
            usecols=["job_id", column],
            dtype={"job_id": "str", column: "str" if words else "float64"},
        )
        ids, values = pd.Index(table["job_id"]), table[column].to_numpy()
        if words:
            codes = pd.Categorical(values, categories=list(words)).codes.astype(np.float64)
            values = np.where(codes < 0.0, np.nan, codes)
        if run.workload is not None and run.places_in_workload is not None:
            # the workload's index is faster, because it was already built for users
            jobs = run.workload.jobs.index
            by_row = np.full(len(jobs) + 1, np.nan)
            by_row[jobs.get_indexer(ids)] = values
            by_row[-1] = np.nan
            return by_row[run.places_in_workload]
        places = run.ids_in_workload.get_indexer(ids)
        found[places[places >= 0]] = values[places >= 0]
        return found


def delays_against_baseline(delays: "Array") -> "dict[str, Array]":
    """Return the quantities that compare jobs with a baseline, by name.

    Parameters
    ----------
    delays
        Seconds by which each job starts later than in the baseline, shape (jobs,); NaN if the job
        did not run in both runs.
    """
    return {"later_than_baseline": late(delays), "earlier_than_baseline": late(-delays)}


def late(delay: "Array") -> "Array":
    """Return the delays, with 0 for jobs that are not late by more than 0.01 s.

    Examples
    --------
    >>> late(np.array([-5.0, 0.004, 2.0, np.nan]))
    array([ 0.,  0.,  2., nan])
    """
    # files have six decimals; a difference of such numbers may have more
    delay = np.round(delay, _DIGITS)
    return np.where(delay <= LATE, 0.0, delay)
