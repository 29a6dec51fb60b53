"""Errors of the application, and what the user can do about each."""

from pred_aware.simulator.errors import SimulationError
from predictors.errors import PredictorError
from schedulers.errors import SchedulerError
from workload_tools.errors import InputError

__all__ = ["USER_ERRORS", "PredAwareError"]


class PredAwareError(ValueError):
    """What was asked cannot be done; the message says what to change."""


USER_ERRORS = (PredAwareError, SimulationError, PredictorError, SchedulerError, InputError)
"""All errors of which the message says what to do; any other is a defect of ours."""
