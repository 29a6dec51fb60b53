"""Compare runs of the same workload, if requested also over perturbed copies."""

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


def compare(  # noqa: PLR0913 - all options of a comparison
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
    """Compare runs of the same workload with the first run.

    Parameters
    ----------
    runs
        The runs; the first is the baseline.
    anyway
        Also compare runs of different jobs, with a warning. If one run lacks a job, its other jobs
        have more processors. So the runs are not comparable even if measures leave this job out.
    measures
        Names in `pred_aware.metrics.MEASURES` to show; by default `SHOWN`.
    tau
        In bounded slowdowns, shorter run times count as this time in seconds.
    by
        Also show the measures by ``size``, ``length``, ``user``, ``queue`` or ``weekday``.
    shakes
        Number of perturbed copies on which each run is repeated (`Workload.shaken` with the
        seeds 1, 2, ...), so that each difference has an interval; see
        docs/explanation/intervals.md. With 0, single runs without intervals are compared.
    max_shift
        The largest shift of a session in a perturbed copy, in seconds.
    resamples
        Number of resamples on which each run is repeated (`Workload.resampled` with the seeds
        1, 2, ...). Separate tables then show the changes that another year may have.
    weeks
        Compare the weeks of the given runs, without any simulation. This option is for runs that
        cannot be repeated, such as runs of a real machine.
    bounds
        Show the lower bounds of all schedules (`pred_aware.lower_bound`), and each scheduler's
        results with exact run times. Each bound takes seconds of CPU time.
    platform
        The machine's XML file, if the file that a run names has moved.
    own_parts
        Also import modules for parts that a run's file names as ``module:Class``. Runs of this
        process do not need this option.
    workers
        The number of processes; by default one per core. It does not change the results.
    progress
        Called with the number of finished copies and their total.

    Raises
    ------
    PredAwareError
        There are fewer than two runs; two runs have the same name; a run has no job in common with
        the first run; a run has different jobs and `anyway` is false; or a measure or grouping is
        unknown. With perturbed copies and resamples: a run cannot be repeated, because its
        provenance is unknown, its inputs are missing or have changed, or the repeated run differs.

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
    # imported here, because only this function needs simulations
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
