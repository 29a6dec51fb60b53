"""The machine of nodes: who has room where, by what is asked for."""

from typing import Any

import pytest

from schedulers.errors import SchedulerError
from schedulers.job import Job
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_of

THIN = {"name": "thin", "count": 3, "cores": 4}
FAT = {"name": "fat", "count": 1, "cores": 8, "weight": 5, "features": ["big", "new"]}


def machine(*nodes: dict[str, Any], **site: Any) -> Nodes:  # noqa: ANN401 - as its file has it
    made = Nodes(site_of({"nodes": list(nodes) or [THIN], **site}), float)
    made.begin(sum(one["count"] * one["cores"] for one in nodes or [THIN]))
    return made


def job(number: int, processors: int, walltime: float | None = 60.0, **fields: Any) -> Job:  # noqa: ANN401 - of a workload
    return Job(f"w0!{number}", 0.0, processors, walltime, fields=fields, number=number)


def given(nodes: Nodes, one: Job) -> tuple[tuple[int, int], ...] | None:
    return nodes.allocate(one) if nodes.take(one) else None


def test_processors_are_in_the_order_of_the_classes() -> None:
    nodes = machine(THIN, FAT)
    assert given(nodes, job(1, 4)) == ((0, 3),)
    assert given(nodes, job(2, 8, features="big")) == ((12, 19),)


def test_a_platform_of_another_size_is_refused() -> None:
    with pytest.raises(SchedulerError, match="have 12 processors; the platform has 16"):
        Nodes(site_of({"nodes": [THIN]}), float).begin(16)


def test_processors_alone_get_the_fewest_nodes_and_leave_the_least_over() -> None:
    nodes = machine()
    assert given(nodes, job(1, 3)) == ((0, 2),)
    assert given(nodes, job(2, 5)) == ((3, 7),)
    assert given(nodes, job(3, 4)) == ((8, 11),)


def test_a_lower_weight_comes_first() -> None:
    nodes = machine({**THIN, "weight": 7}, FAT)
    assert given(nodes, job(1, 1)) == ((12, 12),)
    assert given(nodes, job(2, 9)) == ((0, 1), (13, 19))


def test_nodes_and_tasks_a_node_need_so_many_on_each() -> None:
    nodes = machine()
    assert given(nodes, job(1, 2)) == ((0, 1),)
    assert given(nodes, job(2, 6, node=2, tasks_per_node=3)) == ((4, 6), (8, 10))
    assert not nodes.take(job(3, 4, node=2, tasks_per_node=2))
    assert given(nodes, job(4, 2, node=2, tasks_per_node=1)) == ((7, 7), (11, 11))


def test_a_whole_node_is_nobody_elses() -> None:
    nodes = machine()
    assert given(nodes, job(1, 1, exclusive=True)) == ((0, 0),)
    assert nodes.free == 8
    assert nodes.take(job(2, 1))
    assert not nodes.take(job(3, 5, exclusive=True))
    assert nodes.take(job(4, 2, exclusive=True))
