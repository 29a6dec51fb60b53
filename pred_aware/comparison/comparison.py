"""Runs of the same workload side by side, as in paper 001."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pred_aware.base_queue.check import BaseCheck, check_base
from pred_aware.comparison.same_jobs import differences
from pred_aware.comparison.shaken import NO_SHAKES, Shaken
from pred_aware.comparison.summaries import AgainstBase, RunSummary, against, summary
from pred_aware.errors import PredAwareError
from pred_aware.measures.groups import groups_of
from pred_aware.measures.measured import measures as measured
from pred_aware.measures.table import chosen
from pred_aware.runs.figures import FIGURES, TAU
from pred_aware.runs.workload_of import workload_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure

    from pred_aware.runs.run import Run

SHOWN = (
    *("makespan", "scheduling_time", "utilisation", "lost_capacity"),
    *("mean_waiting_time", "median_waiting_time", "p95_waiting_time", "p99_waiting_time"),
    *("max_waiting_time", "area_weighted_waiting_time"),
    *("mean_turnaround_time", "max_turnaround_time", "mean_slowdown", "max_slowdown"),
    *("mean_bounded_slowdown", "p99_bounded_slowdown", "max_bounded_slowdown"),
)
"""The measures that a comparison shows when none are asked for."""


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

        from pred_aware.measures.gains import gains, gains_by

        base, *others = self.compared
        frames = [gains(base, run) if by is None else gains_by(base, run, by) for run in others]
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
        from pred_aware.comparison.who_gains import gains_in_json, groups_in_json

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
            **({"by": groups_in_json(self)} if self.groups else {}),
            **({"not_the_same_jobs": self.differences} if self.differences else {}),
        }


def compare(  # noqa: PLR0913 - what there is to choose
    runs: "Sequence[Run]",
    *,
    anyway: bool = False,
    measures: Iterable[str] | None = None,
    tau: float = TAU,
    by: Iterable[str] = (),
    shakes: int = 0,
    reach: float = 600.0,
    platform: "Path | None" = None,
    own_parts: bool = False,
    workers: int | None = None,
    progress: "Callable[[int, int], None] | None" = None,
) -> Comparison:
    """Compare runs of the same workload, each with the first.

    Parameters
    ----------
    runs
        The runs; the first is the base.
    anyway
        Compare also runs that did not simulate the same jobs, and say so. A job that one side
        did not run leaves room for the others there, so that leaving it out of the figures of both
        does not make them comparable.
    measures
        Which of `pred_aware.measures.MEASURES` to show; by default some of them.
    tau
        Run times below this many seconds count as this in bounded slowdowns.
    by
        By what to show the measures too: ``size``, ``length``, ``user``, ``queue``, ``weekday``.
    shakes
        Simulate each run again on so many shakes of its workload (`Workload.shaken`, with the seeds
        1, 2, ...), so that each difference has an interval; docs/intervals.md says what it tells.
        0: one run each, and no interval.
    reach
        By how many seconds a session begins at most earlier or later in a shake.
    platform
        The machine's XML file, where that of a run that was read is no longer where it was.
    own_parts
        Make also parts that a run's file calls ``module:Class``: this imports what is called so.
        Parts of runs that were simulated in this process need it not.
    workers
        How many processes simulate; by default one a core. What comes out is the same.
    progress
        Called now and then with how many of the shakes are done, and of how many.

    Raises
    ------
    PredAwareError
        There are fewer than two, two have the same name, one has no job in common with the first,
        or, unless `anyway`, did not run the same jobs; there is no such measure, or the jobs can't
        be grouped so. Of shakes: a run can't be simulated again, since nobody knows how, what it
        was made from is gone or has changed, or it comes out otherwise.

    Examples
    --------
    >>> from pred_aware import Workload, simulate
    >>> jobs = [
    ...     {"id": n, "subtime": 900 * n, "res": 1 + n % 4, "walltime": 5000, "profile": "D",
    ...      "user_id": n}
    ...     for n in range(40)
    ... ]
    >>> profiles = {"D": {"type": "delay", "delay": 2000}}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> runs = [simulate(workload, name) for name in ("fcfs", "easy")]
    >>> found = compare(runs, shakes=10, workers=1)
    >>> change = found.shaken.against_base["easy"].figures["mean_waiting_time"]
    >>> round(change.value, 2), round(change.low, 2), round(change.high, 2), change.told_apart
    (-0.34, -0.36, -0.33, True)
    """
    check_names([run.name for run in runs])
    shown = SHOWN if measures is None else chosen(measures)
    names = (*FIGURES, *shown)
    groups = tuple(dict.fromkeys(by))
    for group in groups:
        # what can't be grouped shall be told now
        groups_of(runs[0], group)
    summaries = tuple(
        summary(run, measured(run, names, base=None if run is runs[0] else runs[0], tau=tau))
        for run in runs
    )
    against_base = tuple(
        against(runs[0], run, base_figures=summaries[0].figures, figures=other.figures)
        for run, other in zip(runs[1:], summaries[1:], strict=True)
    )
    found = tuple(found for run in runs[1:] for found in differences(runs[0], run))
    if found and not anyway:
        raise PredAwareError(
            f"not runs of the same jobs, so their figures can't be compared: {'; '.join(found)}; "
            "--anyway compares them nevertheless"
        )
    shaken = None
    if shakes:
        # simulations are needed by nobody else here
        from pred_aware.execution.shaking import shake

        shaken = shake(
            runs, range(1, shakes + 1), reach=reach, platform=platform, own_parts=own_parts,
            workers=workers, progress=progress, measures=shown, tau=tau,
        )  # fmt: skip
    return Comparison(
        runs=summaries, against_base=against_base, differences=found, compared=tuple(runs),
        shown=shown, tau=tau, groups=groups, base_queue=_base_queue(runs[0]), shaken=shaken,
    )  # fmt: skip


def _base_queue(base: "Run") -> BaseCheck:
    """Compare the base with the queue that its log recorded, where the workload is at hand."""
    workload = base.workload
    if workload is None and base.path is not None:
        with suppress(PredAwareError):
            workload = workload_of(base.made, base.path)
    return check_base(base, workload=workload)


def check_names(names: Sequence[str]) -> None:
    """Say at once, before anything is read, what can't be compared.

    Raises
    ------
    PredAwareError
        There are fewer than two names, or two are the same.
    """
    if len(names) < 2:  # noqa: PLR2004 - a comparison needs two
        raise PredAwareError("there is nothing to compare: give at least two runs")
    for name in names:
        if names.count(name) > 1:
            raise PredAwareError(
                f"two runs are called '{name}': name them, with NAME=FILE or name=..."
            )
