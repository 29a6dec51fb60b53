"""A run: the result of each job, measures, files, and provenance."""

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
    """A run of a scheduler on a workload, with the result of each job.

    `pred_aware.simulate` and `pred_aware.read_run` create runs. DataFrames are built on demand. A
    run can be pickled.

    Parameters
    ----------
    name
        The run's name in tables and pictures.
    contents
        The run's files, in memory or on disk.
    workload
        The simulated workload, if available, with users, queues and other fields.
    warm_up
        Ids of the jobs that only fill the machine; by default those that the workload marks.
    recipe
        How to repeat the run, if known.

    Attributes
    ----------
    rejections : dict
        Numbers of rejected jobs by reason, if known.
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

    # the content of the files

    @property
    def path(self) -> Path | None:
        """The jobs file, or ``None`` for a run in memory."""
        return self._contents.path

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The values that `pred-aware run --json` prints; empty for a run that was read.

        These are the columns of ``_schedule.csv``, bounded slowdowns, and totals of corrections and
        planned starts.
        """
        summary = self._summary
        return dict((summary() if callable(summary) else summary) or {})

    def content(self, kind: str) -> bytes | None:
        """Return the content of one of the run's files, unpacked; ``None`` if it does not exist.

        Raises
        ------
        PredAwareError
            The file cannot be read.
        """
        return self._contents.read(kind)

    @property
    def jobs_sha256(self) -> str:
        """The SHA-256 of the jobs file; equal runs have the same digest."""
        return self._contents.jobs_sha256

    # DataFrames for notebooks

    @cached_property
    def jobs(self) -> "pd.DataFrame":
        """A row for each job that ran, in the order of the ends, indexed by `job_id`.

        Batsim's columns come first, with times in seconds: `submission_time`,
        `requested_number_of_resources`, `walltime` (missing if there is none), `final_state`,
        `starting_time`, `execution_time`, `finish_time`, `waiting_time`, `turnaround_time`,
        `stretch`, `allocated_resources`, `profile`, `metadata`. If the workload is available, its
        other fields follow: `user`, `queue` and so on, and the recorded wait as
        `recorded_wait_time`. If the scheduler reports its planning, these columns follow:
        `first_estimate`, `last_estimate`, `corrections`, `started_as` (head, queue, backfilled),
        `first_promised_start`, `last_promised_start`. If some jobs only fill the machine, `warm_up`
        marks them. With several workloads the index has full names, such as ``w1!15``.
        """
        return ran_frame(self._whole_table, self.workload, self.content("estimates"))

    @cached_property
    def rejected(self) -> "pd.DataFrame":
        """A row for each job that never ran, with the reason if known."""
        reasons = self.rejections or (
            {} if self.provenance is None else self.provenance.get("rejected", {})
        )
        return rejected_frame(
            self._table, self.workload, processors=self.processors, reasons=list(reasons)
        )

    @cached_property
    def blocks(self) -> "pd.DataFrame | None":
        """The block of each job, and drained blocks; ``None`` without blocks.

        A row for each job that ran (`use` is ``ran``) and for each drain (``drained``), in the
        order of their ends: `job_id`, `use`, the name of the `block`, `start` and `end` in seconds,
        as the scheduler saw them. docs/explanation/blocks.md defines drains.

        Raises
        ------
        PredAwareError
            The file cannot be read.
        """
        from pred_aware.metrics.job_results import read_block_record

        content = self.content("blocks")
        return None if content is None else read_block_record(content, self.name)

    @cached_property
    def stops(self) -> "pd.DataFrame | None":
        """How long each rule of the site delayed each job; ``None`` without a site.

        A row for each pair of a job that ran and a rule that delayed it: `job_id`, the `rule` in
        words and the `seconds`, in the order of the jobs' ends.
        """
        content = self.content("stops")
        if content is None:
            return None
        return read_side_table(
            content, f"{self.name}: its _stops.csv", dtype={"job_id": str, "rule": str}
        )

    @cached_property
    def figures(self) -> "pd.Series[float]":
        """The main measures by name, as in `pred-aware compare --json` (docs/reference/metrics.md).

        Times are in seconds. A value is missing if it cannot be computed.
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
            Names in `pred_aware.metrics.MEASURES`, such as ``p99_waiting_time``; by default all.
        baseline
            The run to compare with, for measures that need one.
        tau
            Shortest run time in bounded slowdowns, in seconds; shorter run times count as `tau`.

        Returns
        -------
        pandas.Series
            By name; missing if a value cannot be computed.

        Raises
        ------
        PredAwareError
            A measure does not exist; the message has similar names.
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
        """Measure groups of the run's jobs.

        Parameters
        ----------
        by
            ``size`` (processors, in powers of four), ``length`` (run time), ``user``, ``queue`` or
            ``weekday`` (of the submission). The last three need the workload.
        names
            Measures that are computed from jobs; by default the mean wait, its 95th percentile and
            the mean bounded slowdown.
        edges
            For ``size`` and ``length``: the largest value of each class except the last, ascending,
            in processors or seconds. By default the usual classes.
        baseline, tau
            As in `measures`.

        Returns
        -------
        pandas.DataFrame
            A row for each group: its `jobs`, their share of the `work` (processor seconds), and the
            measures.

        Raises
        ------
        PredAwareError
            A measure does not exist or is not available for groups, or the workload lacks the
            group.
        """
        from pred_aware.metrics.groups import DEFAULT, measures_by

        chosen = DEFAULT if names is None else names
        return measures_by(self, by, chosen, edges=edges, baseline=baseline, tau=tau)

    # provenance

    @property
    def made(self) -> dict[str, Any] | None:
        """The same as `provenance`, under its name before version 0.3."""
        return self.provenance

    @property
    def provenance(self) -> dict[str, Any] | None:
        """How the run was made: the content of ``PREFIX_run.json`` (docs/reference/run-files.md).

        ``None`` if nothing is known, or if the file belongs to another run.
        """
        return self._contents.provenance[0]

    @property
    def remark(self) -> str | None:
        """A remark about `provenance`, such as that the file belongs to another run."""
        return self._contents.provenance[1]

    def __repr__(self) -> str:
        """Return the name, and the number of jobs that ran."""
        return (
            f"<Run {self.name}: {self._ran_and_counts.sum()} jobs on {self.processors} processors>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, without the recipe if it cannot be pickled."""
        state = {**self.__dict__, "_summary": self.summary}
        try:
            pickle.dumps(self.recipe)
        except (pickle.PicklingError, AttributeError, TypeError):
            # the recipe contains a user's class that only this process knows
            state["recipe"] = None
        return state

    def _repr_html_(self) -> str:
        """Show the main measures and the provenance in a notebook."""
        from pred_aware.report.html import table_in_html
        from pred_aware.runs.provenance import in_a_line

        note_below = self.remark or ("" if self.provenance is None else in_a_line(self.provenance))
        return table_in_html(repr(self)[1:-1], self.figures.to_frame(), note=note_below)

    def plot(self) -> "Figure":
        """Draw the machine, the queue and the waits; see `pred_aware.Comparison.plot`."""
        from pred_aware.runs.picture import figure_of

        return figure_of([self])

    def write(self, prefix: str | Path) -> None:
        """Write the run's files, all or none: ``PREFIX_jobs.csv`` and so on.

        The files equal those of `pred-aware run -e PREFIX` byte for byte, except for the date, the
        command and the paths in ``PREFIX_run.json``.

        Raises
        ------
        SimulationError
            The files cannot be written.
        """
        self._contents.write(prefix)
