"""Slurm's priority and fair share on cases that were worked out by hand."""

from datetime import datetime
from typing import Any

import pytest

from predictors import OptionError, Submission
from predictors.submission import PastJob
from schedulers import Job, make_policy
from schedulers.contract.playing import Spec, play
from schedulers.orders.fair_share.decaying_usage import DecayingUsage
from schedulers.orders.fair_share.slurm_usage import classic_factors
from schedulers.orders.fair_share.tree import FairTree, ShareTree
from schedulers.orders.multifactor import Multifactor
from schedulers.orders.past import report_past
from schedulers.site.batch_system import Association
from schedulers.site.reader import site_of


def tree(*told: tuple[str, str | None, str, Any]) -> ShareTree:
    return ShareTree(
        [
            Association(account=account, user=user, parent=parent, shares=shares)
            for account, user, parent, shares in told
        ]
    )


def site(**slurm: Any) -> dict[str, Any]:  # noqa: ANN401 - of a site's file
    return {
        "nodes": [
            {"name": "thin", "count": 3, "cores": 4, "memory": 16},
            {"name": "fat", "count": 1, "cores": 4, "memory": 64, "gpus": {"a100": 4}},
        ],
        "partitions": [
            {"name": "batch", "default": True, "priority_job_factor": 2},
            {"name": "gpu", "nodes": ["fat"], "priority_job_factor": 8, "billing": {"cpu": 2}},
            {"name": "express", "priority_tier": 3},
        ],
        "qos": [{"name": "normal"}, {"name": "high", "priority": 50, "usage_factor": 2.0}],
        "slurm": slurm,
    }


def order_of(content: dict[str, Any]) -> Multifactor:
    order = Multifactor()
    order.on_site(site_of(content))
    order.begin(16)
    return order


def job(name: str, submit: float = 0.0, processors: int = 1, **fields: Any) -> Job:  # noqa: ANN401
    return Job(name, submit, processors, 3600.0, fields=fields)


def test_fair_tree_ranks_users_of_an_account_next_to_each_other() -> None:
    # the levels are .5/.6 and .5/.4, so that b's users come before all of a's
    shares = tree(("a", "ann", "", 1), ("a", "al", "", 3), ("b", "bob", "", 1), ("b", "bea", "", 1))
    found = FairTree(shares, [10.0, 50.0, 15.0, 25.0])
    levels = {node.name: round(level, 4) for node, level in found.levels.items()}
    assert levels["a"] == round(0.5 / 0.6, 4)
    assert levels["ann"] == 1.5
    assert found.factors == [0.5, 0.25, 1.0, 0.75]


def test_unused_and_tied_users_share_the_rank_of_the_first() -> None:
    shares = tree(("a", "ann", "", 1), ("a", "al", "", 1), ("b", "bob", "", 1))
    assert FairTree(shares, [0.0, 0.0, 0.0]).factors == [1.0, 1.0, 1.0]
    assert FairTree(shares, [0.0, 0.0, 9.0]).factors == [1.0, 1.0, 1 / 3]


def test_users_without_shares_come_last_and_parent_shares_are_no_level() -> None:
    shares = tree(
        ("a", None, "root", 1),
        ("b", None, "a", "parent"),
        ("a", "ann", "", 1),
        ("b", "bob", "", 3),
        ("c", None, "root", 0),
        ("c", "cid", "", 1),
    )
    found = FairTree(shares, [1.0, 1.0, 0.0])
    levels = {node.name: level for node, level in found.levels.items()}
    # bob shares a's 4 with ann, and cid has nothing though he used nothing
    assert (levels["ann"], levels["bob"], levels["c"]) == (0.5, 1.5, 0.0)
    assert found.factors == [2 / 3, 1.0, 1 / 3]


def test_the_classic_factor_is_a_half_if_usage_equals_shares() -> None:
    shares = tree(
        ("a", None, "root", 1), ("b", None, "root", 3), ("a", "ann", "", 1), ("b", "bob", "", 3)
    )
    usage = [25.0, 75.0]
    assert classic_factors(shares, usage, usage) == [0.5, 0.5]
    usage = [75.0, 25.0]
    assert classic_factors(shares, usage, usage) == [2**-3.0, 2 ** -(1 / 3)]
    assert classic_factors(shares, usage, usage, dampening=3) == [0.5, 2 ** -(1 / 9)]


def test_with_depth_oblivious_a_light_user_of_a_busy_account_gains_little() -> None:
    shares = tree(("a", "ann", "", 1), ("a", "al", "", 1), ("b", "bob", "", 1))
    usage = [60.0, 20.0, 20.0]
    # a has used 1.6 times its half; ann 1.5 times of that; al half of it, to the power .1533
    expected = [0.1895, 0.3689, 2**-0.4]
    found = classic_factors(shares, usage, usage, depth_oblivious=True)
    assert found == pytest.approx(expected, abs=5e-5)


def test_accounts_are_ranked_before_usage_decays_and_users_after_it() -> None:
    shares = tree(("a", "ann", "", 1), ("a", "al", "", 1), ("b", "bob", "", 1))
    # a had used 3/4, so that of ann's 1/2 it makes 1/2 + (3/4 - 1/2) / 2, over shares of 1/4
    factors = classic_factors(shares, [4.0, 0.0, 4.0], [3.0, 3.0, 2.0])
    assert factors[0] == 2 ** -(0.625 / 0.25)


def test_usage_decays_at_each_step_and_running_jobs_add_their_usage() -> None:
    usage = DecayingUsage(half_life=693.0, period=10.0)
    second = 0.999
    usage.started("x", 0, 4.0, 5.0)
    usage.advance(19.0)
    first = 4.0 * 5.0 * second**5
    assert usage.at_step[0] == pytest.approx(first)
    usage.advance(20.0)
    assert usage.at_step[0] == pytest.approx(first * second**10 + 40.0 * second**10)
    # the three seconds since count at the end, and decay with the others at the next step
    before = usage.at_step[0]
    usage.ended("x", 23.0)
    usage.advance(30.0)
    assert usage.at_step[0] == pytest.approx((before + 12.0 * second**3) * second**10)


def test_without_limits_usage_since_the_last_step_is_lost_at_the_end() -> None:
    usage = DecayingUsage(half_life=0.0, period=10.0, counts_rests=False)
    usage.started("x", 0, 1.0, 5.0)
    usage.started("y", 0, 1.0, 12.0)
    usage.ended("y", 19.0)
    usage.ended("x", 29.0)
    usage.advance(100.0)
    assert usage.at_step[0] == 15.0


UNDECAYED = {
    "priority_calc_period": 100, "priority_decay_half_life": 0, "priority_weight_fairshare": 1,
}  # fmt: skip
"""Fair share whose usage never decays."""


def test_a_usage_reset_period_clears_all_usage() -> None:
    slurm = {
        "priority_usage_reset_period": "weekly", "priority_decay_half_life": 0,
        "priority_calc_period": 3600, "priority_weight_fairshare": 1,
    }  # fmt: skip
    # a Saturday at 22:00, so that Sunday begins at the second step
    order = order_of({"start": datetime(2026, 1, 31, 22), "slurm": slurm})  # noqa: DTZ001 - in UTC
    order.started(job("r", user="ann"), 0.0)
    usage = []
    for hour in range(1, 5):
        order.key(job("j", user="ann"), 3600.0 * hour)
        usage += order.fair_share.usage()
    assert usage == [3600.0, 3600.0, 7200.0, 10800.0]


def test_repeated_requests_change_no_factor() -> None:
    orders = [order_of(site(priority_weight_fairshare=1e6, priority_weight_age=10)) for _ in "ab"]
    waiting = [job(f"w{user}", 7.0, user_id=user) for user in "xyz"]
    for now in range(0, 4000, 50):
        for place, one in enumerate(orders):
            if now % 400 == 0:
                running = job(f"r{now}", processors=2 + now % 7, user_id="xyz"[now % 3])
                one.started(running, float(now))
            if now % 400 == 350 and now % 800 > 400:
                one.ended(job(f"r{now - 350}"), float(now))
            if place:
                [one.key(other, float(now)) for other in waiting]
    keys = [[one.key(other, 4000.0) for other in waiting] for one in orders]
    assert keys[0] == keys[1]


def test_a_priority_has_the_expected_parts() -> None:
    order = order_of(
        site(
            priority_weight_age=1000, priority_max_age=600, priority_weight_job_size=100,
            priority_weight_partition=40, priority_weight_qos=7, priority_calc_period=60,
            priority_weight_tres={"cpu": 160, "mem": 64, "gres/gpu:a100": 4},
        )
    )  # fmt: skip
    asked = job(
        "j", 10.0, 4, node=2, partition="gpu", qos="high", mem=8.0, gpu=2, gpu_type="a100", nice=20
    )
    found = order.priority(asked, 119.0)
    # since 10 until the step at 60; (2 of 4 nodes + 4 of 16 processors) / 2; the one node of gpu
    assert found.age == pytest.approx(1000 * 50 / 600)
    assert (found.job_size, found.partition, found.qos) == (37.5, 40.0, 7.0)
    assert found.tres == 160 * 4 / 4 + 64 * 8 / 64 + 4 * 2 / 4
    assert found.whole == int(1000 * 50 / 600 + 37.5 + 40 + 7 + 170 - 20)


def test_small_jobs_come_first_if_the_site_favors_them() -> None:
    order = order_of(site(priority_weight_job_size=100, priority_favor_small=True))
    assert order.priority(job("j", 0.0, 4, node=2), 0.0).job_size == 62.5
    flags = ["small_relative_to_time"]
    order = order_of(site(priority_weight_job_size=6000, priority_flags=flags))
    # 2 nodes are 8 processors, for 60 minutes, of 16
    assert order.priority(job("j", 0.0, 4, node=2), 0.0).job_size == 6000 * 8 / 60 / 16


def test_a_tier_precedes_priority_and_a_job_uses_its_best_partition() -> None:
    order = order_of(site(priority_weight_partition=1000, priority_weight_age=1000))
    low, high, both = (job(name, partition=name) for name in ("gpu", "express", "batch,express"))
    keys = {one.id: order.key(one, 1e6) for one in (low, high, both)}
    assert keys["express"] == keys["batch,express"] < keys["gpu"]
    in_both = [order.key_in(both, name, 1e6) for name in ("express", "batch")]
    assert keys["express"] == in_both[0] < keys["gpu"] < in_both[1]


def test_partition_and_qos_determine_the_counted_usage() -> None:
    order = order_of(site(**UNDECAYED))
    for place, fields in enumerate(({}, {"qos": "high"}, {"partition": "gpu"})):
        order.started(job(f"r{place}", user_id=f"u{place}", **fields), 0.0)
    order.key(job("j", user_id="u0"), 100.0)
    assert order.fair_share.usage() == [100.0, 200.0, 200.0]


def test_basic_priority_is_the_order_of_submission() -> None:
    order = order_of(site(priority_type="basic", priority_weight_job_size=100))
    small, large = job("small"), job("large", 1.0, 16)
    small.number, large.number = 1, 2
    assert order.key(small, 9.0) < order.key(large, 9.0)


def test_usage_of_past_jobs_counts_from_the_beginning() -> None:
    order = order_of(site(**UNDECAYED))
    past = [
        PastJob(Submission(id=user, submit_time=-900.0, processors=2, user=user), 100.0, end)
        for user, end in (("ann", -500.0), ("bob", 0.0))
    ]
    report_past(order, past)
    order.begin(16)
    order.key(job("j", user_id="ann"), 0.0)
    assert order.fair_share.usage() == [200.0, 200.0]


def test_fair_share_determines_the_schedule() -> None:
    # all ask for the whole machine; ann's first runs alone, so that bob's is next at its end, and
    # then, since both have used as much, her second by its age
    slurm = {
        "priority_weight_fairshare": 1000, "priority_weight_age": 1, "priority_calc_period": 10,
        "priority_decay_half_life": 0,
    }  # fmt: skip
    specs = [
        Spec("a1", 0, 16, 100, 100, "ann"),
        Spec("a2", 1, 16, 100, 100, "ann"),
        Spec("b1", 2, 16, 100, 100, "bob"),
    ]
    options = {"order": "multifactor", "backfilling": "none", "site": {"slurm": slurm}}
    starts = play(make_policy("policy", options), specs, 16).starts
    assert starts == {"a1": 0.0, "b1": 100.0, "a2": 200.0}


def test_missing_weights_are_reported() -> None:
    with pytest.raises(
        OptionError, match=r"order 'multifactor' needs the weights of Slurm's"
    ) as it:
        make_policy("policy", {"order": "multifactor"})
    assert "\n" not in str(it.value)


def test_without_weights_of_age_and_shares_the_order_is_static() -> None:
    told = {"priority_weight_tres": {"cpu": 1}, "priority_flags": ["no_normal_tres"]}
    specs = [Spec("a", 0, 4, 50), Spec("small", 1, 3, 50), Spec("large", 2, 4, 50)]
    for slurm, starts in (
        (told, {"a": 0.0, "large": 50.0, "small": 100.0}),
        ({**told, "priority_type": "basic"}, {"a": 0.0, "small": 50.0, "large": 100.0}),
        ({}, {"a": 0.0, "small": 50.0, "large": 100.0}),
    ):
        order = Multifactor(slurm)
        assert not order.changes
        options = {"order": order, "backfilling": "none"}
        assert play(make_policy("policy", options), specs, 4).starts == starts


def test_usage_that_underflows_beside_the_rest_counts_as_none() -> None:
    tree = ShareTree()
    for user in ("ann", "bob", "eve"):
        tree.leaf(user, "physics")
    assert FairTree(tree, [5e-324, 1e300, 0.0]).factors == [1.0, 1 / 3, 1.0]


def test_a_weighted_sum_with_multifactor_changes_at_the_sites_steps() -> None:
    options = {"order": {"name": "weighted", "weights": {"multifactor": 1.0}}}
    sites = {"age": {"priority_weight_age": 1000}, "size": {"priority_weight_job_size": 1000}}
    policies: dict[str, Any] = {
        name: make_policy("policy", {**options, "site": {"slurm": table}})
        for name, table in sites.items()
    }
    changes = [policies[name]._order.changes for name in sites]  # noqa: SLF001
    assert changes == [True, False]
