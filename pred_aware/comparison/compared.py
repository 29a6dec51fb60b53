"""The results of a comparison of runs of the same workload, as in paper 001."""

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
    """The measures of runs, and the changes of each run against the first run, the baseline."""

    runs: tuple[RunSummary, ...]
    """The summaries of the runs; the first is the baseline."""
    against_baseline: tuple[AgainstBaseline, ...]
    """The changes of the other runs against the baseline."""
    differences: tuple[str, ...] = ()
    """Sentences on how the runs' jobs differ. Different jobs make schedulers incomparable."""
    compared: "tuple[Run, ...]" = field(default=(), repr=False, compare=False)
    """The compared runs, with the results of their jobs."""
    shown: tuple[str, ...] = SHOWN
    """The measures in the main table."""
    tau: float = TAU
    """In bounded slowdowns, shorter run times count as this time in seconds."""
    groups: tuple[str, ...] = ()
    """The groupings, such as ``user``, for which measures are shown."""
    recorded_queue: BaselineCheck | None = None
    """How close the baseline's queue is to the recorded queue; ``None`` if unknown."""
    shaken: Perturbed | None = None
    """The results on perturbed copies; ``None`` for single runs without intervals."""
    resampled: Resampled | None = None
    """The results on resamples, which test whether another year is similar; ``None`` without."""
    weeks: tuple[Effect, ...] | None = None
    """The effects over the weeks of single runs; ``None`` if not requested."""
    bounds: tuple[BoundedMeasure, ...] | None = None
    """Lower bounds, and results with exact run times; ``None`` if not requested."""

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each measure and a column for each run. Times are in seconds.

        Further columns contain the changes of the other runs against the baseline:
        (new - baseline) / baseline. With perturbed copies, the values are means, and two more
        columns contain the ends of each change's interval.
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
            default each job is a row.

        Returns
        -------
        pandas.DataFrame
            By default, for each run except the baseline (column `run`), a row for each job: its
            `submission_time`, `processors`, `run_time`, `user` and `queue` if known,
            `baseline_waiting_time`, `waiting_time` and their `difference`. A negative difference is
            a gain. With `by`, a row for each group: its number of `jobs`, the means
            `baseline_mean_waiting_time`, `mean_waiting_time` and `mean_difference`, the
            `total_difference`, and the fractions of jobs that wait `shorter` and `longer`. Times
            are in seconds.

        Raises
        ------
        PredAwareError
            The grouping is unknown, or needs the workload, which is not available.
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
        """Return a text with the names of the runs."""
        return f"<Comparison of {', '.join(run.name for run in self.runs)}>"

    def provenance_lines(self) -> list[str]:
        """Return one line for each run with its provenance, if known."""
        from pred_aware.runs.provenance import in_a_line

        return [
            f"{run.name}: {run.remark or in_a_line(run.provenance or {})}"
            for run in self.runs
            if run.provenance or run.remark
        ]
