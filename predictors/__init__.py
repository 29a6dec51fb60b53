"""Predictors of run times, which use what is known at submission; a site's hook can use them."""

from typing import TYPE_CHECKING

from predictors import compiled as compiled
from predictors.errors import HistoryError, OptionError, PredictorError, UnknownNameError
from predictors.on_demand import on_demand

if TYPE_CHECKING:
    from predictors.estimate import clamp
    from predictors.predictor import Predictor
    from predictors.registry import PREDICTORS, Registry, nearest
    from predictors.regression.tree_models import DecisionTree
    from predictors.rules.past_runs import LastTwo, Walltime
    from predictors.submission import Submission

__all__ = [
    "PREDICTORS",
    "DecisionTree",
    "HistoryError",
    "LastTwo",
    "OptionError",
    "Predictor",
    "PredictorError",
    "Registry",
    "Submission",
    "UnknownNameError",
    "Walltime",
    "clamp",
    "nearest",
]

__getattr__ = on_demand(__name__)
