"""A run: what became of each job, in figures, in files, and how it was made."""

import pickle
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.log.workload import Workload
from pred_aware.metrics.figures import TAU
from pred_aware.metrics.job_results import read_side_table
from pred_aware.runs.contents import RunContents
from pred_aware.runs.job_frames import ran_frame, rejected_frame
from pred_aware.runs.provenance import RunRecipe
from pred_aware.runs.run_columns import RunColumns, counts_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Run(RunColumns):
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
        super().__init__(name, contents, workload, warm_up)
        self.recipe = recipe
        self._summary = summary
        self.rejections = dict(rejections or {})

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
        reasons = self.rejections or (
            {} if self.provenance is None else self.provenance.get("rejected", {})
        )
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
        content = self.content("stops")
        if content is None:
            return None
        return read_side_table(
            content, f"{self.name}: its _stops.csv", dtype={"job_id": str, "rule": str}
        )

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
        """`provenance` by its name before 0.3."""
        return self.provenance

    @property
    def provenance(self) -> dict[str, Any] | None:
        """How the run was made: what stands in ``PREFIX_run.json`` (docs/reference/run-files.md).

        ``None`` where nothing is known, or where the file is of another run.
        """
        return self._contents.provenance[0]

    @property
    def remark(self) -> str | None:
        """What has to be known of `provenance`: that the file beside the jobs is of another run."""
        return self._contents.provenance[1]

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
        from pred_aware.runs.provenance import in_a_line

        made = self.remark or ("" if self.provenance is None else in_a_line(self.provenance))
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
