"""Run time prediction from what is known at submission; usable inside a site's own hook."""

from predictors.errors import HistoryError, OptionError, PredictorError, UnknownNameError
from predictors.predictor import Predictor
from predictors.registry import PREDICTORS, Registry
from predictors.submission import Submission

__all__ = [
    "PREDICTORS",
    "HistoryError",
    "OptionError",
    "Predictor",
    "PredictorError",
    "Registry",
    "Submission",
    "UnknownNameError",
]
