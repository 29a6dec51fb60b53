"""Fitted regression trees in plain lists, for one prediction at a time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from predictors.regression.on_rows import Array

SklearnTree: TypeAlias = Any
"""The attribute ``tree_`` of a fitted scikit-learn tree with one output; no types are published."""

TreeliteModel: TypeAlias = Any
"""A ``treelite.Model`` of doubles with one output."""


def to_single_precision(table: Array) -> Array:
    """Round a table to 32 bits, as scikit-learn's trees do; what is too large for them is cut.

    Examples
    --------
    >>> import numpy as np
    >>> to_single_precision(np.array([1e300, 0.5])).tolist()
    [3.4028234663852886e+38, 0.5]
    """
    import numpy as np

    largest = np.finfo(np.float32).max
    return np.clip(table, -largest, largest).astype(np.float32)


def largest_rounding_to_at_most(threshold: Array) -> Array:
    """Return for each threshold the largest double whose nearest 32-bit number is at most that.

    Examples
    --------
    >>> import numpy as np
    >>> [largest] = largest_rounding_to_at_most([0.5]).tolist()
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
    return np.where(even, middle, np.nextafter(middle, -np.inf))


class TreeArrays(NamedTuple):
    """The nodes of one tree as arrays of shape (nodes,), its root first."""

    feature: Array
    """The column that is looked at; below 0 at leaves."""
    threshold: Array
    """Rows with at most that go left; see `largest_rounding_to_at_most`."""
    left: Array
    """The node; -1 at leaves."""
    right: Array
    value: Array


def arrays_of_tree(tree: SklearnTree) -> TreeArrays:
    """Return the nodes of a fitted scikit-learn tree."""
    return TreeArrays(
        # scikit-learn marks a leaf with the feature -2
        tree.feature, largest_rounding_to_at_most(tree.threshold), tree.children_left,
        tree.children_right, tree.value[:, 0, 0],
    )  # fmt: skip


class FlatTree:
    """The nodes of a fitted tree, in plain Python lists.

    scikit-learn's `predict` costs some 100 us of checks and conversions for one row, a walk through
    lists a few. The answers are the same to the last bit: scikit-learn rounds inputs to 32 bits
    before it compares them with thresholds of 64, so each threshold is moved here to the largest
    number that still rounds to one below it, and inputs are compared as they are.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> fitted = DecisionTreeRegressor().fit([[1.0], [2.0], [3.0]], [10.0, 20.0, 60.0])
    >>> FlatTree(arrays_of_tree(fitted.tree_)).predict([2.2])
    20.0
    """

    __slots__ = ("_feature", "_left", "_right", "_threshold", "_value")

    def __init__(self, tree: TreeArrays) -> None:
        self._feature: list[int] = tree.feature.tolist()
        self._left: list[int] = tree.left.tolist()
        self._right: list[int] = tree.right.tolist()
        self._threshold: list[float] = tree.threshold.tolist()
        self._value: list[float] = tree.value.tolist()

    def predict(self, row: Sequence[float]) -> float:
        """Return the value of the leaf that a row of finite numbers ends in."""
        feature, threshold = self._feature, self._threshold
        left, right = self._left, self._right
        node = 0
        while (column := feature[node]) >= 0:
            node = left[node] if row[column] <= threshold[node] else right[node]
        return self._value[node]


class Nodes(NamedTuple):
    """The nodes of one tree, its root first."""

    feature: list[int]
    """The column that is looked at; below 0 at leaves."""
    threshold: list[float]
    """FeatureRows with at most that go left."""
    left: list[int]
    right: list[int]
    value: list[float]


def nodes_of_tree(tree: SklearnTree, *, scale: float = 1.0) -> Nodes:
    """Return the nodes of a tree, the values of its leaves multiplied by `scale`."""
    found = arrays_of_tree(tree)
    values = found.value * scale
    return Nodes(*(part.tolist() for part in (*found[:-1], values)))


def nodes_of_model(model: TreeliteModel) -> Iterator[Nodes]:
    """Yield the nodes of each tree."""
    for number in range(model.num_tree):
        field = model.get_tree_accessor(number).get_field
        feature, left = field("split_index"), field("cleft")
        feature[left < 0] = -1
        yield Nodes(
            feature=feature.tolist(),
            threshold=field("threshold").tolist(),
            left=left.tolist(),
            right=field("cright").tolist(),
            value=field("leaf_value").tolist(),
        )


class FlatTrees:
    """The nodes of many fitted trees, at least one, behind each other in plain lists.

    As `FlatTree`, but that one loop walks through all the trees, which for many small ones costs a
    third less than a call for each.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> table = [[1.0], [2.0], [3.0]]
    >>> trees = [DecisionTreeRegressor().fit(table, y).tree_ for y in ([1, 2, 3], [9, 5, 1])]
    >>> FlatTrees(nodes_of_tree(tree, scale=10.0) for tree in trees).leaves([2.2])
    [20.0, 50.0]
    """

    __slots__ = ("_feature", "_left", "_right", "_roots", "_threshold", "_value")

    def __init__(self, trees: Iterable[Nodes]) -> None:
        self._roots: list[int] = []
        self._feature: list[int] = []
        self._threshold: list[float] = []
        self._left: list[int] = []
        self._right: list[int] = []
        self._value: list[float] = []
        for nodes in trees:
            root = len(self._feature)
            self._roots.append(root)
            self._feature += nodes.feature
            self._threshold += nodes.threshold
            self._left += [root + node for node in nodes.left]
            self._right += [root + node for node in nodes.right]
            self._value += nodes.value

    def leaves(self, row: Sequence[float]) -> list[float]:
        """Return the value of each tree's leaf that a row of finite numbers ends in."""
        feature, threshold = self._feature, self._threshold
        left, right, value = self._left, self._right, self._value
        values: list[float] = []
        append = values.append
        for root in self._roots:
            node = root
            while (column := feature[node]) >= 0:
                node = left[node] if row[column] <= threshold[node] else right[node]
            append(value[node])
        return values
