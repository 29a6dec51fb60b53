"""Run time prediction from what is known at submission; usable inside a site's own hook."""

from predictors.decision_tree import DecisionTree
from predictors.errors import HistoryError, OptionError, PredictorError, UnknownNameError
from predictors.estimate import clamp
from predictors.last_two import LastTwo
from predictors.predictor import Predictor
from predictors.registry import PREDICTORS, Registry
from predictors.submission import Submission
from predictors.walltime import Walltime

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
]
