"""Slurm's priority and OpenPBS's calendar at random, in a site's tables and its jobs' fields."""

from typing import Any

import numpy as np

ACCOUNTS = ("physics", "biology", "chemistry", "optics")


def with_priority(
    rng: np.random.Generator,
    site: dict[str, Any],
    jobs: list[dict[str, Any]],
    policy: dict[str, Any],
) -> None:
    """Give a site weights and shares, its jobs who they are of, and a policy that order."""

    def one_of(*values: Any) -> Any:  # noqa: ANN401 - of any kind
        return values[int(rng.integers(len(values)))]

    site["slurm"] = {
        "priority_weight_age": one_of(0.0, 10.0, 1000.0, 1000.0),
        "priority_weight_fairshare": one_of(0.0, 100.0, 10000.0, 10000.0, 1.5),
        "priority_weight_job_size": one_of(0.0, 50.0, 500.0),
        "priority_weight_partition": one_of(0.0, 100.0),
        "priority_weight_qos": one_of(0.0, 100.0),
        "priority_weight_tres": one_of({}, {}, {"cpu": 100.0}),
        "priority_max_age": one_of(50.0, 600.0, 86400.0),
        "priority_favor_small": one_of(True, False),
        "priority_decay_half_life": one_of(0.0, 30.0, 3000.0, 604800.0),
        "priority_calc_period": one_of(1.0, 7.0, 60.0, 300.0, 0.37),
        "priority_flags": [*one_of((), (), ("accrue_always",), ("small_relative_to_time",))],
        "accounting_storage_enforce": [*one_of(("limits",), ())],
    }
    if rng.random() < 0.1:
        site["slurm"]["priority_type"] = "basic"
    if rng.random() < 0.3:
        site["qos"] = [
            {"name": "high", "priority": 10, "usage_factor": 2.0},
            {"name": "normal", "usage_factor": 0.7},
        ]
    if rng.random() < 0.6:
        site["associations"] = [
            {"account": "physics", "shares": one_of(0, 1, 5)},
            {"account": "optics", "parent": "physics", "shares": one_of(1, "parent", 3)},
            {"account": "physics", "user": "1", "shares": one_of(0, 1, 2, "parent")},
            {"account": "optics", "user": "2", "shares": one_of(1, 7)},
        ]
    for job in jobs:
        if rng.random() < 0.7:
            job["project"] = one_of(*ACCOUNTS)
        if rng.random() < 0.3:
            job["qos"] = one_of("high", "normal")
        if rng.random() < 0.2:
            job["nice"] = int(rng.integers(-100, 100))
    policy["order"] = "multifactor"


def with_calendar(rng: np.random.Generator, site: dict[str, Any], policy: dict[str, Any]) -> None:
    """Let a policy without a bound and trust plan by a calendar."""
    for name in ("max_wait", "min_concordance", "reservations"):
        policy.pop(name, None)
    site["openpbs"] = {"max_starve": float(rng.choice([10.0, 300.0, 5000.0]))}
    policy["backfilling"] = {
        "name": "openpbs",
        "strict_ordering": bool(rng.random() < 0.7),
        "backfill_depth": int(rng.integers(0, 6)),
        "opt_backfill_fuzzy": str(rng.choice(["off", "low", "medium", "high"])),
        "scheduler_iteration": int(rng.choice([0, 7, 60, 600])),
        "help_starving_jobs": bool(rng.random() < 0.3),
    }
    if rng.random() < 0.5:
        policy["correction"] = "openpbs"
    if rng.random() < 0.7:
        policy["order"] = str(rng.choice(["fcfs", "sjf", "lxf"]))
