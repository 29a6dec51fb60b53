"""Runs of the same workload side by side, as in paper 001."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pred_aware.comparison.bounds import AtBest
from pred_aware.comparison.resamples import Resampled
from pred_aware.comparison.shaken import NO_SHAKES, Shaken
from pred_aware.comparison.summaries import SHOWN, AgainstBase, RunSummary
from pred_aware.comparison.weeks import Weeks
from pred_aware.metrics.figures import TAU
from pred_aware.recorded_queue.check import BaseCheck

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from pred_aware.report.page.shown import Page
    from pred_aware.runs.run import Run


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Runs in figures, and each but the first against the first.

    Parameters
    ----------
    runs
        The runs; the first is the base.
    against_base
        The others against it.
    differences
        In what their jobs differ, in words; then the figures say little about the schedulers.
    compared
        The runs themselves.
    shown
        The measures that the table of figures has.
    tau
        Run times below this many seconds count as this in bounded slowdowns.
    groups
        By what the measures are shown too.
    base_queue
        Whether the base is the queue that the log recorded.
    shaken
        What shakes of the workload say of them; without, there is one run of each, and no interval.
    resampled
        What resamples of the workload say: whether another year would agree.
    weeks
        What the weeks of one run each say.
    at_best
        What no schedule goes below, and what exact run times would give.
    """

    runs: tuple[RunSummary, ...]
    against_base: tuple[AgainstBase, ...]
    differences: tuple[str, ...] = ()
    compared: "tuple[Run, ...]" = field(default=(), repr=False, compare=False)
    shown: tuple[str, ...] = SHOWN
    tau: float = TAU
    groups: tuple[str, ...] = ()
    base_queue: BaseCheck | None = None
    shaken: Shaken | None = None
    resampled: Resampled | None = None
    weeks: Weeks | None = None
    at_best: AtBest | None = None

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each figure, a column for each run; times in seconds.

        For each run but the first, the base, a column of the changes against it stands behind:
        (new - base) / base. Over shakes figures are means, and the ends of the change's interval
        stand behind it.
        """
        import pandas as pd

        if self.shaken is not None:
            return self.shaken.frame
        columns = {run.name: pd.Series(run.figures, dtype="float64") for run in self.runs}
        for other in self.against_base:
            change = pd.Series(other.improvement, dtype="float64")
            columns[f"change in {other.name}"] = change
        return pd.DataFrame(columns).rename_axis("figure")

    def gains(self, by: str | None = None) -> "pd.DataFrame":
        """Tell who gains and who loses against the base, in waiting time.

        Parameters
        ----------
        by
            ``size``, ``length``, ``user``, ``queue`` or ``weekday``, as for `Run.measures_by`; by
            default job by job.

        Returns
        -------
        pandas.DataFrame
            For each run but the base, whose name is in the column `run`, a row for each job: its
            `submission_time`, `processors`, `run_time`, `user` and `queue` where they are known,
            `base_waiting_time`, `waiting_time` and their `difference`, negative for who gains. Or
            for each group: its `jobs`, the means of these three (`base_mean_waiting_time`,
            `mean_waiting_time`, `mean_difference`), the `total_difference`, and which shares of its
            jobs wait `shorter` and `longer`. Times in seconds.

        Raises
        ------
        PredAwareError
            Jobs can't be grouped so, or the workload that tells it is not at hand.
        """
        import pandas as pd

        from pred_aware.metrics.gains import gains, gains_by

        base, *others = self.compared
        frames = [gains(base, run) if by is None else gains_by(base, run, by) for run in others]
        for frame, run in zip(frames, others, strict=True):
            frame.insert(0, "run", run.name)
        return pd.concat(frames)

    def plot(self) -> "Figure":
        """Draw the runs: machine and queue over time, and how long jobs waited."""
        from pred_aware.runs.picture import figure_of

        return figure_of(self.compared)

    def page(self, *, names: bool = False) -> "Page":
        """Return the page that `pred-aware compare --html` writes; a notebook shows it.

        Parameters
        ----------
        names
            Whether jobs and users are called by their names; otherwise they have numbers.
        """
        from pred_aware.comparison.page import page_of
        from pred_aware.report.page.shown import Page

        return Page(page_of(self, made="pred_aware.compare(...)", names=names))

    def __repr__(self) -> str:
        """Name the runs."""
        return f"<Comparison of {', '.join(run.name for run in self.runs)}>"

    def _repr_html_(self) -> str:
        """Show it in a notebook: its figures, and how the runs were made."""
        from pred_aware.report.in_html import table_in_html

        said = [] if self.base_queue is None else [self.base_queue.sentence]
        note = "; ".join([*said, *self.made_in_lines()])
        return table_in_html(repr(self)[1:-1], self.frame, note=note)

    def made_in_lines(self) -> list[str]:
        """Say in a line how each run was made, where it is known."""
        from pred_aware.runs.made import in_a_line

        return [
            f"{run.name}: {run.remark or in_a_line(run.made or {})}"
            for run in self.runs
            if run.made or run.remark
        ]

    def to_dict(self) -> dict[str, object]:
        """Return the comparison as it is written to JSON."""
        from pred_aware.comparison.winners_and_losers import gains_in_json, groups_in_json

        return {
            "base": self.runs[0].name,
            "tau": self.tau,
            "runs": {run.name: run.to_dict() for run in self.runs},
            "against_base": {
                other.name: {**other.to_dict(), "gains": gains_in_json(self.compared[0], run)}
                for other, run in zip(self.against_base, self.compared[1:], strict=True)
            },
            "base_queue": None if self.base_queue is None else self.base_queue.to_dict(),
            "intervals": NO_SHAKES if self.shaken is None else self.shaken.to_dict(),
            **({} if self.resampled is None else {"resamples": self.resampled.to_dict()}),
            **({} if self.weeks is None else {"weeks": self.weeks.to_dict()}),
            **({} if self.at_best is None else {"at_best": self.at_best.to_dict()}),
            **({"by": groups_in_json(self)} if self.groups else {}),
            **({"not_the_same_jobs": self.differences} if self.differences else {}),
        }
