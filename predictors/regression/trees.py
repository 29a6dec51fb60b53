"""Fitted regression trees, for one prediction at a time."""

from typing import Any, TypeAlias

from predictors.regression.on_rows import Array

SklearnTree: TypeAlias = Any
"""The attribute ``tree_`` of a fitted scikit-learn tree with one output; no types are published."""

SklearnBoosting: TypeAlias = Any
"""A fitted ``HistGradientBoostingRegressor``; no types are published of its trees."""


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


class Node:
    """A node of a tree: rows with at most its threshold in a column go left."""

    __slots__ = ("column", "left", "right", "threshold", "value")

    column: int
    threshold: float
    value: float
    left: "Node | None"
    right: "Node | None"

    def __init__(self, column: int, threshold: float, value: float) -> None:
        self.column = column
        self.threshold = threshold
        self.value = value
        self.left = self.right = None


class Trees:
    """Fitted trees, which answer one row at a time.

    scikit-learn's `predict` costs from 0.1 ms for a tree to milliseconds for a forest, of checks
    and conversions for one row.

    Parameters
    ----------
    roots
        The first nodes of the trees.
    before, after
        Added to the sum of the trees: before the first or after the last, as the library adds.
    mean
        Whether they answer with the mean of the trees, and not with the sum.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> table = [[1.0], [2.0], [3.0]]
    >>> trees = [DecisionTreeRegressor().fit(table, y).tree_ for y in ([1, 2, 3], [9, 5, 1])]
    >>> Trees([root_of(tree, scale=10.0) for tree in trees]).leaves([2.2])
    [20.0, 50.0]
    """

    __slots__ = ("after", "before", "parts", "roots")

    roots: list[Node]
    before: float
    after: float
    parts: int

    def __init__(
        self, roots: list[Node], *, before: float = 0.0, after: float = 0.0, mean: bool = False
    ) -> None:
        self.roots = roots
        self.before = before
        self.after = after
        self.parts = len(roots) if mean else 1

    def leaf(self, root: Node, row: list[float]) -> float:
        """Return the value of the leaf that a row of finite numbers ends in."""
        node = root
        below = node.left
        while below is not None:
            if row[node.column] > node.threshold:
                below = node.right
            node = below  # type: ignore[assignment]
            below = node.left
        return node.value

    def leaves(self, row: list[float]) -> list[float]:
        """Return the value of each tree's leaf that a row ends in."""
        return [self.leaf(root, row) for root in self.roots]

    def predict(self, row: list[float]) -> float:
        """Return the prediction for a row, the leaves added one after the other."""
        total = self.before
        for root in self.roots:
            total += self.leaf(root, row)
        return total / self.parts + self.after


def linked(nodes: list[Node], left: list[int], right: list[int]) -> Node:
    """Return the first of some nodes with the others below it; leaves have none on the left."""
    for node, one, other in zip(nodes, left, right, strict=True):
        if one > 0:
            node.left, node.right = nodes[one], nodes[other]
    return nodes[0]


def root_of(tree: SklearnTree, *, scale: float = 1.0) -> Node:
    """Return a fitted scikit-learn tree, the values of its leaves multiplied by `scale`.

    The answers are the same to the last bit: scikit-learn rounds inputs to 32 bits before it
    compares them with thresholds of 64, so each threshold is moved to the largest number that still
    rounds to one below it, and inputs are compared as they are.
    """
    thresholds = largest_rounding_to_at_most(tree.threshold)
    values = tree.value[:, 0, 0] * scale
    columns = zip(tree.feature.tolist(), thresholds.tolist(), values.tolist(), strict=True)
    nodes = [Node(*one) for one in columns]
    return linked(nodes, tree.children_left.tolist(), tree.children_right.tolist())


def roots_of(boosting: SklearnBoosting) -> list[Node]:
    """Return the trees of a fitted gradient boosting on histograms."""
    found = []
    for [predictor] in boosting._predictors:  # noqa: SLF001 - nothing public has them
        told = predictor.nodes
        nodes = [
            Node(*one)
            for one in zip(
                told["feature_idx"].tolist(),
                told["num_threshold"].tolist(),
                told["value"].tolist(),
                strict=True,
            )
        ]
        leaf = told["is_leaf"].astype(bool)
        left, right = told["left"].astype(int), told["right"].astype(int)
        left[leaf] = 0
        found.append(linked(nodes, left.tolist(), right.tolist()))
    return found


def base_of(boosting: SklearnBoosting) -> float:
    """Return what a fitted gradient boosting on histograms predicts without any tree."""
    return float(boosting._baseline_prediction.item())  # noqa: SLF001 - nothing public has it
