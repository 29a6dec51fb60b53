"""Slurm's scheduling at random: what is configured, and machines of more than a word of bits."""

from typing import Any

import numpy as np

from tests.pred_aware.engine.random_nodes import covered_site, large_site

_NOT_BESIDE = ("max_wait", "min_concordance", "reservations", "allocation")


def with_slurm(
    rng: np.random.Generator,
    site: dict[str, Any],
    policy: dict[str, Any],
) -> None:
    """Configure a site's Slurm, and let a policy schedule as it does."""

    def one_of(*values: Any) -> Any:  # noqa: ANN401 - of any kind
        return values[int(rng.integers(len(values)))]

    for name in _NOT_BESIDE:
        policy.pop(name, None)
    own = {
        "bf_interval": one_of(1, 7, 30, 300),
        "bf_resolution": one_of(1, 10, 60, 600),
        "bf_window": one_of(1, 5, 60, 1440),
        "bf_max_job_test": one_of(1, 3, 20, 500),
        "bf_max_job_part": one_of(0, 0, 0, 2, 10),
        "bf_max_job_user": one_of(0, 0, 0, 1, 4),
        "bf_max_job_start": one_of(0, 0, 0, 1, 3),
        "bf_min_age_reserve": one_of(0, 0, 30, 600),
        "bf_node_space_size": one_of(None, None, 2, 8),
        "bf_running_job_reserve": one_of(True, False, False),
        "default_queue_depth": one_of(1, 3, 100, 100),
        "partition_job_depth": one_of(0, 0, 0, 3),
        "sched_interval": one_of(1, 13, 60, 600),
    }
    beside = {
        "version": one_of("22.05.8", "26.11"),
        "backfill": one_of(True, True, True, True, False),
        "batch_sched_delay": one_of(0, 3, 20),
        "defer": one_of(False, False, True),
        "kill_wait": one_of(0, 30),
        "bf_max_job_assoc": one_of(0, 0, 0, 2, 5),
    }
    told = {key: value for key, value in own.items() if value is not None and rng.random() < 0.6}
    site["slurm"] = {**site.get("slurm", {}), **told, **beside}
    policy["backfilling"] = {"name": "slurm", **{key: told[key] for key in sorted(told)[:2]}}
    if rng.random() < 0.5 or policy["order"] == "multifactor":
        policy["order"] = one_of("fcfs", "sjf", "lxf", "multifactor")


def on_nodes(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Make a site with nodes, in partitions of several tiers, and jobs for it."""
    site, jobs = covered_site(seed) if seed % 2 else large_site(seed)
    rng = np.random.default_rng(seed)
    for partition in site.get("partitions", ()):
        if rng.random() < 0.5:
            partition["priority_tier"] = int(rng.integers(1, 4))
        if rng.random() < 0.3 and isinstance(partition.get("nodes"), list):
            partition["max_nodes"] = int(rng.integers(1, len(partition["nodes"]) + 1))
    times = float(rng.choice([1.0, 1.0, 0.5, 2.0, 5.0]))
    for job in jobs:
        job["subtime"] *= times
    if rng.random() < 0.3:
        site["slurm"] = {"priority_calc_period": float(rng.integers(5, 60))}
        minutes = {"of": "processor_minutes", "per": str(rng.choice(["user", "project"]))}
        most, above = int(rng.integers(3, 60)), str(rng.choice(["alone", "rejected"]))
        site.setdefault("limits", []).append({**minutes, "most": most, "above": above})
    return site, jobs


def make_longer(rng: np.random.Generator, content: dict[str, Any]) -> None:
    """Let all take longer, so that many a pass finds the running jobs of the last one."""
    times = float(rng.integers(5, 30))
    for job in content["jobs"]:
        job["subtime"] *= times
        if job.get("walltime", 0.0) > 0.0:
            job["walltime"] *= times
    for profile in content["profiles"].values():
        profile["delay"] *= times


def on_a_larger_machine(rng: np.random.Generator, content: dict[str, Any]) -> None:
    """Let jobs ask for more processors, of more than fit into some words of bits."""
    times = int(rng.integers(2, 9))
    content["nb_res"] = content["nb_res"] * times + int(rng.integers(0, 5))
    for job in content["jobs"]:
        job["res"] = max(1, job["res"] * times - int(rng.integers(0, 5)))
