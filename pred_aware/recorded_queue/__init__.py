"""Compare the queue that a log recorded with a simulated baseline."""

from pred_aware.recorded_queue.baseline_check import BaselineCheck
from pred_aware.recorded_queue.check import check_baseline

__all__ = ["BaselineCheck", "check_baseline"]
