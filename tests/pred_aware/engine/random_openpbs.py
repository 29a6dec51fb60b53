"""OpenPBS at random: its order, scheduler and queues, in a site's tables and its jobs' fields."""

from typing import Any

import numpy as np

QUEUES = ("short", "long", "gpu")
FORMULAS = (
    "ncpus * walltime / 3600",
    "job_priority * 100 + queue_priority",
    "1000 / walltime if ncpus > 4 else max(mem, ngpus * 2 ** 20)",
    "sqrt(ncpus) // (nodect - 1) + log(walltime - 500)",
)
CHANGING = (
    "eligible_time",
    "eligible_time / 60 + ncpus * job_priority",
    "(eligible_time / walltime) ** 3 * ncpus",
    "max(eligible_time, 600, walltime) if job_priority > 0 and eligible_time > 30 else -mem",
    "pow(eligible_time, nodect) / (ncpus - 2) + sqrt(eligible_time - walltime)",
    "(eligible_time >= 60 or ncpus == 1) * 1000 + log(ncpus - 1) - abs(eligible_time - 900)",
    "queue_priority if not eligible_time else min(-eligible_time, +walltime / (ncpus - 1), 10)",
)
SORT_KEYS = (
    "ncpus HIGH", "walltime LOW", "mem HIGH", "job_priority HIGH", "nodect LOW", "ngpus HIGH",
    "cput LOW", "preempt_priority HIGH",
)  # fmt: skip


def with_openpbs(
    rng: np.random.Generator,
    site: dict[str, Any],
    jobs: list[dict[str, Any]],
    policy: dict[str, Any],
) -> str:
    """Configure a site's OpenPBS, and let a policy go by it; return the scheduler's name."""

    def one_of(*values: Any) -> Any:  # noqa: ANN401 - of any kind
        return values[int(rng.integers(len(values)))]

    if not site.get("partitions") and rng.random() < 0.6:
        site["partitions"] = [
            {"name": name, "priority_tier": one_of(1, 5, 5)} for name in QUEUES[: rng.integers(4)]
        ]
        for job in jobs:
            if rng.random() < 0.8:
                job["queue"] = one_of(*QUEUES)
    for job in jobs:
        if rng.random() < 0.5:
            job["job_priority"] = one_of(0, 1, 7, -3, 2.5, "high")
        if rng.random() < 0.3:
            job["mem"] = one_of(0.5, 1, 4)
    site["openpbs"] = {
        "strict_ordering": one_of(True, False),
        "backfill_depth": one_of(0, 1, 1, 5),
        "opt_backfill_fuzzy": one_of("off", "low", "high"),
        "scheduler_iteration": one_of(7, 60, 600),
        "by_queue": one_of(True, False),
        "sort_queues": one_of(True, False),
        "round_robin": bool(rng.random() < 0.3),
        "job_sort_key": [*{one_of(*SORT_KEYS) for _ in range(rng.integers(4))}],
    }
    if rng.random() < 0.6:
        site["openpbs"]["job_sort_formula"] = one_of(*FORMULAS, *CHANGING)
        site["openpbs"]["eligible_time_enable"] = bool(rng.random() < 0.8)
    if rng.random() < 0.2:
        site["openpbs"]["help_starving_jobs"] = True
        site["openpbs"]["max_starve"] = one_of(10.0, 300.0, 5000.0)
    if rng.random() < 0.5:
        for name in ("order", "backfilling", "correction", "max_wait", "min_concordance"):
            policy.pop(name, None)
        policy.pop("reservations", None)
        return "openpbs"
    policy["order"] = "pbs"
    return "policy"
