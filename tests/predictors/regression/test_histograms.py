"""Compiled fits beside scikit-learn's: the same trees, to the last bit."""

import os

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from predictors.compile_cache import VARIABLE
from predictors.loops import CompiledLoops, Fits
from predictors.regression.compiled_trees import CompiledTrees
from predictors.regression.flat_trees import FlatTrees, nodes_of_model
from predictors.regression.histograms.last_classes import LastClasses
from tests.suites import each_case


@pytest.fixture(scope="module")
def fits() -> Fits:
    pytest.importorskip("numba")
    loops = CompiledLoops({**os.environ, VARIABLE: "arrays"})
    loops.worth(1.0)
    assert loops.fits is not None
    return loops.fits


def random_table(seed: int) -> tuple[np.ndarray, np.ndarray, dict[str, int]]:
    """Columns of few and of many numbers, constant, equal, of one sign; targets with ties."""
    rng = np.random.default_rng(seed)
    jobs = int(rng.choice([3, 17, 60, 400, 1500]))
    kinds = [
        lambda: rng.integers(0, 3, jobs),
        lambda: rng.integers(-1, 700, jobs),
        lambda: np.full(jobs, -1.0),
        lambda: rng.exponential(1e4, jobs),
        lambda: rng.choice([0.1, 1 / 3, 3.4e38], jobs),
        lambda: np.sort(rng.normal(size=jobs)),
    ]
    columns = [kinds[kind]() for kind in rng.integers(0, len(kinds), rng.integers(1, 9))]
    columns.append(columns[0])
    rows = np.column_stack(columns).astype(np.float64)
    targets = rng.integers(0, 5, jobs) * rng.choice([1.0, 0.1, 7e5])
    if rng.random() < 0.5:
        targets = np.log1p(rng.exponential(3600.0, jobs))
    options = {
        "trees": 12,
        "max_leaves": int(rng.integers(2, 12)),
        "min_samples_leaf": int(rng.choice([1, 2, 20, 40])),
    }
    return rows, targets, options


@each_case("seed", range(20))
def test_the_trees_are_scikit_learns_to_the_last_bit(seed: int, fits: Fits) -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    rows, targets, options = random_table(seed)
    regressor = HistGradientBoostingRegressor(
        max_iter=options["trees"], learning_rate=0.07, max_leaf_nodes=options["max_leaves"],
        min_samples_leaf=options["min_samples_leaf"], early_stopping=False, random_state=seed,
    )  # fmt: skip
    with threadpool_limits(limits=1, user_api="openmp"):
        regressor.fit(rows, targets)
    theirs = CompiledTrees(regressor, rounded=False)
    ours = fits(rows, targets, last=None, learning_rate=0.07, **options)
    assert ours.base == theirs.base
    walked = FlatTrees(ours.trees)
    others = FlatTrees(nodes_of_model(theirs.model))
    assert all(walked.leaves(row) == others.leaves(row) for row in rows.tolist())


def test_a_microsecond_is_found(fits: Fits) -> None:
    rows, targets, options = random_table(4)
    ours = fits(rows, targets, last=None, learning_rate=0.07, **options)
    targets[1] += 1e-6
    other = fits(rows, targets, last=None, learning_rate=0.07, **options)
    assert (other.base, other.trees) != (ours.base, ours.trees)


def test_classes_are_made_anew_for_another_table_alone() -> None:
    pytest.importorskip("numba")
    rng = np.random.default_rng(1)
    rows, last = rng.normal(size=(50, 3)), LastClasses()
    first = last.of(rows)
    assert last.of(rows.copy()) is first
    assert last.of(rows + 1.0) is not first
