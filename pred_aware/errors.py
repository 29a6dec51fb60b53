"""What can go wrong in the application, and what the user can do about it."""


class PredAwareError(ValueError):
    """What was asked can't be done; the message says what to change."""
