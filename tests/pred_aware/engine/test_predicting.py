"""Our predictors in compiled loops answer to the last bit what they do when asked one by one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed: pip install 'pred-aware[fast]'")

from pred_aware import Workload
from pred_aware.engine import simulating
from pred_aware.engine.predicting import loading
from pred_aware.engine.predicting.loading import WORTH_COMPILING, Loops
from predictors import compile_cache
from predictors.compile_cache import VARIABLE
from tests.pred_aware.engine import test_same_on_sites as sites
from tests.pred_aware.engine.comparing import both, unlike

FEATURES = (
    "user", "processors", "walltime", "queue", "executable", "memory", "nodes", "hour", "weekday",
    "last_run_time_1", "last_run_time_3", "mean_run_time", "since_last_end", "mean_processors",
    "mean_walltime", "mean_memory", "mean_nodes", "since_last_submission", "running_jobs",
    "running_processors", "longest_running", "sum_running", "waiting_jobs",
    "similar_last_run_time_2", "similar_mean_run_time", "similar_since_last_end",
    "similar_mean_memory", "similar_since_last_submission", "similar_running_jobs",
    "similar_longest_running", "similar_sum_running", "similar_waiting_jobs",
)  # fmt: skip


def workload_of(rng: np.random.Generator) -> Workload:
    """Return jobs of a few users that come back to what they ran, many at one date."""
    number, size = int(rng.integers(2, 300)), int(rng.integers(1, 17))
    full = rng.random() < 0.3
    jobs, profiles = [], {}
    for place in range(number):
        delay = float(rng.integers(0, 9)) * float(rng.choice([1.0, 60.0, 600.0, 0.37]))
        profiles[f"D{place}"] = {"type": "delay", "delay": delay}
        fields = {
            "walltime": float(rng.integers(1, 9)) * float(rng.choice([60.0, 600.0, 0.37])),
            "user_id": rng.choice(["ann", "bob", "eve"]).item(),
            "queue": int(rng.integers(0, 3)),
            "executable": f"x{rng.integers(0, 40)}",
            "mem": float(rng.integers(1, 5)) / 3,
            "node": int(rng.integers(1, 3)),
        }
        jobs.append(
            {
                "id": f"{place}",
                "subtime": float(rng.integers(0, 3 * number)) * 7.0,
                "res": int(rng.integers(1, size + 1)),
                "profile": f"D{place}",
                **{name: value for name, value in fields.items() if full or rng.random() < 0.95},
            }
        )
    return Workload.of({"nb_res": size, "jobs": jobs, "profiles": profiles})


def predictor_of(rng: np.random.Generator) -> dict[str, Any]:
    """Return one that the loops cover."""
    options = {
        "window": int(rng.integers(20, 70)),
        "refit_jobs": rng.choice([None, 1, 7, 30]),
        "refit_every": rng.choice([None, 100.0, 3000.0]),
        "min_jobs": int(rng.integers(1, 12)),
        "features": rng.permutation(FEATURES)[: rng.integers(1, len(FEATURES))].tolist(),
    }
    shape = {"trees": 7, "max_leaves": int(rng.integers(2, 9)), "min_samples_leaf": 2}
    trees = [
        {"name": "log_boosting", "target": target, **options, **shape}
        for target in rng.choice(["log", "fraction", "seconds"], 2).tolist()
    ]
    knn = {
        "name": "knn",
        "k": int(rng.integers(1, 7)),
        "window": int(rng.integers(1, 30)),
        "features": rng.permutation(["processors", "walltime", "memory"])[:2].tolist(),
        "theta": float(rng.choice([0.0, 0.01, 2.0])),
        "alpha": float(rng.choice([0.0, 1.0, 3.3])),
        "beta": float(rng.choice([1.0, 0.7, 2.0])),
    }
    if rng.random() < 0.2:
        tree = {
            "name": "decision_tree",
            "target": rng.choice(["log", "fraction", "seconds"]).item(),
            "max_depth": rng.choice([None, 3]),
            "min_samples_leaf": int(rng.integers(1, 4)),
            **options,
        }
        beside = {"name": "geometric_mean", "predictors": [tree, knn]}
        return tree if rng.random() < 0.5 else beside
    inside = rng.permutation(np.array([*trees, knn], object))[: rng.integers(1, 4)].tolist()
    if len(inside) == 1 and rng.random() < 0.7:
        return {**inside[0], "default": 500.0}
    return {"name": "geometric_mean", "predictors": inside}


def case(seed: int) -> tuple[Workload, dict[str, Any]]:
    """Return a workload and the options of a policy."""
    rng = np.random.default_rng(seed)
    roles = rng.choice(["predicted", "walltime"], 3).tolist()
    predictor = predictor_of(rng)
    estimates = {
        role: predictor if who == "predicted" else "walltime"
        for role, who in zip(("queueing", "backfilling", "running"), roles, strict=True)
    }
    policy = {
        "order": rng.choice(["sjf", "lxf"]).item(),
        "backfilling": {"name": "easy", "candidates": "shortest"},
        "estimates": predictor if "predicted" not in roles else estimates,
        "correction": "tsafrir",
    }
    return workload_of(rng), policy


def nobody(*_: object, **__: object) -> None:
    pytest.fail("predictors were asked one by one")


@pytest.mark.slow
def test_random_predictors_answer_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "Asking", nobody)
    for seed in range(8):
        workload, policy = case(seed)
        assert unlike(both(monkeypatch, workload, policy)) == [], (seed, policy)


def differences(seed: int) -> list[str]:
    """Name what differs on a random site, where predictors are always asked in the loops."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulating, "Asking", nobody)
        return sites.differences(seed, {"policy": "policy", **case(seed)[1]})


@pytest.mark.slow
@pytest.mark.parametrize(
    "predictor",
    [
        # more texts than are remembered
        {"name": "log_boosting", "features": ["executable"], "window": 5, "refit_jobs": 5},
        # rows of two kinds
        {
            "name": "geometric_mean",
            "predictors": ["log_boosting", {"name": "log_boosting", "features": ["user"]}],
        },
        # trees that others walk
        "hist_gradient_boosting",
    ],
)
def test_what_the_loops_do_not_cover_is_asked_one_by_one(
    monkeypatch: pytest.MonkeyPatch, predictor: str | dict[str, Any]
) -> None:
    workload = workload_of(np.random.default_rng(3))
    policy = {"order": "sjf", "backfilling": "easy", "estimates": predictor}
    assert unlike(both(monkeypatch, workload, policy)) == []
    monkeypatch.setattr(simulating, "Asking", nobody)
    with pytest.raises(pytest.fail.Exception, match="one by one"):
        both(monkeypatch, workload, policy)


def test_they_are_compiled_when_enough_jobs_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_cache, "import_module", lambda _: None)
    monkeypatch.setattr(loading, "_compile_all", lambda: "same")
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    first = Loops(environment)
    assert [first.load(WORTH_COMPILING - 1), first.load(1), first.load(0)] == [False, True, True]
    assert Loops(environment).load(0)


def test_they_are_left_where_functions_of_numbers_answer_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_cache, "import_module", lambda _: None)
    monkeypatch.setattr(loading, "_compile_all", lambda: "other")
    loops = Loops({"XDG_CACHE_HOME": str(tmp_path), VARIABLE: "arrays"})
    assert not loops.load(WORTH_COMPILING)
