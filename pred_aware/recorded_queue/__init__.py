"""The queue that a log recorded beside a simulated base."""

from pred_aware.recorded_queue.check import BaseCheck, check_base

__all__ = ["BaseCheck", "check_base"]
