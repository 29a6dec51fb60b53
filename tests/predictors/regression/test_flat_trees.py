import numpy as np
import pytest

from predictors.regression.flat_trees import FlatTree, FlatTrees, arrays_of_tree, nodes_of_tree


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_each_tree_answers_as_it_does_alone(scale: float) -> None:
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(1)
    rows, run_times = rng.uniform(0, 9, (200, 3)), rng.exponential(3600.0, (200, 6))
    trees = [
        DecisionTreeRegressor(max_depth=depth, random_state=1).fit(rows, column).tree_
        for depth, column in enumerate(run_times.T, start=1)
    ]
    alone = [FlatTree(arrays_of_tree(tree)) for tree in trees]
    together = FlatTrees(nodes_of_tree(tree, scale=scale) for tree in trees)
    for row in rng.uniform(0, 9, (100, 3)).tolist():
        assert together.leaves(row) == [scale * tree.predict(row) for tree in alone]
