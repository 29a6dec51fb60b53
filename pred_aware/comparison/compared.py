"""Runs of the same workload side by side, as in paper 001."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pred_aware.comparison.copies import Perturbed, Resampled
from pred_aware.comparison.summaries import SHOWN, AgainstBaseline, RunSummary
from pred_aware.effects.bounds import BoundedMeasure
from pred_aware.effects.effect import Effect
from pred_aware.metrics.figures import TAU
from pred_aware.recorded_queue.check import BaselineCheck

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from pred_aware.runs.run import Run


@dataclass(frozen=True, slots=True, repr=False)
class Compared:
    """Runs in figures, and each but the first against the first, the baseline."""

    runs: tuple[RunSummary, ...]
    """The first is the baseline."""
    against_baseline: tuple[AgainstBaseline, ...]
    """The others against the baseline."""
    differences: tuple[str, ...] = ()
    """In what their jobs differ, in words; then the figures say little about the schedulers."""
    compared: "tuple[Run, ...]" = field(default=(), repr=False, compare=False)
    """The runs themselves."""
    shown: tuple[str, ...] = SHOWN
    """The measures that the table of figures has."""
    tau: float = TAU
    """Run times below this many seconds count as this in bounded slowdowns."""
    groups: tuple[str, ...] = ()
    """By what the measures are shown too."""
    recorded_queue: BaselineCheck | None = None
    """Whether the baseline is the queue that the log recorded."""
    shaken: Perturbed | None = None
    """What shakes of the workload say; without, there is one run of each, and no interval."""
    resampled: Resampled | None = None
    """What resamples of the workload say: whether another year would agree."""
    weeks: tuple[Effect, ...] | None = None
    """What the weeks of one run each say."""
    bounds: tuple[BoundedMeasure, ...] | None = None
    """What no schedule goes below, and what exact run times would give."""

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each figure, a column for each run; times in seconds.

        For each run but the first, the baseline, a column of the changes against it stands behind:
        (new - baseline) / baseline. Over shakes figures are means, and the ends of the change's
        interval stand behind it.
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
        """Tell who gains and who loses against the baseline, in waiting time.

        Parameters
        ----------
        by
            ``size``, ``length``, ``user``, ``queue`` or ``weekday``, as for `Run.measures_by`; by
            default job by job.

        Returns
        -------
        pandas.DataFrame
            For each run but the baseline, whose name is in the column `run`, a row for each job:
            its `submission_time`, `processors`, `run_time`, `user` and `queue` where they are
            known, `baseline_waiting_time`, `waiting_time` and their `difference`, negative for who
            gains. Or for each group: its `jobs`, the means of these three
            (`baseline_mean_waiting_time`, `mean_waiting_time`, `mean_difference`), the
            `total_difference`, and which shares of its jobs wait `shorter` and `longer`. Times in
            seconds.

        Raises
        ------
        PredAwareError
            Jobs cannot be grouped so, or the workload that tells it is not at hand.
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
        """Draw the runs: machine and queue over time, and how long jobs waited."""
        from pred_aware.runs.picture import figure_of

        return figure_of(self.compared)

    def __repr__(self) -> str:
        """Name the runs."""
        return f"<Comparison of {', '.join(run.name for run in self.runs)}>"

    def provenance_lines(self) -> list[str]:
        """Say in a line how each run was made, where it is known."""
        from pred_aware.runs.provenance import in_a_line

        return [
            f"{run.name}: {run.remark or in_a_line(run.provenance or {})}"
            for run in self.runs
            if run.provenance or run.remark
        ]
