"""Sites and jobs with dates far apart: each run ends soon, and says what becomes of each job.

PRED_AWARE_FUZZ=2000 tries as many sites.
"""

import os
import random
from typing import Any

import pytest

from pred_aware.errors import USER_ERRORS
from tests.cpu_guard import cpu_guard
from tests.schedulers.site.random_runs import run_of
from tests.schedulers.site.random_sites import processors_of, random_jobs, random_site
from tests.schedulers.site.rules_model import Asked

SITES = int(os.environ.get("PRED_AWARE_FUZZ", "24"))
MOST = 20.0
"""CPU seconds after which a run counts as endless."""
POLICIES = ("easy", "slurm", "openpbs", "conservative")
FAR = ("9999-12-31T00:00:00Z", "2500-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
GAPS = (1.0, 1e4, 1e6, 1e8, 1e9)
ENDS = (50.0, 1e6, 1e9, 1e12, 1e300)


def far_site(rng: random.Random) -> tuple[dict[str, Any], list[Asked]]:
    """Make a site whose dates are far away, and jobs with long gaps."""
    nodes, hours = rng.random() < 0.5, rng.random() < 0.5
    site = random_site(rng, nodes=nodes, hours=hours)
    site |= {"start": rng.choice((0.0, 1.7e9)), "time_zone": rng.choice(("UTC", "Europe/Berlin"))}
    jobs = random_jobs(rng, site, nodes=nodes, hours=hours)
    if rng.random() < 0.6:
        site["windows"] = [
            {"days": rng.choice(("Mon-Sun", "Sat", "Mon-Fri")), **more, **longer}
            for more in rng.sample(
                ({"closed": "00:00-00:01"}, {"closed": "08:00-17:00"}, {"closed": "00:00-24:00"},
                 {"ended_by": "08:00"}, {"ended_by": "24:00"}), rng.randint(1, 2)
            )
            for longer in rng.choice(([{}], [{"longer_than": 30.0}], [{"at_most": 1e12}]))
        ]  # fmt: skip
    if rng.random() < 0.5:
        most = processors_of(site)
        site["capacity"] = [
            {"begin": begin, "processors": rng.randint(0, most)}
            for begin in rng.sample((0.0, 10.0, 5e3, 1e7, 1e9, 1e12), rng.randint(1, 3))
        ]
    if rng.random() < 0.4:
        begin = rng.choice(("2026-01-05T07:00:00Z", "1970-01-01T00:00:10Z"))
        site["freezes"] = [{"begin": begin, "end": rng.choice(FAR)}]
    if nodes and rng.random() < 0.5:
        names = [f"{one['name']}{n}" for one in site["nodes"] for n in range(1, one["count"] + 1)]
        site["outages"] = [
            {"nodes": rng.sample(names, rng.randint(1, len(names))), "begin": 5.0, "end": end}
            for end in rng.sample(ENDS, rng.randint(1, 2))
            if end > 5.0
        ]
    if rng.random() < 0.4:
        site["cycle"] = rng.choice((1.0, 30.0, 600.0))
    later = 0.0
    for job in jobs:
        if rng.random() < 0.3:
            later += rng.choice(GAPS)
        job["subtime"] += later
        if "eligible_time" in job:
            job["eligible_time"] = job["subtime"] + rng.choice((0.0, *GAPS))
        if rng.random() < 0.1:
            job["walltime"] = rng.choice(GAPS)
            if rng.random() < 0.5:
                job["profile"] = str(int(job["walltime"]))
    if rng.random() < 0.5:
        site["slurm"] = {
            "priority_weight_age": rng.choice((0, 1000)),
            "priority_weight_fairshare": rng.choice((0, 1000)),
            "priority_max_age": rng.choice((600.0, 1e9)),
            "priority_decay_half_life": rng.choice((0.0, 604800.0)),
            "priority_usage_reset_period": rng.choice(("none", "daily", "yearly")),
            "defer": rng.random() < 0.5,
        }
    return site, jobs


@pytest.mark.parametrize("policy", POLICIES)
def test_simulations_with_far_dates_end_and_account_for_each_job(policy: str) -> None:
    predicted = [
        {"policy": "policy", "backfilling": policy, "predictor": "last_two", "correction": one}
        for one in ("doubling", "tsafrir", "openpbs")
    ]
    for seed in range(SITES // len(POLICIES)):
        rng = random.Random(f"{policy} {seed}")  # noqa: S311 - a seeded site
        site, jobs = far_site(rng)
        where = f"{policy}, seed {seed}, {site}"
        try:
            with cpu_guard(MOST):
                run = run_of(site, jobs, rng.choice(({"policy": policy}, *predicted)))
                started = len(run.jobs.dropna(subset=["starting_time"]))
        except USER_ERRORS as error:
            assert "\n" not in str(error), where  # noqa: PT017
            continue
        except Exception as error:
            raise AssertionError(f"{where}: {error!r}") from error
        assert started + sum(run.rejections.values()) == len(jobs), where
