"""Corrections of estimates that jobs outlive."""

from predictors import Registry
from schedulers.corrections.correction import Correction, Overrun

CORRECTIONS = Registry("pred_aware.corrections", "correction")

__all__ = ["CORRECTIONS", "Correction", "Overrun"]
