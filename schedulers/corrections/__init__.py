"""The corrections by name."""

from predictors import Registry

CORRECTIONS = Registry("pred_aware.corrections", "correction")

__all__ = ["CORRECTIONS"]
