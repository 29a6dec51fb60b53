"""Submissions as rows of numbers, for regression."""

import math
from collections.abc import Sequence
from operator import attrgetter

from predictors.errors import OptionError
from predictors.registry import nearest
from predictors.submission import Submission

NUMBERS = ("processors", "memory", "nodes", "gpus", "walltime")
TEXTS = ("user", "qos", "group", "project", "queue", "partition", "executable", "name")
MISSING = -1.0
# of 32 bits, in which scikit-learn's trees compare
LARGEST = 3.4028234663852886e38


def require_features(features: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return features, or say that they must be some of the known ones, each of them once.

    Raises
    ------
    OptionError
        No feature, an unknown or a repeated one.

    Examples
    --------
    >>> require_features(["user", "walltime"], NUMBERS + TEXTS)
    ('user', 'walltime')
    """
    if isinstance(features, str) or not isinstance(features, Sequence) or not features:
        raise OptionError(f"features must be a list of at least one field, not {features!r}")
    for feature in features:
        if feature not in known:
            raise OptionError(f"unknown feature '{feature}': {nearest(str(feature), known)}")
    if len(set(features)) < len(features):
        raise OptionError(f"a feature is repeated in {', '.join(features)}")
    return tuple(features)


def known_number(value: float | None) -> float:
    """Return a number that a model can take: -1 for what is not known or is no number.

    What is larger than any number of 32 bits is that.

    Examples
    --------
    >>> [known_number(value) for value in (4, None, float("nan"), float("inf"))]
    [4, -1.0, -1.0, 3.4028234663852886e+38]
    """
    # written so that NaN fails the comparisons
    if value is None or not -LARGEST <= value <= LARGEST:
        if value is None or math.isnan(value):
            return MISSING
        return math.copysign(LARGEST, value)
    return value


class SubmissionEncoder:
    """Turns a submission into a row of numbers.

    A text is the number of texts that its field had before it was first learned, so that new ones
    can come at any time without moving the others. A text that was never learned counts as the
    next one. What is not known is -1, which no known value is.

    Parameters
    ----------
    features
        Fields of `Submission`, in the order of the columns.
    texts
        How many jobs back a text keeps its number at least, so that names that never come again
        don't fill the memory; a text that was forgotten counts as new. ``None``: none is forgotten.

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

    __slots__ = ("_codes", "_fields", "_next", "_texts", "features")

    def __init__(self, features: Sequence[str], *, texts: int | None = None) -> None:
        self.features = require_features(features, NUMBERS + TEXTS)
        # of one name attrgetter returns the value, of several a tuple: the id makes it always one
        self._fields = attrgetter(*features, "id")
        # the text that was learned last is the last of its dict
        self._codes: tuple[dict[str, int] | None, ...] = tuple(
            {} if feature in TEXTS else None for feature in features
        )
        self._next = [0] * len(features)
        self._texts = texts

    def encode(self, submission: Submission) -> list[float]:
        """Return a job's row, without taking note of new texts."""
        row: list[float] = []
        append = row.append
        for value, codes, new in zip(
            self._fields(submission), self._codes, self._next, strict=False
        ):
            if value is None:
                append(MISSING)
            elif codes is None:
                append(value if -LARGEST <= value <= LARGEST else known_number(value))
            else:
                append(codes.get(value, new))
        return row

    def learn(self, submission: Submission) -> list[float]:
        """Return a job's row, after giving a code to each text that is new."""
        for column, (value, codes) in enumerate(
            zip(self._fields(submission), self._codes, strict=False)
        ):
            if codes is None or value is None:
                continue
            code = codes.pop(value, None)
            if code is None:
                code = self._next[column]
                self._next[column] = code + 1
                if self._texts is not None and len(codes) >= 2 * self._texts:
                    _forget_all_but(self._texts, codes)
            codes[value] = code
        return self.encode(submission)


def _forget_all_but(last: int, codes: dict[str, int]) -> None:
    for text in list(codes)[:-last]:
        del codes[text]
