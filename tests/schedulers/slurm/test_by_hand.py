"""Slurm's passes, worked out by hand."""

from itertools import product
from typing import Any

import pytest

from predictors import OptionError
from schedulers import make_policy
from schedulers.backfilling import BACKFILLINGS
from schedulers.contract.playing import Spec, play
from schedulers.core.job import Job, Plan
from schedulers.core.nodeset import NodeSet
from schedulers.decisions import Policy, Request
from schedulers.machine.node_room import Room
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_of
from schedulers.slurm.backfilling import SlurmBackfilling
from schedulers.slurm.runs import FitInRuns, in_runs
from schedulers.slurm.table import PlanTable
from tests.suites import each_case
from workload_tools.batsim.decisions import Execute


def starts(*specs: Spec, processors: int = 2, **options: object) -> dict[str, float]:
    backfilling = {"name": "slurm", "bf_interval": 1, "bf_resolution": 1, **options}
    policy = make_policy("policy", {"backfilling": backfilling, "call_margin": None})
    return play(policy, specs, processors).starts


def planned(content: dict[str, Any], *jobs: Job, ends: tuple[float, ...] = ()) -> dict[str, float]:
    """Return the planned starts of waiting jobs; the first ones run till the ends."""
    site = site_of(content)
    machine = Nodes(site, float)
    machine.begin(machine.layout.processors)
    backfilling = SlurmBackfilling()
    backfilling.on_site(site)
    backfilling.begin(machine)
    plan = Plan()
    for job, end in zip(jobs, ends, strict=False):
        assert machine.take(job)
        job.planned_end = end
        plan.add(job)
    waiting = list(jobs[len(ends) :])
    started = backfilling.backfill(waiting, plan, [], 0.0)
    told = {job.id: 0.0 for job in started}
    return told | {job.id: job.last_promise for job in waiting}


def job(number: int, processors: int, limit: float, partition: str = "", **fields: object) -> Job:
    return Job(
        f"{number}", 0.0, processors, limit, fields=fields, number=number, backfilling=limit,
        running=limit, partitions=tuple(filter(None, partition.split(","))),
    )  # fmt: skip


def nodes(count: int, cores: int = 1, **slurm: object) -> dict[str, Any]:
    return {"slurm": slurm, "nodes": [{"name": "n", "count": count, "cores": cores}]}


@pytest.mark.parametrize(("length", "start"), [(597, 2), (598, 1200)])
def test_a_gap_must_be_longer_than_the_job(length: float, start: float) -> None:
    # "head" is planned at 600, so that from 2 on there is a hole of 598 s
    jobs = [
        Spec("a", 0, 1, 600, 600), Spec("head", 1, 2, 600, 600), Spec("short", 2, 1, 60, length),
    ]  # fmt: skip
    assert starts(*jobs)["short"] == start


@pytest.mark.parametrize(("resolution", "start"), [(1, 2), (60, 1258)])
def test_a_table_entry_begins_on_the_resolution_grid(resolution: int, start: float) -> None:
    # "head" is planned at 658, and on the grid of a minute from 600 on: "short" would end at 602
    jobs = [
        Spec("a", 0, 1, 658, 658), Spec("head", 1, 2, 600, 600), Spec("short", 2, 1, 60, 600),
    ]  # fmt: skip
    assert starts(*jobs, bf_resolution=resolution)["short"] == start


@pytest.mark.parametrize(("start", "first"), [(0.0, 660.0), (30.0, 630.0)])
def test_the_grid_counts_from_1970(start: float, first: float) -> None:
    # a whole machine for 10 min 1 s is entered up to the next full minute
    content = nodes(2) | {"start": start}
    content["nodes"][0]["whole"] = True
    assert planned(content, job(1, 2, 601.0), job(2, 2, 60.0)) == {"1": 0.0, "2": first}


@pytest.mark.parametrize(("version", "date"), [(None, 100.0), ("22.05.8", 110.0)])
def test_close_ends_are_considered_together(version: str | None, date: float) -> None:
    # of the two nodes that come free by 120 it has the first; 22.05 tells when all are gone
    content = nodes(3, version=version) if version else nodes(3)
    running = [job(1, 1, 100.0), job(2, 1, 110.0), job(3, 1, 1000.0)]
    found = planned(content, *running, job(4, 1, 60.0), ends=(100.0, 110.0, 1000.0))
    assert found == {"4": date}


@each_case("most", [1, 2, 3])
def test_a_job_gets_no_more_nodes_than_its_partition_allows(most: int) -> None:
    for on_each in product(range(4), repeat=4):
        levels = [sum(1 << place for place, free in enumerate(on_each) if free == level)
                  for level in range(4)]  # fmt: skip
        for units in range(1, 10):
            pieces = in_runs(levels, [0b1111], units, most=most)
            if pieces is None:
                # nodes with the same room are left out together
                assert 3 * min(most, on_each.count(3)) < units
            else:
                assert len(pieces) <= most
                assert sum(given for _, given in pieces) == units


def test_a_job_with_a_feature_is_planned_after_all_jobs_on_its_nodes() -> None:
    content = nodes(1, version="22.05", bf_resolution=1)
    content["nodes"].append({"name": "f", "count": 1, "cores": 1, "features": ["fat"]})
    found = planned(
        content,
        job(1, 1, 600.0, features="fat"), job(2, 1, 900.0),
        job(3, 1, 600.0, features="fat"), job(4, 1, 100.0), job(5, 1, 60.0, features="fat"),
        ends=(600.0, 900.0),
    )  # fmt: skip
    assert found == {"3": 600.0, "4": 900.0, "5": 1200.0}


@pytest.mark.parametrize("tasks", [{"memory_per_node": 2.0}, {"mem": 2.0, "tasks_per_node": 2}])
def test_ends_on_nodes_with_too_little_memory_are_ignored(tasks: dict[str, float]) -> None:
    content = nodes(1, version="22.05", bf_resolution=1) | {
        "nodes": [{"name": "n", "count": 1, "cores": 2, "memory": 1.0},
                  {"name": "f", "count": 1, "cores": 2, "memory": 2.0}]
    }  # fmt: skip
    fat = {"node": 1, **tasks}
    # with the one on "n" the ends would be of one group, and the start would be the last of them
    found = planned(
        content, job(1, 2, 40.0, **fat), job(2, 2, 50.0), job(3, 2, 60.0, **fat), ends=(40.0, 50.0)
    )
    assert found == {"3": 40.0}


def test_nodes_with_too_little_room_end_a_run_of_nodes_for_a_one_node_job() -> None:
    # without the second node the first is as small a run as the last
    content = nodes(4, cores=3, version="22.05")
    machine = Nodes(site_of(content), float)
    room = Room([3, 1, 0, 3], None, top=3)
    asked = machine.request_of(job(1, 2, 60.0, node=1))
    placement = FitInRuns(machine.layout, old=True).place(asked.request, asked.choices[0], room)
    assert placement is not None
    assert placement.nodes == (0,)
    asked = machine.request_of(job(2, 2, 60.0, node=2))
    placement = FitInRuns(machine.layout, old=True).place(asked.request, asked.choices[0], room)
    assert placement is not None
    assert placement.nodes == (0, 1)


def test_the_last_node_is_the_fullest_although_tasks_per_node_are_limited() -> None:
    # two tasks on each of two nodes, with 2, 4 and 3 free processors
    levels = [0, 0, 0b001, 0b100, 0b010]
    assert in_runs(levels, [0b001, 0b110], 4, count=2, on_each=2) == [(1, 2), (4, 2)]


def test_slurms_clock_has_whole_seconds() -> None:
    content = nodes(1, bf_resolution=1)
    assert planned(content, job(1, 1, 60.0), job(2, 1, 60.0), ends=(60.9,)) == {"2": 60.0}


def test_the_main_scheduler_sees_at_the_next_second_that_a_job_has_ended() -> None:
    jobs = [Spec("first", 0, 2, 10, 5.4), Spec("second", 0, 2, 10, 5)]
    assert starts(*jobs) == {"first": 0, "second": 6}


def test_a_planned_job_keeps_whole_nodes() -> None:
    # the second is planned at 600 on a node of which it needs half; nobody is planned beside it
    content = nodes(1, 4, bf_resolution=1)
    waiting = [job(2, 2, 600.0), job(3, 2, 600.0)]
    found = planned(content, job(1, 4, 600.0), *waiting, ends=(600.0,))
    assert found == {"2": 600.0, "3": 1200.0}


def test_a_higher_tier_is_planned_first_and_leaves_gaps_to_others() -> None:
    content = nodes(2, bf_resolution=1) | {
        "partitions": [{"name": "low"}, {"name": "high", "priority_tier": 10}]
    }
    found = planned(
        content,
        job(1, 1, 600.0, partition="low"),
        job(2, 2, 600.0, partition="low"),
        job(3, 2, 600.0, partition="high"),
        job(4, 1, 60.0, partition="low"),
        ends=(600.0,),
    )
    assert found == {"3": 600.0, "2": 1200.0, "4": 0.0}


def test_a_job_of_two_partitions_starts_in_the_one_that_has_room() -> None:
    content = nodes(2) | {
        "partitions": [{"name": "first", "nodes": "n1"}, {"name": "second", "nodes": "n2"}]
    }
    found = planned(
        content,
        job(1, 1, 600.0, partition="first"),
        job(2, 1, 600.0, partition="first,second"),
        ends=(600.0,),
    )
    assert found == {"2": 0.0}


def test_the_main_scheduler_stops_at_the_first_job_that_cannot_start() -> None:
    # only backfill, at the next multiple of its interval, lets "short" pass
    jobs = [Spec("a", 0, 1, 600, 600), Spec("head", 1, 2, 600, 600), Spec("short", 2, 1, 60, 60)]
    assert starts(*jobs, bf_interval=30)["short"] == 30


def test_licences_are_planned_if_configured() -> None:
    content = nodes(4, bf_licenses=True, bf_resolution=1) | {
        "limits": [{"of": "licences", "licence": "a", "most": 1}]
    }
    found = planned(content, *(job(number, 1, 600.0, licences="a:1") for number in (1, 2, 3)))
    assert found == {"1": 0.0, "2": 600.0, "3": 1200.0}


def test_the_job_that_fills_the_table_is_the_last_with_a_planned_start() -> None:
    # whole nodes: 1 and the end of the first, then an end each for the second and the third
    content = nodes(1, bf_max_job_test=4, bf_node_space_size=5, bf_resolution=1)
    content["nodes"][0]["whole"] = True
    found = planned(content, *(job(number, 1, 60.0) for number in range(1, 6)))
    assert found == {"1": 0.0, "2": 60.0, "3": 120.0, "4": 180.0, "5": -1.0}


def test_no_more_starts_are_planned_than_jobs_are_tested() -> None:
    found = planned(nodes(1, bf_max_job_test=2), *(job(number, 1, 60.0) for number in (1, 2, 3)))
    assert found == {"1": 0.0, "2": 60.0, "3": -1.0}


def test_nothing_is_planned_from_the_end_of_the_window_on() -> None:
    content = nodes(1, bf_window=10)
    found = planned(content, *(job(number, 1, 300.0) for number in (1, 2, 3)))
    assert found == {"1": 0.0, "2": 300.0, "3": -1.0}


def test_equal_periods_are_joined() -> None:
    table, first = PlanTable(NodeSet(2, 0b11)), NodeSet(2, 0b1)
    table.reset(0.0, 100.0)
    table.add(10.0, 20.0, first, None)
    table.add(20.0, 30.0, first, None)
    assert [period.begin for period in table.periods] == [0.0, 10.0, 30.0]
    assert table.is_free(30.0, 40.0, first, None)
    assert not table.is_free(29.0, 40.0, first, None)


def test_an_invalid_option_is_reported() -> None:
    with pytest.raises(
        OptionError, match="backfilling 'slurm': expected a whole number of at least 1"
    ):
        BACKFILLINGS.make({"name": "slurm", "bf_interval": 0})


PARTITIONS = {
    **nodes(2, priority_weight_partition=1000.0, bf_interval=1),
    "partitions": [
        {"name": "low", "nodes": "n1", "priority_job_factor": 1, "max_walltime": 60},
        {"name": "middle", "nodes": "n1", "priority_job_factor": 5},
        {"name": "high", "nodes": "n2", "priority_job_factor": 10},
    ],
}


def asked(number: int, partition: str, limit: float = 60.0, **fields: object) -> Job:
    return Job(f"{number}", 0.0, 1, limit, fields={"partition": partition, **fields}, number=number)


def started(policy: Policy, now: float, *jobs: Job, ended: tuple[str, ...] = ()) -> list[str]:
    told = policy.decide(Request(now, [*ended], [*jobs], False, now))
    return [one.job_id for one in told if isinstance(one, Execute)]


def test_slurm_uses_the_sites_priority_of_each_named_partition() -> None:
    policy = make_policy("slurm", {"site": PARTITIONS, "call_margin": None})
    policy.begin(2)
    assert started(policy, 0.0, asked(1, "low"), asked(2, "high")) == ["2", "1"]
    # the third is first in `high`, and last in `low`, which has the node that becomes free
    assert started(policy, 1.0, asked(3, "low,high"), asked(4, "low"), asked(5, "middle")) == []
    assert started(policy, 60.0, ended=("1",)) == ["5"]
    assert started(policy, 61.0, ended=("5",)) == ["3"]


@pytest.mark.parametrize(
    ("parameters", "fields", "starts"),
    [
        ({"batch_sched_delay": 0}, {}, ["1"]),
        ({}, {}, ["2"]),
        ({"batch_sched_delay": 0, "defer": True}, {}, ["2"]),
        ({"batch_sched_delay": 0}, {"array": "9"}, ["2"]),
    ],
)
def test_without_a_delay_each_submission_of_a_second_has_a_pass(
    parameters: dict[str, Any], fields: dict[str, Any], starts: list[str]
) -> None:
    # both want n1; the second has the higher priority
    site = PARTITIONS | {"slurm": PARTITIONS["slurm"] | parameters}
    policy = make_policy("slurm", {"site": site, "call_margin": None})
    policy.begin(2)
    told = started(policy, 0.0, asked(1, "low", **fields), asked(2, "middle", **fields))
    assert told == starts


@pytest.mark.parametrize(("fields", "starts"), [({}, []), ({"time_limit": 60}, ["1"])])
def test_a_job_killed_after_its_limit_is_planned_with_its_limit(
    fields: dict[str, Any], starts: list[str]
) -> None:
    policy = make_policy("slurm", {"site": PARTITIONS, "call_margin": None})
    policy.begin(2)
    # of `low`, which takes jobs of 60 s
    assert started(policy, 0.0, asked(1, "low", 85.0, **fields)) == starts


def test_slurm_needs_no_site() -> None:
    found = play(make_policy("slurm", {"call_margin": None}), [Spec("a", 0, 2, 9, 9)], 2)
    assert found.starts == {"a": 0.0}


@pytest.mark.parametrize(("kill_wait", "start"), [(5, 1.0), (30, 26.0)])
def test_a_job_beyond_its_limit_is_planned_to_end_after_kill_wait(
    kill_wait: int, start: float
) -> None:
    content = nodes(1, version="22.05.8", kill_wait=kill_wait, bf_resolution=1)
    found = planned(content, job(1, 1, 60.0), job(2, 1, 60.0), ends=(-4.0,))
    assert found == {"2": start}


def test_a_node_with_room_but_a_task_limit_is_not_enough_alone() -> None:
    levels = [0, 0, 0, 0b01, 0b10]
    assert in_runs(levels, [0b11], 3, on_each=2) == [(1, 2), (2, 1)]


def test_a_job_planned_for_now_that_cannot_start_keeps_its_nodes() -> None:
    # job 1 has reached its limit in this second, and goes on: so it is seen of a real 22.05
    content = nodes(2, version="22.05.8", bf_resolution=1)
    found = planned(content, job(1, 1, 60.0), job(2, 2, 60.0), job(3, 1, 60.0), ends=(0.0,))
    assert found["3"] == 60.0
