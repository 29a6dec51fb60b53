"""Paper 001's prediction experiments on a log, kept in files."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pred_aware.campaign.run_digest import digest_of_file
from pred_aware.runs.made import libraries_of
from reproductions.kept import keep, kept_file, read_kept

if TYPE_CHECKING:
    from pred_aware.prediction.measures import Measures

Measured: TypeAlias = dict[tuple[str, str], dict[str, float | None]]
"""By experiment and model: of `MEASURES` each."""

MODELS = ("decision_tree", "gradient_boosting")
FOREST = "random_forest"
"""Fitted in the first experiment alone: it takes ten times as long as the tree."""
BASELINE = "baseline"
MEASURES = (
    "mae", "r2", "over", "exact", "effective", "general", "over_mean", "under_mean", "over_in_hour",
    "under_in_hour", "under_by_hour", "jobs",
)  # fmt: skip
"""``mae``, and the mean errors of what is over- and underestimated in seconds; ``r2``; the shares
of jobs that are overestimated and exact; how much nearer than the walltime overestimates and all
are; which shares of over- and underestimates are off by less than an hour; of all jobs the share
that is too short by an hour and more; which share of the jobs to predict the experiment keeps."""
_FORMAT = 2
"""Raised when what is kept is another."""


def experiments_on(log: Path, *, folder: Path) -> Measured:
    """Return the four experiments on a log, from the folder where they are there.

    Raises
    ------
    HistoryError, InputError, PredAwareError
        The log can't be read, or the folder can't be written.
    """
    from predictors.registry import PREDICTORS

    computing = libraries_of(type(PREDICTORS.make(name)) for name in (*MODELS, FOREST))
    kept = kept_file(folder, _FORMAT, digest_of_file(log), sorted(computing.items()))
    if not kept.is_file():
        keep(kept, [[*key, values] for key, values in _made(log).items()])
    rows = read_kept(kept, list[tuple[str, str, dict[str, float | None]]])
    return {(experiment, model): values for experiment, model, values in rows}


def _made(log: Path) -> Measured:
    from pred_aware.prediction.past_table import read_past
    from reproductions.paper001 import EXPERIMENTS, Setup, run

    table, found = read_past(log), Measured()
    every = 0
    for name in EXPERIMENTS:
        models = (*MODELS, FOREST) if name == BASELINE else MODELS
        made = run(name, table, Setup(models=models))
        every = max(every, made.predicted)
        for result in made.models:
            found[name, result.model] = _figures(result.measures, made.predicted / every)
    return found


def _figures(measures: "Measures", jobs: float) -> dict[str, float | None]:
    over, under = measures.over_errors, measures.under_errors
    within = under.within_hour
    figures = (
        measures.mae,
        measures.r2,
        measures.over,
        measures.exact,
        measures.effectiveness.valid,
        measures.effectiveness.general,
        over.mean,
        under.mean,
        over.within_hour,
        within,
        None if within is None else measures.under * (1.0 - within),
        jobs,
    )
    return dict(zip(MEASURES, figures, strict=True))
