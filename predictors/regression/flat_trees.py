"""Many regression trees in plain lists, for one prediction at a time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from predictors.regression.flat_tree import largest_rounding_to_at_most


class Nodes(NamedTuple):
    """The nodes of one tree, its root first."""

    feature: list[int]
    """The column that is looked at; below 0 at leaves."""
    threshold: list[float]
    """Rows with at most that go left."""
    left: list[int]
    right: list[int]
    value: list[float]


def nodes_of_tree(tree: Any, *, scale: float = 1.0) -> Nodes:  # noqa: ANN401 - no types published
    """Take the attribute ``tree_`` of a fitted scikit-learn tree with one output.

    Parameters
    ----------
    tree
        That.
    scale
        What the values of the leaves are multiplied by.
    """
    return Nodes(
        # scikit-learn marks a leaf with the feature -2
        feature=tree.feature.tolist(),
        threshold=largest_rounding_to_at_most(tree.threshold),
        left=tree.children_left.tolist(),
        right=tree.children_right.tolist(),
        value=(tree.value[:, 0, 0] * scale).tolist(),
    )


def nodes_of_model(model: Any) -> Iterator[Nodes]:  # noqa: ANN401 - no types published
    """Take the trees of a ``treelite.Model`` of doubles with one output."""
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
    """The nodes of many fitted trees, one tree behind the other in plain lists.

    As `FlatTree`, but that one loop walks through all the trees, which for many small ones costs a
    third less than a call for each.

    Parameters
    ----------
    trees
        Their nodes, of at least one tree.

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
