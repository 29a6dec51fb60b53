"""Random sites, workloads and policies, run."""

import random
from typing import Any

from pred_aware import Run, Workload, simulate
from tests.schedulers.site.checker import Checker
from tests.schedulers.site.random_sites import leave_out, processors_of, random_jobs, random_site
from tests.schedulers.site.rules_model import Asked, Ran

POLICIES: list[dict[str, Any]] = [
    {"policy": "easy"},
    {"policy": "easy", "reservations": 3},
    {"policy": "conservative"},
    {"policy": "policy", "backfilling": "openpbs"},
    {"policy": "slurm"},
    {"policy": "policy", "backfilling": "filler"},
    {"policy": "policy", "backfilling": "none"},
    {"policy": "easy", "max_wait": 30.0, "order": "lxf"},
    {"policy": "easy_sjbf"},
    {"policy": "recommended"},
    {"policy": "easy_plus_plus"},
    {"policy": "policy", "backfilling": "conservative", "order": "sjf"},
    {"policy": "policy", "backfilling": "easy", "order": "wfp", "predictor": "last_two"},
    {
        "policy": "policy", "backfilling": "easy", "order": "sjf", "min_concordance": 0.55,
        "estimates": {"queueing": "last_two", "backfilling": "last_two", "running": "walltime"},
    },
]  # fmt: skip


LEAVING_OUT = 1_000
"""Sites of seeds from here on leave jobs out of limits."""


def site_and_jobs(seed: int, *, nodes: bool) -> tuple[dict[str, Any], list[Asked]]:
    """Make a site and jobs."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    hours = not nodes and rng.random() < 0.3
    site = random_site(rng, nodes=nodes, hours=hours)
    if seed >= LEAVING_OUT:
        leave_out(rng, site)
    return site, random_jobs(rng, site, nodes=nodes, hours=hours)


def run_of(site: dict[str, Any], jobs: list[Asked], policy: dict[str, Any]) -> Run:
    """Simulate them."""
    options = {"site": site, **policy}
    workload = Workload.of(workload_content(site, jobs))
    return simulate(workload, options.pop("policy"), options=options)


def workload_content(site: dict[str, Any], jobs: list[Asked]) -> dict[str, Any]:
    """Return the jobs as a workload has them."""
    profiles = {one["profile"]: {"type": "delay", "delay": float(one["profile"])} for one in jobs}
    return {"nb_res": processors_of(site), "jobs": jobs, "profiles": profiles}


def schedule_of(jobs: list[Asked], run: Run) -> tuple[list[Ran], dict[int, list[int]]]:
    """Return what ran, and the processors of each job by its number."""
    by_id = {str(one["id"]): one for one in jobs}
    ran, processors = [], {}
    for name, row in run.jobs.dropna(subset=["starting_time"]).iterrows():
        job = by_id[str(name)]
        ran.append(Ran(job, float(row["starting_time"]), float(row["finish_time"])))
        processors[job["id"]] = numbers(str(row["allocated_resources"]))
    return ran, processors


def broken_in(
    site: dict[str, Any], jobs: list[Asked], run: Run, *, in_order: bool = False
) -> list[str]:
    """Return the broken rules of a run; with `in_order`, also jobs left waiting."""
    checker = Checker(site, jobs, run.processors)
    ran, processors = schedule_of(jobs, run)
    found = checker.broken(ran, processors)
    return found + checker.left_waiting(ran) if in_order and not site.get("cycle") else found


def numbers(text: str) -> list[int]:
    """Return the processors of text such as ``0-2 5``."""
    found: list[int] = []
    for part in text.split():
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found
