"""Runs of the same workload side by side, as in paper 001."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pred_aware.comparison.copies import Perturbed, Resampled
from pred_aware.comparison.summaries import SHOWN, AgainstBaseline, RunSummary
from pred_aware.effects.bounds import BoundedMeasure
from pred_aware.effects.effect import Effect
from pred_aware.metrics.figures import TAU
from pred_aware.recorded_queue.baseline_check import BaselineCheck

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from pred_aware.runs.run import Run


@dataclass(frozen=True, slots=True, repr=False)
class Compared:
    """The figures of runs, and each other run against the first, the baseline."""

    runs: tuple[RunSummary, ...]
    """The first is the baseline."""
    against_baseline: tuple[AgainstBaseline, ...]
    """The other runs against the baseline."""
    differences: tuple[str, ...] = ()
    """How the runs' jobs differ, in words. If they do, the figures say little about schedulers."""
    compared: "tuple[Run, ...]" = field(default=(), repr=False, compare=False)
    """The runs themselves."""
    shown: tuple[str, ...] = SHOWN
    """The measures in the table of figures."""
    tau: float = TAU
    """Shorter run times count as this in bounded slowdowns, in seconds."""
    groups: tuple[str, ...] = ()
    """The groupings for which measures are shown."""
    recorded_queue: BaselineCheck | None = None
    """How well the baseline reproduces the recorded queue."""
    shaken: Perturbed | None = None
    """The results on perturbed copies. ``None``: single runs without intervals."""
    resampled: Resampled | None = None
    """The results on resamples of the workload: would another year agree?"""
    weeks: tuple[Effect, ...] | None = None
    """The results by weeks of single runs."""
    bounds: tuple[BoundedMeasure, ...] | None = None
    """The lower bounds of all schedules, and the results with exact run times."""

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each figure and a column for each run. Times are in seconds.

        Further columns have the changes of the other runs against the baseline:
        (new - baseline) / baseline. With perturbed copies, figures are means, and the ends of each
        change's interval follow.
        """
        import pandas as pd

        if self.shaken is not None:
            return self.shaken.frame
        columns = {run.name: pd.Series(run.figures, dtype="float64") for run in self.runs}
        for other in self.against_baseline:
            change = pd.Series(other.improvement, dtype="float64")
            columns[f"change in {other.name}"] = change
        return pd.DataFrame(columns).rename_axis("figure")

    def gains(self, by: str | None = None) -> "pd.DataFrame":
        """Return the changes of waiting times against the baseline, by job or by group.

        Parameters
        ----------
        by
            ``size``, ``length``, ``user``, ``queue`` or ``weekday``, as for `Run.measures_by`; by
            default job by job.

        Returns
        -------
        pandas.DataFrame
            For each run except the baseline (column `run`), a row for each job: its
            `submission_time`, `processors`, `run_time`, `user` and `queue` if known,
            `baseline_waiting_time`, `waiting_time` and their `difference`. A negative difference is
            a gain. Or a row for each group: its `jobs`, the means of these three
            (`baseline_mean_waiting_time`, `mean_waiting_time`, `mean_difference`), the
            `total_difference`, and the fractions of its jobs that wait `shorter` and `longer`.
            Times are in seconds.

        Raises
        ------
        PredAwareError
            This grouping is unknown, or needs the workload, which is missing.
        """
        import pandas as pd

        from pred_aware.metrics.gains import gains, gains_by

        baseline, *others = self.compared
        frames = [
            gains(baseline, run) if by is None else gains_by(baseline, run, by) for run in others
        ]
        for frame, run in zip(frames, others, strict=True):
            frame.insert(0, "run", run.name)
        return pd.concat(frames)

    def plot(self) -> "Figure":
        """Draw the machine and queue over time, and the waiting times."""
        from pred_aware.runs.picture import figure_of

        return figure_of(self.compared)

    def __repr__(self) -> str:
        """Name the runs."""
        return f"<Comparison of {', '.join(run.name for run in self.runs)}>"

    def provenance_lines(self) -> list[str]:
        """Return one line for each run with its provenance, if known."""
        from pred_aware.runs.provenance import in_a_line

        return [
            f"{run.name}: {run.remark or in_a_line(run.provenance or {})}"
            for run in self.runs
            if run.provenance or run.remark
        ]
