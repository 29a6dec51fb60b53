"""The machine of nodes: the room for jobs with different requests."""

from typing import Any

import pytest

from schedulers.core.job import Job
from schedulers.core.machine import Reservation
from schedulers.errors import SchedulerError
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_of
from tests.suites import each_case

THIN = {"name": "thin", "count": 3, "cores": 4}
FAT = {"name": "fat", "count": 1, "cores": 8, "weight": 5, "features": ["big", "new"]}


def machine(*nodes: dict[str, Any], **more: Any) -> Nodes:  # noqa: ANN401 - as its file has it
    site = site_of({"nodes": list(nodes) or [THIN], **more})
    made = Nodes(site, float)
    made.begin(site.size or 0)
    return made


def job(number: int, processors: int, walltime: float | None = 60.0, **fields: Any) -> Job:  # noqa: ANN401 - of a workload
    partitions = tuple(fields.pop("partitions", "").split())
    return Job(
        f"w0!{number}", 0.0, processors, walltime, fields=fields, number=number,
        partitions=partitions,
    )  # fmt: skip


def planned(one: Job, end: float) -> Job:
    one.planned_end = end
    return one


def beside(nodes: Nodes, one: Job, reservation: Reservation, end: float) -> str | None:
    return one.started_as if nodes.take_beside(one, reservation, end) else None


def given(nodes: Nodes, one: Job) -> tuple[tuple[int, int], ...] | None:
    return nodes.allocate(one) if nodes.take(one) else None


def test_processors_are_numbered_in_the_order_of_classes() -> None:
    nodes = machine(THIN, FAT)
    assert given(nodes, job(1, 4)) == ((0, 3),)
    assert given(nodes, job(2, 8, features="big")) == ((12, 19),)


def test_a_platform_of_another_size_is_refused() -> None:
    with pytest.raises(SchedulerError, match="have 12 processors; the platform has 16"):
        Nodes(site_of({"nodes": [THIN]}), float).begin(16)


def test_requests_of_only_processors_get_the_fewest_and_fullest_nodes() -> None:
    nodes = machine()
    assert given(nodes, job(1, 3)) == ((0, 2),)
    assert given(nodes, job(2, 5)) == ((3, 7),)
    assert given(nodes, job(3, 4)) == ((8, 11),)


def test_nodes_with_a_lower_weight_come_first() -> None:
    nodes = machine({**THIN, "weight": 7}, FAT)
    assert given(nodes, job(1, 1)) == ((12, 12),)
    assert given(nodes, job(2, 9)) == ((0, 1), (13, 19))


def test_gpus_per_node_are_on_each_node_of_the_job() -> None:
    nodes = machine({**THIN, "gpus": {"a": 1}, "count": 1}, {**THIN, "name": "other", "count": 1})
    assert nodes.refusal(job(1, 4, gpus_per_node=1)) is None
    assert nodes.refusal(job(2, 8, gpu=1)) is None
    assert nodes.refusal(job(3, 8, gpus_per_node=1)) == (
        "asks for 8 processors, 1 GPUs a node; the machine has only 1 suitable nodes"
    )


def test_tasks_per_node_need_their_processors_on_each_node() -> None:
    nodes = machine()
    assert given(nodes, job(1, 2)) == ((0, 1),)
    assert given(nodes, job(2, 6, node=2, tasks_per_node=3)) == ((4, 6), (8, 10))
    assert not nodes.take(job(3, 4, node=2, tasks_per_node=2))
    assert given(nodes, job(4, 2, node=2, tasks_per_node=1)) == ((7, 7), (11, 11))


def test_an_exclusive_node_is_not_shared() -> None:
    nodes = machine()
    assert given(nodes, job(1, 1, exclusive=True)) == ((0, 0),)
    assert nodes.free == 8
    assert nodes.take(job(2, 1))
    assert not nodes.take(job(3, 5, exclusive=True))
    assert nodes.take(job(4, 2, exclusive=True))


def test_exclusive_classes_and_partitions_give_whole_nodes() -> None:
    nodes = machine({**THIN, "whole": True})
    assert nodes.take(job(1, 5))
    assert nodes.free == 4
    nodes = machine(THIN, partitions=[{"name": "own", "whole": True}, {"name": "any"}])
    assert nodes.take(job(1, 1, partitions="any"))
    assert nodes.take(job(2, 6, partitions="own"))
    assert nodes.free == 3
    assert not nodes.take(job(3, 2, partitions="own"))


def test_a_core_with_several_processors_is_not_shared() -> None:
    nodes = machine({"name": "ht", "count": 2, "cores": 3, "threads": 2}, processors=12)
    assert given(nodes, job(1, 3)) == ((0, 2),)
    assert nodes.free == 8
    assert given(nodes, job(2, 1)) == ((4, 4),)
    assert given(nodes, job(3, 1, node=1)) == ((6, 6),)
    assert nodes.free == 4
    assert not nodes.take(job(4, 5))
    nodes.give_back(job(1, 3))
    assert given(nodes, job(4, 7)) == ((0, 3), (8, 10))
    assert nodes.free == 0


def test_a_smaller_capacity_removes_whole_cores() -> None:
    ht = {"name": "ht", "count": 1, "cores": 3, "threads": 2}
    nodes = machine(ht, processors=6, capacity=[{"begin": 10.0, "processors": 3}])
    nodes.look(10.0)
    assert nodes.free == 2
    assert nodes.take(job(1, 1))
    assert nodes.free == 0


def test_memory_can_be_requested_per_node_or_per_processor() -> None:
    nodes = machine({**THIN, "memory": 8.0})
    assert given(nodes, job(1, 2, mem=6.0)) == ((0, 1),)
    assert given(nodes, job(2, 2, mem=6.0)) == ((4, 5),)
    assert given(nodes, job(3, 2, memory_per_node=3.0)) == ((8, 9),)
    # 2 GiB are left on each of the first two nodes, which do not make 3 on one
    assert not nodes.take(job(4, 1, memory_per_node=6.0))
    assert given(nodes, job(5, 3, mem=6.0)) == ((2, 2), (10, 11))
    assert nodes.take(job(6, 1))


def test_a_node_without_room_for_a_task_gets_none() -> None:
    nodes = machine()
    assert nodes.refusal(job(1, 6, tasks=1)) == (
        "asks for 6 processors, 6 a task; the machine has none"
    )
    assert given(nodes, job(2, 6, tasks=2)) == ((0, 2), (4, 6))


def test_gpus_can_be_requested_per_node_or_per_job() -> None:
    nodes = machine(THIN, {"name": "gpu", "count": 2, "cores": 4, "gpus": {"a": 2, "b": 1}})
    assert given(nodes, job(1, 2, gpu=2, node=1, gpu_type="a")) == ((12, 13),)
    assert not nodes.take(job(2, 4, gpu=4, node=2, gpu_type="a"))
    assert given(nodes, job(3, 4, gpu=4)) == ((14, 14), (16, 18))
    assert nodes.take(job(4, 1))
    assert not nodes.take(job(5, 1, gpu=1))


def test_features_can_be_combined_with_and_or_or() -> None:
    nodes = machine(THIN, FAT, {**FAT, "name": "old", "features": ["big"]})
    assert given(nodes, job(1, 1, features="big&new")) == ((12, 12),)
    assert given(nodes, job(2, 8, features="small|big")) == ((20, 27),)
    assert not nodes.take(job(3, 8, features="new"))


NONE = "partition 'long' has none, partition 'short' has none"
PARTITIONS = [
    {"name": "short", "nodes": ["thin1"]},
    {"name": "long", "nodes": ["thin[2-3]"], "default": True},
]


def test_partitions_are_tried_in_their_order() -> None:
    nodes = machine(partitions=PARTITIONS)
    assert given(nodes, job(1, 3, partitions="short long")) == ((0, 2),)
    assert given(nodes, job(2, 3, partitions="short long")) == ((4, 6),)
    assert (
        nodes.reserve(job(3, 4, partitions="long short"), [planned(job(1, 3), 5.0)], 0.0).date
        == 0.0
    )


@each_case(
    ("size", "fields", "told"),
    [
        (13, {}, "asks for 13 processors; the machine has 12"),
        (5, {"partitions": "short"}, "asks for 5 processors; partition 'short' has 4"),
        (
            6,
            {"node": 2, "partitions": "short"},
            "asks for 2 nodes of 3 processors; partition 'short' has 1",
        ),
        (
            10,
            {"node": 2, "partitions": "long short"},
            f"asks for 2 nodes of 5 processors; {NONE}",
        ),
        (1, {"features": "x"}, "asks for 1 processors; the machine with 'x' has no such node"),
        (1, {"gpu": 1}, "asks for 1 processors, 1 GPUs; the machine has none"),
        (2, {"node": 3}, "asks for 3 nodes but only 2 processors"),
        (1, {"reservation": "x"}, "asks for reservation 'x', which the site does not have"),
    ],
)  # fmt: skip
def test_a_job_that_can_never_run_is_refused_with_a_reason(
    size: int, fields: dict[str, Any], told: str
) -> None:
    site = {} if size == 13 else {"partitions": PARTITIONS}
    assert machine(**site).refusal(job(1, size, **fields)) == told


def test_no_job_starts_in_an_outage_and_running_jobs_continue() -> None:
    nodes = machine(outages=[{"nodes": ["thin1", "thin2"], "begin": 10.0, "end": 20.0}])
    assert nodes.take(job(1, 2))
    assert nodes.next_change(0.0) == 10.0
    nodes.look(10.0)
    assert nodes.free == 4
    nodes.give_back(job(1, 2))
    assert given(nodes, job(2, 3)) == ((8, 10),)
    assert not nodes.take(job(3, 2))
    nodes.look(20.0)
    assert nodes.free == 9
    assert nodes.next_change(20.0) == float("inf")


def test_a_smaller_capacity_removes_the_nodes_with_the_highest_numbers() -> None:
    steps = [{"begin": 10.0, "processors": 6}, {"begin": 20.0, "processors": 12}]
    nodes = machine(capacity=steps)
    assert nodes.take(job(1, 10))
    nodes.look(10.0)
    assert nodes.free == 0
    nodes.give_back(job(1, 10))
    assert nodes.free == 6
    assert given(nodes, job(2, 1, exclusive=True)) == ((0, 0),)
    assert nodes.free == 2
    assert given(nodes, job(3, 2)) == ((4, 5),)
    assert not nodes.take(job(4, 1))
    nodes.look(20.0)
    assert given(nodes, job(5, 6)) == ((6, 11),)


MAINTENANCE = {"name": "repair", "nodes": ["thin1"], "begin": 100.0, "end": 200.0}


def test_no_job_runs_into_a_site_reservation() -> None:
    nodes = machine(reservations=[MAINTENANCE])
    nodes.look(50.0)
    assert given(nodes, job(1, 1, 50.0)) == ((0, 0),)
    assert given(nodes, job(2, 1, 51.0)) == ((4, 4),)
    assert given(nodes, job(3, 1, None)) == ((5, 5),)
    assert not nodes.take(job(4, 9, 51.0))


def test_only_allowed_jobs_that_name_a_reservation_use_it() -> None:
    nodes = machine(reservations=[{**MAINTENANCE, "users": ["ann"], "accounts": ["lab"]}])
    hers = job(1, 1, user_id="ann", reservation="repair")
    assert nodes.refusal(job(2, 1, user_id="bob", reservation="repair")) == (
        "asks for reservation 'repair', which is for other users"
    )
    assert nodes.refusal(job(3, 1, project="lab", reservation="repair")) is None
    assert not nodes.take(hers)
    assert nodes.reserve(hers, [], 0.0).date == 100.0
    nodes.look(100.0)
    assert given(nodes, hers) == ((0, 0),)
    assert given(nodes, job(4, 1, user_id="ann")) == ((4, 4),)


def test_a_job_excluded_by_a_site_reservation_is_planned_after_it() -> None:
    nodes = machine(reservations=[MAINTENANCE])
    nodes.look(50.0)
    head = job(1, 12, 60.0)
    reservation = nodes.reserve(head, [], 50.0)
    assert reservation.date == 200.0
    assert beside(nodes, job(2, 4, 40.0), reservation, 90.0) == "backfilled"
    availability = nodes.availability(50.0)
    availability.hold(job(2, 4), 90.0)
    assert availability.place(head, 60.0) == 200.0


def test_other_jobs_can_use_what_a_reservation_on_nodes_leaves() -> None:
    nodes = machine()
    running = job(1, 4)
    nodes.take(running)
    reservation = nodes.reserve(job(2, 9, node=3), [planned(running, 100.0)], 0.0)
    assert (reservation.date, reservation.extra) == (100.0, 2)
    assert beside(nodes, job(3, 3), reservation, 101.0) is None
    assert beside(nodes, job(4, 1), reservation, 101.0) == "queue"
    assert beside(nodes, job(5, 3), reservation, 100.0) == "backfilled"
    assert beside(nodes, job(6, 1), reservation, 101.0) == "queue"
    assert beside(nodes, job(7, 1), reservation, 101.0) is None


def test_a_request_of_only_processors_reserves_no_particular_node() -> None:
    nodes = machine()
    running = job(1, 6)
    nodes.take(running)
    reservation = nodes.reserve(job(2, 8), [planned(running, 100.0)], 0.0)
    assert (reservation.date, reservation.extra) == (100.0, 4)
    assert beside(nodes, job(3, 4), reservation, 101.0) == "queue"
    assert beside(nodes, job(4, 1), reservation, 101.0) is None


def test_a_place_can_begin_at_an_outage_without_a_known_end() -> None:
    nodes = machine(outages=[{"nodes": ["thin1"], "begin": 10.0, "end": 20.0}])
    availability = nodes.availability(0.0)
    nodes.look(10.0)
    availability.advance(10.0)
    assert availability.place(job(1, 8), 5.0) == 10.0
    assert availability.place(job(2, 12), 5.0) == float("inf")
    nodes.look(20.0)
    availability.advance(20.0)
    assert availability.place(job(3, 12), 5.0) == 20.0
