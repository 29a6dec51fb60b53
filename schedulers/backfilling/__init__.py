"""Which waiting jobs may start now, and overtake others."""

from predictors import Registry
from schedulers.backfilling.backfilling import Backfilling

BACKFILLINGS = Registry("pred_aware.backfillings", "backfilling")

__all__ = ["BACKFILLINGS", "Backfilling"]
