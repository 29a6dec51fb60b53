"""Paper 001's prediction experiments on a log, kept in files."""

import hashlib
from pathlib import Path
from typing import TypeAlias

import msgspec

from pred_aware.campaign.identity import digest_of_file
from pred_aware.errors import PredAwareError
from pred_aware.runs.made import libraries_of
from workload_tools.files import written_whole

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
    told = f"{_FORMAT}\n{digest_of_file(log)}\n{sorted(computing.items())}\n".encode()
    kept = folder / f"{hashlib.sha256(told).hexdigest()}.json"
    if not kept.is_file():
        found = _made(log)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PredAwareError(f"{folder}: can't be written: {error.strerror}") from error
        with written_whole(kept) as file:
            file.write(msgspec.json.encode([[*key, values] for key, values in found.items()]))
    rows = msgspec.json.decode(
        kept.read_bytes(), type=list[tuple[str, str, dict[str, float | None]]]
    )
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
