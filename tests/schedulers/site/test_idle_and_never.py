"""What ends although dates are far away, and what is refused because it never can start."""

from typing import Any

import pytest

from schedulers.orders.fair_share.decaying_usage import DecayingUsage
from schedulers.orders.fair_share.pbs_shares import PbsShares
from tests.cpu_guard import cpu_guard
from tests.schedulers.site.on_site import job, ran, starts

NIGHTLY = {"time_zone": "Europe/Berlin", "start": "2001-09-09T01:46:40Z"}
WINDOW = {"days": "Mon-Sun", "closed": "00:00-00:01"}


@pytest.mark.parametrize("policy", ["easy", "slurm", "openpbs"])
def test_a_gap_of_many_years_takes_no_time_to_simulate(policy: str) -> None:
    for gap in (1e8, 9e12):
        site = {"windows": [WINDOW], **NIGHTLY} if policy == "easy" and gap < 1e9 else {}
        assert starts(site, [job(1, 0, 1, 50), job(2, gap, 1, 50)], policy) == {1: 0.0, 2: gap}


@pytest.mark.parametrize("policy", ["slurm", "openpbs", "easy"])
@pytest.mark.parametrize("why", ["one runs", "nodes are away"])
def test_a_wait_of_thirty_thousand_years_is_simulated_quickly(policy: str, why: str) -> None:
    far = 1e12
    site: dict[str, Any] = {
        **NIGHTLY,
        "nodes": [{"name": "n", "count": 1, "cores": 2}],
        "windows": [WINDOW, {"days": "Mon-Fri", "closed": "08:00-17:00"}],
    }
    if policy == "slurm":
        site["slurm"] = {
            "priority_weight_age": 1000, "priority_weight_fairshare": 1000,
            "priority_max_age": 1e9, "priority_usage_reset_period": "monthly", "defer": True,
        }  # fmt: skip
        site["cycle"] = 600.0
    first = job(1, 0, 2, far, walltime=far)
    if why == "nodes are away":
        site["outages"] = [{"nodes": "n1", "begin": 5.0, "end": far}]
        first = job(1, 0, 1, 2)
    with cpu_guard(5.0):
        begun = starts(site, [first, job(2, 10, 1, 50)], policy)
    assert begun[1] == 0.0
    assert far <= begun[2] < far + 86400.0


def test_a_job_above_the_last_capacity_is_refused_when_it_begins() -> None:
    nodes = [{"name": "n", "count": 4, "cores": 1}]
    for more in ({}, {"nodes": nodes}):
        site: dict[str, Any] = {
            **NIGHTLY, **more, "windows": [WINDOW],
            "capacity": [{"begin": 0, "processors": 3}, {"begin": 100, "processors": 1}],
        }  # fmt: skip
        jobs = [
            job(1, 0, 2, 150, walltime=200),
            job(2, 10, 2, 5),
            job(3, 110, 2, 5),
            job(4, 120, 1, 5),
        ]
        run = ran(site, jobs)
        begun = run.jobs["starting_time"].dropna().to_dict()
        assert begun == {"1": 0.0, "4": 150.0}, more
        assert sum(run.rejections.values()) == 2
        for reason in run.rejections:
            assert "asks for 2 processors; from now on, the machine has 1" in reason or more, reason


@pytest.mark.parametrize("policy", ["easy", "conservative", "openpbs", "slurm"])
def test_a_period_that_ends_after_every_possible_job_never_ends(policy: str) -> None:
    nodes = [{"name": "n", "count": 2, "cores": 2}]
    span = {"begin": 5.0, "end": 1e300}
    later = [{"begin": 5.0, "processors": 2}, {"begin": 1e300, "processors": 4}]
    limit = {"of": "processors", "per": "user", "most": 2, **span}
    for rule, site in {
        "nodes have too few": {"nodes": nodes, "outages": [{"nodes": "n1", **span}]},
        "the nodes have too few": {
            "nodes": nodes, "reservations": [{"name": "r", "nodes": "n1", **span}]
        },
        "from now on, the machine has 2": {"capacity": later},
        "a freeze of the site does not end": {"freezes": [span]},
        "exceeds by itself the site's limit": {"limits": [limit]},
    }.items():  # fmt: skip
        run = ran(site, [job(1, 0, 2, 30), job(2, 10, 4, 30)], policy)
        assert run.jobs["starting_time"].dropna().to_dict() == {"1": 0.0}, rule
        assert [rule in why for why in run.rejections] == [True], (rule, run.rejections)


@pytest.mark.parametrize("half_life", [1e6, 0.0])
@pytest.mark.parametrize("case", ["runs on", "ends", "just started", "forgotten each month"])
def test_combined_decays_equal_single_ones(half_life: float, case: str) -> None:
    span = (lambda date: int(date // 2.5e6)) if case == "forgotten each month" else None
    at_once, step_by_step = (
        DecayingUsage(half_life=half_life, period=300.0, counts_rests=True, span=span)
        for _ in range(2)
    )
    for usage in (at_once, step_by_step):
        usage.started("a", 0, 4.0, 0.0)
        usage.advance(1000.0)
        if case == "ends":
            usage.ended("a", 1000.0)
        elif case == "just started":
            usage.started("b", 0, 7.0, 1000.0)
    for date in range(0, 6_000_000, 300_000):
        step_by_step.advance(float(date))
    at_once.advance(5_700_000.0)
    for usage in (at_once, step_by_step):
        assert usage.at_step[0] == pytest.approx(step_by_step.current[0], rel=1e-9)
        assert usage.at_step[0] > 0.0
        assert usage.last_step == step_by_step.last_step


def test_combined_idle_decays_of_pbs_equal_single_ones() -> None:
    used = []
    for dates in ([4e6], [float(date) for date in range(100_000, 4_100_000, 100_000)]):
        shares = PbsShares([], unknown_shares=10, decay_time=1000.0, decay_factor=0.999)
        ann = shares.entity("ann")
        shares.started(ann, 8.0, 0.0)
        shares.ended(ann, 8.0, 50_000.0)
        for date in dates:
            shares.advance(date)
        used.append(ann.used(4e6))
    assert used[0] == pytest.approx(used[1], rel=1e-9)
    assert used[0] > 1.0
