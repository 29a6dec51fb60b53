"""Errors of the application, with advice for the user."""

from pred_aware.simulator.errors import SimulationError
from predictors.errors import PredictorError
from schedulers.errors import SchedulerError
from workload_tools.errors import InputError

__all__ = ["USER_ERRORS", "PredAwareError"]


class PredAwareError(ValueError):
    """The request cannot be fulfilled; the message says what to change."""


USER_ERRORS = (PredAwareError, SimulationError, PredictorError, SchedulerError, InputError)
"""All errors that a user can repair; any other exception is a defect of this program."""
