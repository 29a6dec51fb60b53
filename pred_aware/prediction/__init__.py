"""Evaluation of predictors: replay of a log, error measures, tables, pictures and a report."""

from pred_aware.prediction.candidate import chosen_names
from pred_aware.prediction.measures import Measures, measure
from pred_aware.prediction.past_table import PastColumns, PastTable, read_past
from pred_aware.prediction.replay_summary import TWENTIETHS, ReplaySummary, Weekly
from pred_aware.prediction.tables import paper001_table

__all__ = [
    "TWENTIETHS",
    "Measures",
    "PastColumns",
    "PastTable",
    "ReplaySummary",
    "Weekly",
    "chosen_names",
    "measure",
    "paper001_table",
    "read_past",
]
