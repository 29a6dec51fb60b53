"""The errors of predictors."""


class PredictorError(ValueError):
    """A predictor cannot handle a request. The message says what to change."""


class UnknownNameError(PredictorError):
    """The name of a predictor (order, correction, ...) is unknown. The message suggests names."""


class OptionError(PredictorError):
    """An option is unknown or has an invalid value."""


class MissingLibraryError(OptionError):
    """A library that the predictor needs is not installed. The message says what to do."""


class HistoryError(PredictorError):
    """A file of past jobs cannot be read. The message names the file and the line."""
