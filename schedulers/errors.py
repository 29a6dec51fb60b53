"""What can go wrong with a scheduler, and what the user can do about it."""

from predictors.errors import OptionError, UnknownNameError

__all__ = ["OptionError", "SchedulerError", "UnknownNameError"]


class SchedulerError(ValueError):
    """A scheduler can't do what was asked of it; the message says what to change."""
