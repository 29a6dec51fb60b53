"""Paper 001's prediction experiments on a log, over random splits, kept in files."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pred_aware.campaign import PolicyOfCampaign, kept

if TYPE_CHECKING:
    from pred_aware.prediction import Measures, PastTable

Measured: TypeAlias = dict[tuple[str, str], list[dict[str, float | None]]]
"""By experiment and model: of each split of `MEASURES` each."""
_Row: TypeAlias = tuple[str, str, dict[str, float | None]]

MODELS = ("decision_tree", "gradient_boosting")
FOREST = "random_forest"
"""Fitted in the first experiment alone: it takes ten times as long as the others together."""
BASELINE, CONSECUTIVE = "baseline", "consecutive"
EXPERIMENTS = (BASELINE, "best_users", "augmentation", CONSECUTIVE)
SPLITS = 20
OVERLAP = 0.25
"""What random splits test by what they learn from: a fifth, by four."""
MEASURES = (
    "mae", "r2", "over", "exact", "effective", "general", "over_mean", "under_mean", "over_in_hour",
    "under_in_hour", "under_by_hour", "effective_with_hour", "jobs",
)  # fmt: skip
"""``mae``, and the mean errors of what is over- and underestimated in seconds; ``r2``; the shares
of jobs that are overestimated and exact; how much nearer than the walltime overestimates and all
are; which shares of over- and underestimates are off by less than an hour; of all jobs the share
that is too short by an hour and more; how much nearer they are with an hour added; which share of
the jobs to predict the experiment keeps."""
_FORMAT = 3
"""Raised when what is kept is another."""


def experiments_on(
    log: Path, *, folder: Path, seeds: Iterable[int] = range(1, SPLITS + 1)
) -> Measured:
    """Return the four experiments on a log, from the folder where they are there.

    Parameters
    ----------
    log
        The past jobs.
    folder
        Where they are kept, split by split.
    seeds
        Of the splits, and of the models: of the last experiment, whose split is no random one, of
        the models alone.

    Raises
    ------
    HistoryError, InputError, PredAwareError
        The log cannot be read, or the folder cannot be written.
    """
    # the models come from the libraries of these predictors
    models = [PolicyOfCampaign("", "easy", {"predictor": name}) for name in (*MODELS, FOREST)]
    read: list[PastTable] = []
    found: Measured = {}
    for seed in seeds:
        for name in EXPERIMENTS:

            def make(name: str = name, seed: int = seed) -> list[_Row]:
                return _made(_past(log, read), name, seed)

            determining = (_FORMAT, log, name, seed, *models)
            for experiment, model, values in kept(folder, list[_Row], make, *determining):
                found.setdefault((experiment, model), []).append(values)
    return found


def _past(log: Path, read: "list[PastTable]") -> "PastTable":
    """Return the past jobs, which are read once, and only where something is not kept."""
    from pred_aware.prediction import read_past

    if not read:
        read.append(read_past(log))
    return read[0]


def _made(table: "PastTable", name: str, seed: int) -> list[_Row]:
    from reproductions.paper001 import Setup, run

    models = (*MODELS, FOREST) if name == BASELINE else MODELS
    setup = Setup(models=models, seed=seed)
    made = run(name, table, setup)
    every = round(setup.test_share * len(table.submissions))
    return [
        (name, one.model, _figures(one.measures, one.effective_with_hour, made.predicted / every))
        for one in made.models
    ]


def _figures(measures: "Measures", with_hour: float | None, jobs: float) -> dict[str, float | None]:
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
        with_hour,
        jobs,
    )
    return dict(zip(MEASURES, figures, strict=True))
