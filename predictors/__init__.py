"""Run time prediction from what is known at submission; usable inside a site's own hook."""

from predictors.errors import HistoryError, OptionError, PredictorError, UnknownNameError
from predictors.estimate import clamp
from predictors.predictor import Predictor
from predictors.registry import PREDICTORS, Registry, nearest
from predictors.regression.decision_tree import DecisionTree
from predictors.rules.last_two import LastTwo
from predictors.rules.walltime import Walltime
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
