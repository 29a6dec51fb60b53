"""Small workloads and policies at random, full of ties and of what is at the edge."""

from typing import Any

import numpy as np

from pred_aware import Workload

ORDERS = (
    "fcfs",
    "sjf",
    "saf",
    "lxf",
    {"name": "lxf", "head_start": 600.0},
    "wfp",
    {"name": "weighted", "weights": {"sjf": 1.0, "wfp": 600.0, "lxf": 0.0}},
    {"name": "weighted", "weights": {"saf": 0.1, "fcfs": 30.0, "sjf": -0.3}},
)
BACKFILLINGS = ("none", "filler", "easy", "easy", "conservative")
BOUNDS = (
    {"wait": 0.0},
    {"wait": 60.0, "overtaken": 500.0},
    {"overtaken": 1000.0},
    {"wait": 600.0, "ahead": 1},
    {"backlog": 1.0, "ahead": 1, "wait": 30.0},
    {"backlog": 0.5, "wait": 0.0},
    {"backlog": 0.3, "ahead": 0.5, "wait": 1.0, "overtaken": 3000.0},
)
CANDIDATES = ("queue", "shortest", "smallest", "best_fit")
CORRECTIONS = ("walltime", "doubling", "simple", "power", "tsafrir", "none")
SOURCES = (
    "walltime",
    "walltime",
    "actual",
    "last_two",
    {"name": "last_two", "default": 500.0},
    {"name": "constant", "seconds": 40.0},
    {"name": "accuracy", "a": 0.7},
    "pbs_v3",
    {"name": "knn", "default": 300.0},
    {"name": "safe", "predictor": "mean_user", "underestimated": 0.2},
    "recorded",
)


def random_case(seed: int) -> tuple[Workload, int, dict[str, Any]]:
    """Return a workload, the size of its machine, and the options of a policy."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 33))
    # above a hundred waiting jobs the Python parts go other ways
    number = int(rng.integers(1, 40)) if rng.random() < 0.8 else int(rng.integers(150, 260))
    step = float(rng.choice([1.0, 7.0, 60.0, 0.37]))
    span = int(rng.integers(1, 4 * number + 2)) if rng.random() < 0.8 else 1
    jobs, profiles = [], {}
    for place in range(number):
        delay = float(rng.integers(0, 30)) * float(rng.choice([1.0, 10.0, 600.0, 0.11]))
        walltime = float(rng.integers(1, 30)) * float(rng.choice([1.0, 10.0, 600.0, 0.11]))
        if rng.random() < 0.1:
            walltime = delay or 5.0
        name = f"D{place}"
        profiles[name] = {"type": "delay", "delay": delay, "ret": int(rng.random() < 0.1)}
        job = {
            "id": f"{'x' if rng.random() < 0.5 else ''}{place}",
            "subtime": step * int(rng.integers(0, span)),
            "res": int(rng.integers(1, size + 1 + (rng.random() < 0.1))),
            "profile": name,
        }
        if rng.random() < 0.9:
            job["walltime"] = walltime
        if rng.random() < 0.9:
            job["user_id"] = int(rng.integers(0, 4))
        if not place or rng.random() < 0.7:
            job["soft_walltime"] = float(rng.integers(1, 900))
        jobs.append(job)
    workload = Workload.of({"nb_res": size, "jobs": jobs, "profiles": profiles})
    return workload, size, random_policy(rng)


def random_policy(rng: np.random.Generator) -> dict[str, Any]:
    """Return the options of a policy."""

    def one_of(values: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a part
        return values[int(rng.integers(len(values)))]

    predicted = one_of(SOURCES)
    roles = {
        role: one_of(("walltime", "actual", predicted))
        for role in ("queueing", "backfilling", "running")
    }
    backfilling = one_of(BACKFILLINGS)
    policy = {
        "order": one_of(ORDERS),
        "backfilling": backfilling
        if backfilling == "none"
        else {"name": backfilling, "candidates": one_of(CANDIDATES)},
        "estimates": predicted if rng.random() < 0.5 else roles,
        "correction": one_of(CORRECTIONS),
        "ties": one_of(("submission", "id")),
        "allocation": one_of(("lowest", "lowest", "contiguous", "best_fit")),
    }
    if backfilling == "easy" and rng.random() < 0.3:
        policy["reservations"] = int(rng.integers(2, 6))
    if backfilling != "conservative" and rng.random() < 0.5:
        policy["max_wait"] = one_of(BOUNDS)
    if backfilling != "conservative" and rng.random() < 0.3:
        policy["min_concordance"] = one_of((0.2, 0.5, 0.7))
        policy["estimates"] = {**roles, "running": "walltime"}
    return policy
