"""A run: what became of each job, in figures, in files, and how it was made."""

import io
import pickle
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.log.workload import Workload
from pred_aware.metrics.figures import TAU
from pred_aware.runs.contents import RunContents
from pred_aware.runs.how_made import RunRecipe
from pred_aware.runs.job_frames import ran_frame, rejected_frame
from pred_aware.runs.jobs_table import (
    NUMBERS,
    as_written,
    number_of_arrays,
    reachable,
    read_table,
    table_of,
    table_of_arrays,
)
from pred_aware.simulator.tracing import STATE_NAMES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.engine.outcome import Outcome

KILLED = ("COMPLETED_WALLTIME_REACHED", "COMPLETED_KILLED")


class Run:
    """A run of a scheduler on a workload: what became of each job.

    It is made by `pred_aware.simulate` or `pred_aware.read_run`, not by hand. Frames are made when
    they are asked for. It can be sent to other processes.

    Parameters
    ----------
    name
        What the run is called in tables and pictures.
    contents
        The run's files, in memory or on disk.
    workload
        What was simulated, if it is at hand: users, queues and so on are taken from there.
    warm_up
        Ids of the jobs that only fill the machine; by default those that the workload marks.
    recipe
        How it can be made again, where that is at hand.

    Attributes
    ----------
    rejections : dict
        How many jobs were rejected, by reason, where it is known.
    """

    def __init__(
        self,
        name: str,
        contents: RunContents,
        *,
        workload: Workload | None = None,
        warm_up: Collection[str] | None = None,
        summary: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
        rejections: Mapping[str, int] | None = None,
        recipe: RunRecipe | None = None,
    ) -> None:
        self.name = name
        self.workload = workload
        self.recipe = recipe
        self._summary = summary
        self.rejections = dict(rejections or {})
        self._contents = contents
        if warm_up is None:
            warm_up = () if workload is None else workload.warm_up
        self._warm_up = frozenset(warm_up)

    # what stands in the files

    @property
    def path(self) -> Path | None:
        """The jobs file, or ``None`` for a run that is in memory only."""
        return self._contents.path

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `pred-aware run --json` prints; empty for a run that was read.

        The columns of ``_schedule.csv``, bounded slowdowns and what is known of estimates.
        """
        summary = self._summary
        return dict((summary() if callable(summary) else summary) or {})

    def content(self, kind: str) -> bytes | None:
        """Return what is in one of the run's files, unpacked; ``None`` where there is none.

        Raises
        ------
        PredAwareError
            The file can't be read.
        """
        return self._contents.read(kind)

    @property
    def jobs_sha256(self) -> str:
        """The SHA-256 of the jobs file, by which one sees whether two runs are the same."""
        return self._contents.jobs_sha256

    @cached_property
    def _table(self) -> "pd.DataFrame":
        in_arrays = self._contents.in_arrays
        if in_arrays is not None:
            return table_of_arrays(in_arrays.outcome, self.name)
        columns = self._contents.jobs
        if columns:
            return table_of(columns, self.name)
        return read_table(self.content("jobs") or b"", self.path or self.name)

    @property
    def _whole_table(self) -> "pd.DataFrame":
        """All columns of `_table`, also those that no figure is made from."""
        columns = self._contents.jobs
        return table_of(columns, self.name, words=True) if columns else self._table

    # arrays, since pandas would look for attributes of a series among the jobs' names

    @cached_property
    def _counts(self) -> "NDArray[np.bool_]":
        import numpy as np

        if not self._warm_up:
            in_arrays = self._contents.in_arrays
            jobs = self._table if in_arrays is None else in_arrays.outcome.over
            return np.ones(len(jobs), np.bool_)
        return ~self._table["job_id"].isin(list(self._warm_up)).to_numpy()

    @cached_property
    def _rejected(self) -> "NDArray[np.bool_]":
        in_arrays = self._contents.in_arrays
        if in_arrays is not None:
            return ~in_arrays.outcome.ran
        return (self._table["final_state"] == "REJECTED").to_numpy()

    @cached_property
    def _ran_and_counts(self) -> "NDArray[np.bool_]":
        return self._counts & ~self._rejected

    # what figures are made from

    @cached_property
    def ran(self) -> "pd.DataFrame":
        """The jobs that ran and count, with Batsim's columns of numbers, in the file's order.

        Times in seconds; indexed by ``workload_name!job_id``.
        """
        return self._table.loc[self._ran_and_counts, list(NUMBERS)]

    def column(self, name: str, *, whole: bool = False) -> "NDArray[np.float64]":
        """Return one of Batsim's columns of numbers.

        Parameters
        ----------
        name
            Such as ``waiting_time``.
        whole
            Of all jobs that ran, those of the warm-up too.

        Returns
        -------
        numpy.ndarray
            Shape (jobs,), in the order of `ran` or of `whole`.
        """
        found = self._of_arrays(name)
        if found is None:
            found = (self.whole if whole else self.ran)[name].to_numpy()
        return found

    def _of_arrays(self, name: str) -> "NDArray[np.float64] | None":
        """Return a column where no table has to be made for it: then all jobs that ran count."""
        in_arrays = self._contents.in_arrays
        if in_arrays is None or self._warm_up or "_table" in self.__dict__:
            return None
        found, ran = number_of_arrays(in_arrays.outcome, name), in_arrays.outcome.ran
        # the table says of which job a date can't be
        if name != "stretch" and not reachable(found):
            return None
        return found if ran.all() else found[ran]

    @property
    def walltimes(self) -> "NDArray[np.float64]":
        """The walltimes of the jobs in `ran`, in seconds; NaN where a job has none."""
        import numpy as np

        walltimes = self._of_arrays("requested_time")
        if walltimes is None:
            if "requested_time" not in self._table:
                return np.full(len(self.ran), np.nan)
            walltimes = self._table.loc[self._ran_and_counts, "requested_time"].to_numpy()
        # Batsim writes -1 where there is none
        return np.where(walltimes >= 0.0, walltimes, np.nan)

    @cached_property
    def ids_in_workload(self) -> "pd.Index[str]":
        """What the jobs in `ran` are called in the workload; with several, their full names."""
        import pandas as pd

        names = self._table["workload_name"]
        several = (names != names.iloc[0]).any()
        ids = self._table.index if several else pd.Index(self._table["job_id"], dtype="str")
        found: pd.Index[str] = ids[self._ran_and_counts]
        return found

    @cached_property
    def places_in_workload(self) -> "NDArray[np.intp] | None":
        """Which row of the workload's frame each job in `ran` is; -1 where it has none.

        ``None`` where no workload is at hand.
        """
        if self.workload is None:
            return None
        if (numbered := self.numbered) is not None:
            return numbered
        return self.workload.jobs.index.get_indexer(self.ids_in_workload)

    @property
    def numbered(self) -> "NDArray[np.intp] | None":
        """What `places_in_workload` has, where that is known without looking names up."""
        in_arrays = self._contents.in_arrays
        if self.workload is None or in_arrays is None:
            return None
        return in_arrays.outcome.over[self._ran_and_counts]

    def told(self, field: str) -> "pd.Series[Any] | None":
        """Return what the workload tells of the jobs in `ran`, such as their `user`.

        ``None`` where there is no workload at hand, or it tells that of no job.
        """
        places = self.places_in_workload
        if self.workload is None or places is None or field not in self.workload.jobs:
            return None
        values = self.workload.jobs[field]
        if (places < 0).any():
            return values.reindex(self.ids_in_workload)
        return values.take(places)

    def planned(self, column: str) -> "NDArray[np.float64] | None":
        """Return how the jobs in `ran` were planned, where that need not be read from a file.

        Parameters
        ----------
        column
            ``first_promised_start`` in seconds, NaN without one, or ``started_as``: 0 for the head,
            1 from the queue, 2 backfilled.
        """
        import numpy as np

        in_arrays = self._contents.in_arrays
        if in_arrays is None or not in_arrays.outcome.has_journal:
            return None
        chosen = in_arrays.outcome.schedule.over[self._ran_and_counts]
        schedule = in_arrays.outcome.schedule
        if column == "started_as":
            return schedule.started_as[chosen].astype(np.float64)
        promised = schedule.first_promise[chosen]
        return as_written(np.where(promised < 0.0, np.nan, promised))

    @cached_property
    def warm_up(self) -> "pd.DataFrame | None":
        """Those that ran and only fill the machine; ``None`` where no job does that."""
        if not self._warm_up:
            return None
        return self._table.loc[~self._counts & ~self._rejected, list(NUMBERS)]

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, those of the warm-up too: what the machine did."""
        if self.warm_up is None:
            return self.ran
        import pandas as pd

        return pd.concat([self.warm_up, self.ran])

    @property
    def never_ran(self) -> "pd.Index[str]":
        """The full names of the jobs that count and never ran, as in the index of `ran`."""
        return self._table.index[self._counts & self._rejected]

    @property
    def killed(self) -> int:
        """How many of the jobs that ran and count were killed."""
        import numpy as np

        in_arrays = self._contents.in_arrays
        if in_arrays is not None:
            killed = np.isin(STATE_NAMES, KILLED)[in_arrays.outcome.states]
        else:
            killed = self._table["final_state"].isin(KILLED).to_numpy()
        return int((killed & self._counts).sum())

    @property
    def machine_processors(self) -> int | None:
        """Size of the machine, from the schedule file; ``None`` without one."""
        size = self._contents.schedule_figure("nb_computing_machines")
        return None if size is None else int(size)

    @property
    def scheduling_time(self) -> float | None:
        """Seconds spent in the scheduler; ``None`` where nobody measured it."""
        return self._contents.schedule_figure("scheduling_time") or None

    @cached_property
    def processors(self) -> int:
        """Size of the machine; without a schedule file the highest number of processors in use."""
        return self.machine_processors or _most_in_use(self.whole)

    # what a notebook shows

    @cached_property
    def jobs(self) -> "pd.DataFrame":
        """A row for each job that ran, in the order of the ends, indexed by `job_id`.

        Batsim's columns, times in seconds: `submission_time`, `requested_number_of_resources`,
        `walltime` (missing where there is none), `final_state`, `starting_time`, `execution_time`,
        `finish_time`, `waiting_time`, `turnaround_time`, `stretch`, `allocated_resources`,
        `profile`, `metadata`. What the workload tells of the job beside these, if it is at hand:
        `user`, `queue` and so on, the wait that the log recorded as `recorded_wait_time`. How it
        was planned, if the scheduler tells: `first_estimate`, `last_estimate`, `corrections`,
        `started_as` (head, queue, backfilled), `first_promised_start`, `last_promised_start`.
        `warm_up`, where jobs only fill the machine. With several workloads the index has the full
        names, such as ``w1!15``.
        """
        return ran_frame(self._whole_table, self.workload, self.content("estimates"))

    @cached_property
    def rejected(self) -> "pd.DataFrame":
        """A row for each job that never ran, with the reason, where it is known."""
        reasons = self.rejections or ({} if self.made is None else self.made.get("rejected", {}))
        return rejected_frame(
            self._table, self.workload, processors=self.processors, reasons=list(reasons)
        )

    @cached_property
    def blocks(self) -> "pd.DataFrame | None":
        """Which block each job had, and which was drained for whom; ``None`` without blocks.

        A row for each job that ran (`use` is ``ran``) and for each drain (``drained``), in the
        order of their ends: `job_id`, `use`, the name of the `block`, `start` and `end` in seconds,
        as the scheduler saw them. docs/explanation/blocks.md says what a drain is.

        Raises
        ------
        PredAwareError
            The file can't be read.
        """
        from pred_aware.runs.block_record import read_block_record

        content = self.content("blocks")
        return None if content is None else read_block_record(content, self.name)

    @cached_property
    def stops(self) -> "pd.DataFrame | None":
        """How long which rule of the site kept each job from starting; ``None`` without a site.

        A row for each job that ran and rule that stopped it: `job_id`, the `rule` in words and the
        `seconds`, in the order of the jobs' ends.
        """
        import pandas as pd

        content = self.content("stops")
        if content is None:
            return None
        return pd.read_csv(io.BytesIO(content), dtype={"job_id": str, "rule": str})

    @cached_property
    def figures(self) -> "pd.Series[float]":
        """The figures by name, as `pred-aware compare --json` has them (docs/reference/metrics.md).

        Times in seconds. Missing where there is nothing to make one from.
        """
        import pandas as pd

        from pred_aware.metrics.figures import figures

        counts = {**counts_of(self), "processors": self.processors}
        return pd.Series({**counts, **figures(self)}, dtype="float64", name=self.name)

    def measures(
        self, names: Iterable[str] | None = None, *, baseline: "Run | None" = None, tau: float = TAU
    ) -> "pd.Series[float]":
        """Measure the run: waits, slowdowns, lost capacity, fairness (docs/reference/metrics.md).

        Parameters
        ----------
        names
            Of `pred_aware.metrics.MEASURES`, such as ``p99_waiting_time``; all of them by default.
        baseline
            The run that it is compared with, for what is said against one.
        tau
            Run times below this many seconds count as this in bounded slowdowns.

        Returns
        -------
        pandas.Series
            By name; missing where there is nothing to make one from.

        Raises
        ------
        PredAwareError
            There is no such measure; it tells the nearest names.
        """
        import pandas as pd

        from pred_aware.metrics.run_measures import measures

        found = measures(self, names, baseline=baseline, tau=tau)
        return pd.Series(found, dtype="float64", name=self.name)

    def measures_by(
        self,
        by: str,
        names: Iterable[str] | None = None,
        *,
        edges: Sequence[float] | None = None,
        baseline: "Run | None" = None,
        tau: float = TAU,
    ) -> "pd.DataFrame":
        """Measure groups of its jobs.

        Parameters
        ----------
        by
            ``size`` (processors, in powers of four), ``length`` (run time), ``user``, ``queue`` or
            ``weekday`` (of the submission). The last three need the workload at hand.
        names
            Of the measures that are made of jobs; by default the mean wait, its 95th percentile and
            the mean bounded slowdown.
        edges
            Of ``size`` and ``length``, the largest value of each class but the last, in place of
            the usual classes: ascending, in processors or seconds.
        baseline, tau
            As for `measures`.

        Returns
        -------
        pandas.DataFrame
            A row for each group: its `jobs`, their share of the `work` (processor seconds), and the
            measures.

        Raises
        ------
        PredAwareError
            There is no such measure, or none by group, or the workload does not tell the group.
        """
        from pred_aware.metrics.groups import DEFAULT, measures_by

        chosen = DEFAULT if names is None else names
        return measures_by(self, by, chosen, edges=edges, baseline=baseline, tau=tau)

    # how it was made

    @property
    def made(self) -> dict[str, Any] | None:
        """How the run was made: what stands in ``PREFIX_run.json`` (docs/reference/run-files.md).

        ``None`` where nothing is known, or where the file is of another run.
        """
        return self._contents.made[0]

    @property
    def remark(self) -> str | None:
        """What has to be known of `made`: that the file beside the jobs is of another run."""
        return self._contents.made[1]

    def __repr__(self) -> str:
        """Name it, and the number of jobs that ran."""
        return (
            f"<Run {self.name}: {self._ran_and_counts.sum()} jobs on {self.processors} processors>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return what is sent to another process: how to make it again only where that can be."""
        state = {**self.__dict__, "_summary": self.summary}
        try:
            pickle.dumps(self.recipe)
        except (pickle.PicklingError, AttributeError, TypeError):
            # a class of one's own that only this process knows
            state["recipe"] = None
        return state

    def _repr_html_(self) -> str:
        """Show it in a notebook: its figures, and how it was made."""
        from pred_aware.report.html import table_in_html
        from pred_aware.runs.made import in_a_line

        made = self.remark or ("" if self.made is None else in_a_line(self.made))
        return table_in_html(repr(self)[1:-1], self.figures.to_frame(), note=made)

    def plot(self) -> "Figure":
        """Draw the machine, the queue and the waits; see `pred_aware.Comparison.plot`."""
        from pred_aware.runs.picture import figure_of

        return figure_of([self])

    def write(self, prefix: str | Path) -> None:
        """Write the run's files, all or none: ``PREFIX_jobs.csv`` and so on.

        They are those that `pred-aware run -e PREFIX` writes, byte by byte, but for the date, the
        command and where files were in ``PREFIX_run.json``.

        Raises
        ------
        SimulationError
            They can't be written.
        """
        self._contents.write(prefix)


def outcome_of(run: Run) -> "Outcome | None":
    """Return what the engine made of a run's jobs, where that is in memory."""
    in_arrays = run._contents.in_arrays  # noqa: SLF001 - of this module
    return None if in_arrays is None else in_arrays.outcome


def counts_of(run: Run) -> dict[str, int]:
    """Return how many of a run's jobs that count ran, never ran, and were killed."""
    counts, rejected = run._counts, run._rejected  # noqa: SLF001 - of this module
    return {
        "jobs": int((counts & ~rejected).sum()),
        "rejected": int((counts & rejected).sum()),
        "killed": run.killed,
    }


def _most_in_use(jobs: "pd.DataFrame") -> int:
    from pred_aware.metrics.timelines import in_use

    start, end, sizes = (
        jobs[column].to_numpy()
        for column in ("starting_time", "finish_time", "requested_number_of_resources")
    )
    return int(in_use(start, end, sizes)[1].max(initial=0))
