"""The corrections by name."""

from predictors import Registry
from schedulers.core.corrections import Correction

CORRECTIONS = Registry("pred_aware.corrections", "correction")

__all__ = ["CORRECTIONS", "Correction"]
