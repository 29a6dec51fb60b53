"""The scheduler `openpbs` on sites: what its table says holds, and so do the site's limits."""

import random
from pathlib import Path
from typing import Any

import pytest

from pred_aware.site_configuration import configured_site
from schedulers.site.reader import content_of
from tests.schedulers.site.checker import Checker
from tests.schedulers.site.on_site import job, starts
from tests.schedulers.site.random_runs import broken_in, run_of, schedule_of, site_and_jobs
from tests.suites import each_case

CONFIGURED = Path(__file__).parents[2] / "pred_aware" / "site_configuration" / "pbs"
QUICK = 8


def on_random_site(seed: int, *, nodes: bool) -> list[str]:
    site, jobs = site_and_jobs(seed, nodes=nodes)
    rng = random.Random(seed)  # noqa: S311 - a seeded site
    site["openpbs"] = {
        "strict_ordering": rng.random() < 0.8,
        "backfill_depth": rng.choice((0, 1, 5)),
        "opt_backfill_fuzzy": rng.choice(("off", "low", "high")),
        "scheduler_iteration": rng.choice((20, 600)),
        "fair_share": rng.random() < 0.5,
        "unknown_shares": 10,
        "by_queue": rng.random() < 0.5,
    }
    policy = {"policy": "openpbs", "predictor": rng.choice(("walltime", "last_two"))}
    return broken_in(site, jobs, run_of(site, jobs, policy))


@pytest.mark.parametrize("nodes", [False, True])
def test_no_rule_is_broken_on_random_sites(*, nodes: bool) -> None:
    seeds = range(QUICK)
    assert {seed: found for seed in seeds if (found := on_random_site(seed, nodes=nodes))} == {}


def test_a_real_servers_configuration_can_be_simulated_and_its_limits_hold() -> None:
    site = content_of(configured_site(CONFIGURED).site)
    rng = random.Random(1)  # noqa: S311 - seeded jobs
    jobs: list[dict[str, Any]] = []
    for number in range(1, 81):
        queue = rng.choice(("workq", "workq", "gpu"))
        own = {"gpu": 1} if queue == "gpu" else {}
        size = rng.choice((1, 4, 16)) if queue == "gpu" else rng.choice((1, 8, 16, 48))
        run = rng.randint(60, 7200)
        jobs.append(
            {
                "id": number, "subtime": 60.0 * number, "res": size, "walltime": 7200.0,
                "profile": f"{run}", "user_id": rng.choice(("ann", "bob", "eve", "zoe")),
                "group": rng.choice(("physics", "chemistry")), "queue": queue, **own,
            }
        )  # fmt: skip
    run_ = run_of(site, jobs, {"policy": "openpbs", "predictor": "last_two"})
    ran, processors = schedule_of(jobs, run_)
    assert len(ran) == len(jobs)
    assert Checker(site, jobs, run_.processors).broken(ran, processors, refusals=False) == []
    assert any(one.start > one.job["subtime"] for one in ran)


@each_case(
    ("table", "expected"),
    [
        ({}, (162, 2, 62)),
        ({"strict_ordering": True}, (100, 2, 150)),
        ({"strict_ordering": True, "backfill_depth": 0}, (100, 150, 150)),
        ({"help_starving_jobs": True}, (162, 2, 62)),
        ({"help_starving_jobs": True, "max_starve": 61.0}, (162, 2, 62)),
        ({"help_starving_jobs": True, "max_starve": 60.0}, (100, 2, 150)),
        ({"help_starving_jobs": True, "max_starve": 1.0, "backfill_depth": 0}, (100, 2, 150)),
    ],
)
def test_openpbs_plans_with_the_sites_settings(
    table: dict[str, Any], expected: tuple[float, ...]
) -> None:
    # job 2 can start at 100 unless job 4, which starts at 62, is in its way
    jobs = [
        job(1, 0, 3, 100), job(2, 1, 4, 50), job(3, 2, 1, 60, walltime=60), job(4, 3, 1, 100)
    ]  # fmt: skip
    found = starts({"openpbs": {"opt_backfill_fuzzy": "off", **table}}, jobs, "openpbs")
    assert (found[2], found[3], found[4]) == expected
