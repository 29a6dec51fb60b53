"""Backfilling: the choice of the waiting jobs that start now, and may overtake others."""

from predictors import Registry
from schedulers.backfilling.backfilling import Backfilling

BACKFILLINGS = Registry("pred_aware.backfillings", "backfilling")

__all__ = ["BACKFILLINGS", "Backfilling"]
