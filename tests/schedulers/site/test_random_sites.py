"""Random sites, workloads and policies: no rule is broken, and EASY is that of a few lines."""

import math

import pytest

from schedulers.site.reader import content_of, site_of
from tests.schedulers.site.easy_model import easy_on_site
from tests.schedulers.site.random_runs import (
    LEAVING_OUT,
    POLICIES,
    broken_in,
    run_of,
    site_and_jobs,
)
from tests.schedulers.site.rules_model import Rules

QUICK = 28
ON_NODES = (45, 47, 63, 184)
OF_DATES = (48, 139, 1508)
"""Seeds further on, whose jobs meet rules that few jobs do."""
IN_ORDER = POLICIES[:2]


def differences(seed: int) -> dict[int, tuple[float, float | None]]:
    """Return the jobs that start at another date than by the model, with both."""
    site, jobs = site_and_jobs(seed, nodes=False)
    run = run_of(site, jobs, POLICIES[0])
    begun = {int(name): date for name, date in run.jobs["starting_time"].dropna().items()}
    rules = Rules(site)
    waited = [one for one in jobs if not rules.never(one) and rules.last(one) < math.inf]
    if waited and any(limit["of"] == "submitted" for limit in rules.of("limits")):
        return {}  # it is unknown which rule stopped the waiting jobs
    kept = [one for one in jobs if one["id"] in begun or one in waited]
    last = max(begun.values(), default=0.0)
    expected = easy_on_site(site, kept, run.processors, last)
    return {
        name: (date, expected.get(name))
        for name, date in begun.items()
        if date != pytest.approx(expected.get(name), abs=0.01)
    }


def broken(seed: int, *, nodes: bool) -> list[str]:
    site, jobs = site_and_jobs(seed, nodes=nodes)
    policy = POLICIES[seed % len(POLICIES)]
    return broken_in(site, jobs, run_of(site, jobs, policy), in_order=policy in IN_ORDER)


def test_easy_starts_each_job_like_the_model() -> None:
    seeds = (*range(QUICK), *OF_DATES)
    assert {seed: found for seed in seeds if (found := differences(seed))} == {}


@pytest.mark.parametrize("nodes", [False, True])
def test_no_rule_is_broken_on_random_sites(*, nodes: bool) -> None:
    seeds = (*range(QUICK), *ON_NODES, *range(LEAVING_OUT, LEAVING_OUT + QUICK // 2))
    assert {seed: found for seed in seeds if (found := broken(seed, nodes=nodes))} == {}


def test_random_sites_survive_writing_and_reading() -> None:
    for seed in range(QUICK):
        site = site_of(site_and_jobs(seed, nodes=bool(seed % 2))[0])
        assert site_of(content_of(site)) == site
