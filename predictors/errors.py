"""The errors of predictors, by what the user can do about them."""


class PredictorError(ValueError):
    """A predictor can't do what was asked of it; the message says what to change."""


class UnknownNameError(PredictorError):
    """No such predictor (order, correction, ...): the message has the nearest names."""


class OptionError(PredictorError):
    """An option that does not exist or has a value it can't have."""


class MissingLibraryError(OptionError):
    """A library that the predictor computes with is not installed; the message says what to do."""


class HistoryError(PredictorError):
    """The past jobs to learn from can't be read; the message says the file and the line."""
