"""The registry of corrections."""

from predictors import Registry

CORRECTIONS = Registry("pred_aware.corrections", "correction")

__all__ = ["CORRECTIONS"]
