"""Runs on a site: in one process and under pybatsim, and where messages take time."""

import random
from typing import Any

import pytest

import pred_aware as pa
from pred_aware.errors import USER_ERRORS
from pred_aware.simulator.simulation import Delays
from tests.schedulers.site.on_site import job, ran, starts
from tests.suites import each_case

MONDAY = "2026-01-05T07:00:00+00:00"
RULES: dict[str, Any] = {
    "start": MONDAY,
    "cycle": 60,
    "limits": [{"of": "jobs", "per": "user", "most": 2}],
    "windows": [{"closed": "07:30-08:00", "longer_than": 80}],
    "freezes": [{"begin": 4000, "end": 4300}],
}
NODES: dict[str, Any] = {"nodes": [{"name": "n", "count": 2, "cores": 2, "memory": 4}]}
KINDS = ("jobs", "machine_states", "estimates", "stops")


def busy(number: int = 60) -> list[dict[str, Any]]:
    """Jobs of three users, more than there is room for."""
    chance = random.Random(3)  # noqa: S311 - made jobs
    dates = sorted(chance.randrange(5000) for _ in range(number))
    return [
        job(
            place, date, chance.randrange(1, 5), chance.choice((20, 60, 90, 700)),
            walltime=chance.choice((60.0, 100.0, 800.0)), user_id=chance.choice("abc"),
            mem=chance.choice((1, 3)),
        )
        for place, date in enumerate(dates)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("site", "delays"),
    [(RULES, "batsim"), ({**RULES, **NODES}, "none")],
    ids=["counted-batsim", "nodes-none"],
)
def test_one_process_and_pybatsim_give_the_same_bytes_on_a_site(
    site: dict[str, Any], delays: Delays
) -> None:
    here = ran(site, busy(), delays=delays)
    workload = here.workload
    assert workload is not None
    there = pa.simulate(workload, "easy", site=site, delays=delays, transport="zmq")
    assert [here.content(kind) for kind in KINDS] == [there.content(kind) for kind in KINDS]
    assert here.stops is not None
    assert {"2 jobs per user", "freeze"} <= {*here.stops["rule"]}


@each_case(
    ("rules", "start"),
    [
        ({"cycle": 60}, 120.0),
        ({"windows": [{"closed": "07:00-08:00"}]}, 3600.0),
        ({"windows": [{"closed": "07:00-08:00"}], "cycle": 7000}, 7000.0),
        ({"freezes": [{"begin": 0, "end": 500}]}, 500.0),
    ],
)
def test_with_the_delays_of_batsim_a_job_starts_just_after_the_call_that_wakes_the_scheduler(
    rules: dict[str, Any], start: float
) -> None:
    site, jobs = {"start": MONDAY, **rules}, [job(1, 70, 1, 50)]
    assert starts(site, jobs) == {1: start}
    later = starts(site, jobs, delays="batsim")[1]
    assert start < later < start + 0.1


@each_case("policy", ["easy_bf", "conservative_bf"])
def test_batscheds_schedulers_take_no_site_and_name_those_that_do(policy: str) -> None:
    with pytest.raises(
        USER_ERRORS,
        match=f"'{policy}' .* has no option 'site'; schedulers with this option: .*easy",
    ):
        ran(RULES, [job(1, 0, 1, 50)], policy)


def test_rules_of_the_only_partition_apply_to_all_jobs() -> None:
    partition = {"partitions": [{"name": "all", "default": True}]}
    rules = {"freezes": [{"begin": 0, "end": 500, "partitions": ["all"]}]}
    assert starts({**partition, **rules}, [job(1, 0, 1, 50)]) == {1: 500.0}
    limit = {"limits": [{"of": "jobs", "per": "partition", "by": {"all": 1}}]}
    jobs = [job(number, 0, 1, 50) for number in (1, 2)]
    assert starts({**partition, **limit}, jobs) == {1: 0.0, 2: 50.0}
