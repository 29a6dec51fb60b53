"""The registry of backfilling rules, and the rules that are not in the core."""

from predictors import Registry
from schedulers.core.backfilling import Backfilling

BACKFILLINGS = Registry("pred_aware.backfillings", "backfilling")

__all__ = ["BACKFILLINGS", "Backfilling"]
