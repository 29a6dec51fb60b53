"""Compare single runs: measures, differences, and whether the runs are comparable."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.summaries import SHOWN, against, differences, summary
from pred_aware.errors import PredAwareError
from pred_aware.metrics.figures import FIGURES, TAU
from pred_aware.metrics.groups import groups_of
from pred_aware.metrics.run_measures import measures as measured
from pred_aware.metrics.table import chosen
from pred_aware.recorded_queue.baseline_check import BaselineCheck
from pred_aware.recorded_queue.check import check_baseline
from pred_aware.runs.reading import workload_of

if TYPE_CHECKING:
    from pred_aware.runs.run import Run


def one_run_each(
    runs: "Sequence[Run]",
    *,
    anyway: bool = False,
    measures: Iterable[str] | None = None,
    tau: float = TAU,
    by: Iterable[str] = (),
) -> Compared:
    """Compare runs of the same workload with the first run, without perturbed copies.

    Parameters
    ----------
    runs, anyway, measures, tau, by
        As for `pred_aware.compare`.

    Raises
    ------
    PredAwareError
        The runs cannot be compared; see `pred_aware.compare`.
    """
    check_names([run.name for run in runs])
    beside = runs_side_by_side(runs, measures=measures, tau=tau, by=by)
    found = tuple(found for run in runs[1:] for found in differences(runs[0], run))
    if found and not anyway:
        raise PredAwareError(
            f"these runs have different jobs, so their measures cannot be compared: "
            f"{'; '.join(found)}; --anyway compares them nevertheless"
        )
    return replace(beside, differences=found, recorded_queue=_recorded_queue(runs[0]))


def runs_side_by_side(
    runs: "Sequence[Run]",
    *,
    measures: Iterable[str] | None = None,
    tau: float = TAU,
    by: Iterable[str] = (),
    with_provenance: bool = True,
) -> Compared:
    """Compare the measures of runs that are known to have the same jobs.

    Parameters
    ----------
    runs, measures, tau, by
        As for `pred_aware.compare`.
    with_provenance
        Whether to add the provenance of the runs; see `summary`.

    Raises
    ------
    PredAwareError
        A measure or grouping is not available.
    """
    shown = SHOWN if measures is None else chosen(measures)
    names = (*FIGURES, *shown)
    groups = tuple(dict.fromkeys(by))
    for group in groups:
        # report an impossible grouping before the long computations
        groups_of(runs[0], group)
    summaries = tuple(
        summary(
            run,
            measured(run, names, baseline=None if run is runs[0] else runs[0], tau=tau),
            with_provenance=with_provenance,
        )
        for run in runs
    )
    against_baseline = tuple(
        against(runs[0], run, baseline_figures=summaries[0].figures, figures=other.figures)
        for run, other in zip(runs[1:], summaries[1:], strict=True)
    )
    return Compared(
        runs=summaries, against_baseline=against_baseline, compared=tuple(runs), shown=shown,
        tau=tau, groups=groups,
    )  # fmt: skip


def _recorded_queue(baseline: "Run") -> BaselineCheck:
    """Compare the baseline with the recorded queue, if the workload is available."""
    workload = baseline.workload
    if workload is None and baseline.path is not None:
        with suppress(PredAwareError):
            workload = workload_of(baseline.provenance, baseline.path)
    return check_baseline(baseline, workload=workload)


def check_names(names: Sequence[str]) -> None:
    """Check the names of runs before anything is read.

    Raises
    ------
    PredAwareError
        There are fewer than two names, or two names are equal.
    """
    if len(names) < 2:  # noqa: PLR2004 - a comparison needs two
        raise PredAwareError("there is nothing to compare: give at least two runs")
    for name in names:
        if names.count(name) > 1:
            raise PredAwareError(
                f"two runs are called '{name}': give them different names (NAME=FILE or name=...)"
            )
