"""A regression tree in plain lists, for one prediction at a time."""

from collections.abc import Sequence
from typing import Any


class FlatTree:
    """The nodes of a fitted scikit-learn tree, in plain Python lists.

    scikit-learn's `predict` costs some 100 us of checks and conversions for one row, a walk through
    lists a few. The answers are the same to the last bit: scikit-learn rounds inputs to 32 bits
    before it compares them with thresholds of 64, so each threshold is moved here to the largest
    number that still rounds to one below it, and inputs are compared as they are.

    Parameters
    ----------
    tree
        The attribute ``tree_`` of a fitted scikit-learn tree with one output.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> fitted = DecisionTreeRegressor().fit([[1.0], [2.0], [3.0]], [10.0, 20.0, 60.0])
    >>> FlatTree(fitted.tree_).predict([2.2])
    20.0
    """

    __slots__ = ("_feature", "_left", "_right", "_threshold", "_value")

    def __init__(self, tree: Any) -> None:  # noqa: ANN401 - scikit-learn publishes no types
        self._feature: list[int] = tree.feature.tolist()
        self._left: list[int] = tree.children_left.tolist()
        self._right: list[int] = tree.children_right.tolist()
        self._threshold: list[float] = largest_rounding_to_at_most(tree.threshold)
        self._value: list[float] = tree.value[:, 0, 0].tolist()

    def predict(self, row: Sequence[float]) -> float:
        """Return the value of the leaf that a row of finite numbers ends in."""
        feature, threshold = self._feature, self._threshold
        left, right = self._left, self._right
        node = 0
        # scikit-learn marks a leaf with the feature -2
        while (column := feature[node]) >= 0:
            node = left[node] if row[column] <= threshold[node] else right[node]
        return self._value[node]


def largest_rounding_to_at_most(threshold: Any) -> list[float]:  # noqa: ANN401 - an array
    """Find for each t the largest double whose nearest 32-bit number is at most t.

    Parameters
    ----------
    threshold
        An array of thresholds t.

    Examples
    --------
    >>> import numpy as np
    >>> [largest] = largest_rounding_to_at_most([0.5])
    >>> bool(np.float32(largest) <= 0.5 < np.float32(np.nextafter(largest, 1.0)))
    True
    """
    import numpy as np

    exact = np.asarray(threshold, dtype=np.float64)
    below = exact.astype(np.float32)
    below = np.where(below > exact, np.nextafter(below, np.float32(-np.inf)), below)
    above = np.nextafter(below, np.float32(np.inf))
    middle = (below.astype(np.float64) + above.astype(np.float64)) / 2
    # the middle itself rounds to the even of its two neighbours
    even = below.view(np.int32) % 2 == 0
    largest: list[float] = np.where(even, middle, np.nextafter(middle, -np.inf)).tolist()
    return largest
