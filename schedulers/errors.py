"""The errors of schedulers, by what the user can do about them."""

from predictors.errors import OptionError, UnknownNameError

__all__ = ["OptionError", "SchedulerError", "UnknownNameError"]


class SchedulerError(ValueError):
    """A scheduler can't do what was asked of it; the message says what to change."""
