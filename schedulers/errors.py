"""The errors of schedulers."""

from predictors.errors import OptionError, UnknownNameError

__all__ = ["OptionError", "SchedulerError", "UnknownNameError"]


class SchedulerError(ValueError):
    """A scheduler cannot handle a request. The message says what to change."""
