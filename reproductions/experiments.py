"""Paper 001's prediction experiments on a log, kept in files."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pred_aware.campaign import PolicyOfCampaign, kept

if TYPE_CHECKING:
    from pred_aware.prediction import Measures

Measured: TypeAlias = dict[tuple[str, str], dict[str, float | None]]
"""By experiment and model: of `MEASURES` each."""
_Row: TypeAlias = tuple[str, str, dict[str, float | None]]

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
    # the models come from the libraries of these predictors
    models = (PolicyOfCampaign("", "easy", {"predictor": name}) for name in (*MODELS, FOREST))
    rows = kept(folder, list[_Row], lambda: _made(log), _FORMAT, log, *models)
    return {(experiment, model): values for experiment, model, values in rows}


def _made(log: Path) -> list[_Row]:
    from pred_aware.prediction import read_past
    from reproductions.paper001 import EXPERIMENTS, Setup, run

    table, found = read_past(log), list[_Row]()
    every = 0
    for name in EXPERIMENTS:
        models = (*MODELS, FOREST) if name == BASELINE else MODELS
        made = run(name, table, Setup(models=models))
        every = max(every, made.predicted)
        for result in made.models:
            figures = _figures(result.measures, made.predicted / every)
            found.append((name, result.model, figures))
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
