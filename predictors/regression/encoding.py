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
# the largest 32-bit float, because scikit-learn's trees compare 32-bit floats
LARGEST = 3.4028234663852886e38


def require_features(features: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Check the names of features, and return them as a tuple.

    Raises
    ------
    OptionError
        There is no feature, or a feature is unknown or repeated.

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
    """Return the number, limited to the range of 32-bit floats; -1 if it is unknown or NaN.

    Examples
    --------
    >>> [known_number(value) for value in (4, None, float("nan"), float("inf"))]
    [4, -1.0, -1.0, 3.4028234663852886e+38]
    """
    # comparisons with NaN are false, so NaN becomes -1
    if value is None or not -LARGEST <= value <= LARGEST:
        if value is None or math.isnan(value):
            return MISSING
        return math.copysign(LARGEST, value)
    return value


class SubmissionEncoder:
    """Turns a submission into a row of numbers.

    The code of a text is the number of different texts of the same field that were learned before.
    So a new text never changes the codes of other texts. A text that was never learned has the next
    free code. An unknown value is -1; no known value is negative.

    `features` are fields of `Submission`, in the order of the columns. If a text does not occur for
    `texts` jobs, the encoder may forget the text to save memory; it is a new text when it occurs
    again. With ``None``, the encoder forgets no text.

    Raises
    ------
    OptionError
        There is no feature, or a feature is unknown or repeated.

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

    def __init__(self, features: Sequence[str], *, texts: int | None = None) -> None:
        self.features = require_features(features, NUMBERS + TEXTS)
        # with the id, there are at least two names, so attrgetter always returns a tuple
        self._fields = attrgetter(*features, "id")
        # the text that was learned last is at the end of each dict
        self._codes: tuple[dict[str, int] | None, ...] = tuple(
            {} if feature in TEXTS else None for feature in features
        )
        self._next = [0] * len(features)
        self._texts = texts

    def encode(self, submission: Submission) -> list[float]:
        """Return a job's row without learning new texts."""
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
        """Give a code to each new text of a job, and return the job's row."""
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
