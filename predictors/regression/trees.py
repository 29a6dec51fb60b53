"""Fitted regression trees that predict single rows quickly, and fits in one thread."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeAlias

from predictors.regression.on_rows import Array

SklearnTree: TypeAlias = Any
"""The attribute ``tree_`` of a fitted scikit-learn tree with one output, which has no types."""

SklearnBoosting: TypeAlias = Any
"""A fitted ``HistGradientBoostingRegressor``, whose trees have no types."""


def to_single_precision(table: Array) -> Array:
    """Return a table as the 32-bit floats of scikit-learn's trees, with too large values limited.

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
    """Return, for each threshold, the largest double whose 32-bit rounding is at most as large.

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
    # a double exactly between two 32-bit floats rounds to the one with an even last bit
    even = below.view(np.int32) % 2 == 0
    return np.where(even, middle, np.nextafter(middle, -np.inf))


class Node:
    """A node of a tree; a row goes left if its value in `column` is at most `threshold`."""

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
    """Fitted trees that predict one row at a time.

    For a single row, scikit-learn's `predict` takes from 0.1 ms (one tree) to milliseconds (a
    forest), because it checks and converts its input.

    The constants `before` and `after` are added before the first tree and after the last tree, as
    scikit-learn does. If `mean` is true, the mean of the trees is predicted instead of the sum.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> table = [[1.0], [2.0], [3.0]]
    >>> trees = [DecisionTreeRegressor().fit(table, y).tree_ for y in ([1, 2, 3], [9, 5, 1])]
    >>> Trees([root_of(tree, scale=10.0) for tree in trees]).leaves([2.2])
    [20.0, 50.0]
    """

    __slots__ = ("after", "before", "parts", "roots")

    def __init__(
        self, roots: list[Node], *, before: float = 0.0, after: float = 0.0, mean: bool = False
    ) -> None:
        self.roots = roots
        self.before = before
        self.after = after
        self.parts = len(roots) if mean else 1

    def leaf(self, root: Node, row: list[float]) -> float:
        """Return the value of a tree's leaf for a row of finite numbers."""
        node = root
        below = node.left
        while below is not None:
            if row[node.column] > node.threshold:
                below = node.right
            node = below  # type: ignore[assignment]
            below = node.left
        return node.value

    def leaves(self, row: list[float]) -> list[float]:
        """Return the value of each tree's leaf for a row."""
        return [self.leaf(root, row) for root in self.roots]

    def predict(self, row: list[float]) -> float:
        """Return the prediction for a row; the leaves are added in the order of the trees."""
        total = self.before
        for root in self.roots:
            total += self.leaf(root, row)
        return total / self.parts + self.after


def linked(nodes: list[Node], left: list[int], right: list[int]) -> Node:
    """Link nodes to their children, and return the root; an index of 0 in `left` marks a leaf."""
    for node, one, other in zip(nodes, left, right, strict=True):
        if one > 0:
            node.left, node.right = nodes[one], nodes[other]
    return nodes[0]


def root_of(tree: SklearnTree, *, scale: float = 1.0) -> Node:
    """Return the root of a fitted scikit-learn tree, with leaf values multiplied by `scale`.

    Predictions equal those of scikit-learn to the last bit. scikit-learn rounds inputs to 32 bits
    before it compares them with thresholds of 64 bits. Here `largest_rounding_to_at_most` raises
    the thresholds instead, so that inputs need no rounding.
    """
    thresholds = largest_rounding_to_at_most(tree.threshold)
    values = tree.value[:, 0, 0] * scale
    columns = zip(tree.feature.tolist(), thresholds.tolist(), values.tolist(), strict=True)
    nodes = [Node(*one) for one in columns]
    return linked(nodes, tree.children_left.tolist(), tree.children_right.tolist())


def roots_of(boosting: SklearnBoosting) -> list[Node]:
    """Return the root nodes of a fitted ``HistGradientBoostingRegressor``."""
    found = []
    for [predictor] in boosting._predictors:  # noqa: SLF001 - no public attribute
        columns = predictor.nodes
        nodes = [
            Node(*one)
            for one in zip(
                columns["feature_idx"].tolist(),
                columns["num_threshold"].tolist(),
                columns["value"].tolist(),
                strict=True,
            )
        ]
        leaf = columns["is_leaf"].astype(bool)
        left, right = columns["left"].astype(int), columns["right"].astype(int)
        left[leaf] = 0
        found.append(linked(nodes, left.tolist(), right.tolist()))
    return found


def base_of(boosting: SklearnBoosting) -> float:
    """Return the constant to which a fitted ``HistGradientBoostingRegressor`` adds its trees."""
    return float(boosting._baseline_prediction.item())  # noqa: SLF001 - no public attribute


def one_thread(library: str) -> AbstractContextManager[object]:
    """Return a context in which a loaded library computes in one thread.

    With several threads, the order of additions, and so the result, depends on the machine.

    `library` is the library's name in threadpoolctl: ``openmp`` or ``blas``.
    """
    context: AbstractContextManager[object] = _loaded(library).limit(limits=1)
    return context


@cache
def _loaded(library: str) -> Any:  # noqa: ANN401 - threadpoolctl has no types
    """Return threadpoolctl's controller; it is cached, because its search takes long."""
    # scikit-learn installs threadpoolctl
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController().select(user_api=library)
