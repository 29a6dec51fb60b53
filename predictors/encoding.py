"""Submissions as rows of numbers, for regression."""

from collections.abc import Sequence
from operator import attrgetter

from predictors.errors import OptionError
from predictors.registry import nearest
from predictors.submission import Submission

NUMBERS = ("processors", "memory", "nodes", "gpus", "walltime")
TEXTS = ("user", "qos", "group", "project", "queue", "partition", "executable", "name")
MISSING = -1.0


class SubmissionEncoder:
    """Turns what is known of a job into a row of numbers.

    A text is the number of texts that its field had before it was first learned, so that new ones
    can come at any time without moving the others. A text that was never learned counts as the
    next one. What is not known is -1, which no known value is.

    Parameters
    ----------
    features
        Fields of `Submission`, in the order of the columns.

    Raises
    ------
    OptionError
        No feature, an unknown or a repeated one.

    Examples
    --------
    >>> encoder = SubmissionEncoder(["processors", "user", "queue"])
    >>> ann, bob = (
    ...     Submission(id="7", submit_time=0.0, processors=4, user=user) for user in ("ann", "bob")
    ... )
    >>> encoder.learn(ann)
    [4, 0, -1.0]
    >>> encoder.encode(bob)
    [4, 1, -1.0]
    """

    __slots__ = ("_codes", "_fields", "features")

    def __init__(self, features: Sequence[str]) -> None:
        if isinstance(features, str) or not features:
            raise OptionError(f"features must be a list of at least one field, not {features!r}")
        for feature in features:
            if feature not in NUMBERS + TEXTS:
                hint = nearest(str(feature), NUMBERS + TEXTS)
                raise OptionError(f"unknown feature '{feature}': {hint}")
        if len(set(features)) < len(features):
            raise OptionError(f"a feature is repeated in {', '.join(features)}")
        self.features = tuple(features)
        # of one name attrgetter returns the value, of several a tuple: the id makes it always one
        self._fields = attrgetter(*features, "id")
        self._codes: tuple[dict[str, int] | None, ...] = tuple(
            {} if feature in TEXTS else None for feature in features
        )

    def encode(self, submission: Submission) -> list[float]:
        """Return a job's row, without taking note of new texts."""
        row: list[float] = []
        append = row.append
        for value, codes in zip(self._fields(submission), self._codes, strict=False):
            if value is None:
                append(MISSING)
            elif codes is None:
                append(value)
            else:
                append(codes.get(value, len(codes)))
        return row

    def learn(self, submission: Submission) -> list[float]:
        """Return a job's row, after giving a code to each text that is new."""
        for value, codes in zip(self._fields(submission), self._codes, strict=False):
            if codes is not None and value is not None and value not in codes:
                codes[value] = len(codes)
        return self.encode(submission)
