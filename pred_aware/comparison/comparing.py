"""Comparing runs of the same workload, also over shakes of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pred_aware.comparison.comparison import Comparison, as_comparison
from pred_aware.comparison.one_run_each import one_run_each
from pred_aware.comparison.weeks import weeks_of
from pred_aware.metrics.figures import TAU

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pred_aware.runs.run import Run


def compare(  # noqa: PLR0913 - what there is to choose
    runs: "Sequence[Run]",
    *,
    anyway: bool = False,
    measures: Iterable[str] | None = None,
    tau: float = TAU,
    by: Iterable[str] = (),
    shakes: int = 0,
    max_shift: float = 600.0,
    resamples: int = 0,
    weeks: bool = False,
    bounds: bool = False,
    platform: "Path | None" = None,
    own_parts: bool = False,
    workers: int | None = None,
    progress: "Callable[[int, int], None] | None" = None,
) -> Comparison:
    """Compare runs of the same workload, each with the first.

    Parameters
    ----------
    runs
        The runs; the first is the baseline.
    anyway
        Compare also runs that did not simulate the same jobs, and say so. A job that one side
        did not run leaves room for the others there, so that leaving it out of the figures of both
        does not make them comparable.
    measures
        Which of `pred_aware.metrics.MEASURES` to show; by default some of them.
    tau
        Run times below this many seconds count as this in bounded slowdowns.
    by
        By what to show the measures too: ``size``, ``length``, ``user``, ``queue``, ``weekday``.
    shakes
        Simulate each run again on so many shakes of its workload (`Workload.shaken`, with the seeds
        1, 2, ...), so that each difference has an interval; docs/explanation/intervals.md says what
        it tells. 0: one run each, and no interval.
    max_shift
        By how many seconds a session begins at most earlier or later in a shake.
    resamples
        Simulate each run again on so many resamples of its workload (`Workload.resampled`, with
        the seeds 1, 2, ...), which tell whether another year would agree: an answer of another
        kind than that of shakes, in tables of its own.
    weeks
        Tell what changes over the weeks of the runs as they are, without simulating anything: for
        runs that cannot be simulated again, such as those of a real machine.
    bounds
        Say what no schedule of the workload goes below (`pred_aware.lower_bound`), and what each
        scheduler gives with run times known exactly: seconds of CPU for each.
    platform
        The machine's XML file, where that of a run that was read is no longer where it was.
    own_parts
        Make also parts that a run's file calls ``module:Class``: this imports what is called so.
        Parts of runs that were simulated in this process need it not.
    workers
        How many processes simulate; by default one per core. What comes out is the same.
    progress
        Called now and then with how many shakes or resamples are done, and of how many.

    Raises
    ------
    PredAwareError
        There are fewer than two, two have the same name, one has no job in common with the first,
        or, unless `anyway`, did not run the same jobs; there is no such measure, or the jobs cannot
        be grouped so. Of shakes and resamples: a run cannot be simulated again, since nobody knows
        how, what it was made from is gone or has changed, or it comes out otherwise.

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
    >>> change = found.shaken.effect("easy", "mean_waiting_time").change
    >>> round(change.value, 2), round(change.low, 2), round(change.high, 2), change.significant
    (-0.34, -0.36, -0.33, True)
    """
    found = one_run_each(runs, anyway=anyway, measures=measures, tau=tau, by=by)
    if weeks:
        found = replace(found, weeks=weeks_of(runs, found.shown, tau=tau))
    if not (shakes or resamples or bounds):
        return as_comparison(found)
    # simulations are needed by nobody else here
    from pred_aware.comparison.repeated_runs import RepeatedRuns

    again = RepeatedRuns(
        runs, {"measures": found.shown, "tau": tau, "by": found.groups}, platform=platform,
        own_parts=own_parts, workers=workers, progress=progress,
    )  # fmt: skip
    if bounds:
        found = replace(found, bounds=again.bounds())
    if shakes:
        found = replace(found, shaken=again.on_shakes(range(1, shakes + 1), max_shift=max_shift))
    if resamples:
        found = replace(found, resampled=again.on_resamples(range(1, resamples + 1)))
    return as_comparison(found)
