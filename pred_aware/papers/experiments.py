"""Paper 001's prediction experiments on a log, kept in files."""

from pathlib import Path
from typing import TypeAlias

from pred_aware.campaign.identity import digest_of_file
from pred_aware.papers.kept import keep, kept_file, read_kept
from pred_aware.runs.made import libraries_of

Measured: TypeAlias = dict[tuple[str, str], dict[str, float | None]]
"""By experiment and model: ``mae`` in seconds, ``r2``, the shares ``over`` and ``effective``."""

MODELS = ("decision_tree", "gradient_boosting")
"""Those that are fitted: the forest comes out as the tree, at ten times its cost."""
_FORMAT = 1
"""Raised when what is kept is another."""


def experiments_on(log: Path, *, folder: Path) -> Measured:
    """Return the four experiments on a log, from the folder where they are there.

    Raises
    ------
    HistoryError, InputError, PredAwareError
        The log can't be read, or the folder can't be written.
    """
    from predictors.registry import PREDICTORS

    computing = libraries_of(type(PREDICTORS.make(name)) for name in MODELS)
    kept = kept_file(folder, _FORMAT, digest_of_file(log), sorted(computing.items()))
    if not kept.is_file():
        keep(kept, [[*key, values] for key, values in _made(log).items()])
    rows = read_kept(kept, list[tuple[str, str, dict[str, float | None]]])
    return {(experiment, model): values for experiment, model, values in rows}


def _made(log: Path) -> Measured:
    from pred_aware.prediction.paper001 import EXPERIMENTS, Setup, run
    from pred_aware.prediction.past_table import read_past

    table, setup = read_past(log), Setup(models=MODELS)
    found: Measured = {}
    for name in EXPERIMENTS:
        for result in run(name, table, setup).models:
            measures = result.measures
            found[name, result.model] = {
                "mae": measures.mae,
                "r2": measures.r2,
                "over": measures.over,
                "effective": measures.effectiveness.valid,
            }
    return found
