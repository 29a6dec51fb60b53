import math
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workload_tools.jobs import SyntheticLog
from workload_tools.changes.inferred_nodes import CEILING, Inferred, NodesAndTasks, learn_from
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.pbs import PbsLog
from workload_tools.swf.log import SwfLog


def job(number: int, **fields: object) -> Job:
    return Job(**{"id": str(number), "submit_time": 0.0, "run_time": 60.0, **fields})  # type: ignore[arg-type] # made fields


def node_for_48(processors: int, number: int) -> Job:
    nodes = math.ceil(processors / 48)
    return job(number, processors=processors, nodes=nodes, tasks=processors // 2)


TRAINING = [node_for_48(processors, n) for n, processors in enumerate([2, 48, 96, 480] * 20)]


@lru_cache
def model() -> NodesAndTasks:
    return NodesAndTasks(learn_from(SyntheticLog(TRAINING), path="made"))


def test_nodes_and_tasks_come_from_similar_jobs_and_are_marked() -> None:
    log = Inferred(SyntheticLog([job(1, processors=96), job(2, processors=480)]), model())
    found = [(it.nodes, it.tasks, it.inferred) for it in log.jobs()]
    assert found == [(2, 48, ("nodes", "tasks")), (10, 240, ("nodes", "tasks"))]
    assert log.report.marked == {"nodes inferred": 2, "tasks inferred": 2}


def test_numbers_for_smaller_nodes_are_rounded_up_as_in_paper_000() -> None:
    # Its example: 96 processors on nodes of 36 need 3, where the tree of nodes of 48 says 2.
    log = Inferred(SyntheticLog([job(1, processors=96)]), model(), node_processors=36)
    assert [it.nodes for it in log.jobs()] == [3]
    assert log.report.marked[CEILING] == 1


def test_recorded_values_are_kept() -> None:
    known = job(1, processors=96, nodes=7, tasks=9)
    half = job(2, processors=96, nodes=7)
    first, second = Inferred(SyntheticLog([known, half]), model(), node_processors=36).jobs()
    assert first == known
    assert (second.nodes, second.tasks, second.inferred) == (7, 48, ("tasks",))


def test_a_job_without_a_field_uses_a_tree_without_the_field() -> None:
    rows = [
        job(n, processors=8, memory=float(amount), nodes=amount)
        for n, amount in enumerate([1, 4] * 20)
    ]
    known = NodesAndTasks(learn_from(SyntheticLog(rows), path="made"))
    log = Inferred(SyntheticLog([job(1, processors=8, memory=4.0), job(2, processors=8)]), known)
    # without its memory, the mean of both: 2.5, rounded up
    assert [it.nodes for it in log.jobs()] == [4, 3]


def test_the_run_time_is_used_only_on_request() -> None:
    rows = [
        job(n, processors=8, run_time=float(hours), nodes=hours)
        for n, hours in enumerate([1, 4] * 20)
    ]
    asked = [job(1, processors=8, run_time=1.0), job(2, processors=8, run_time=4.0)]
    for with_run_time, expected in ((False, [3, 3]), (True, [1, 4])):
        trained = learn_from(SyntheticLog(rows), path="made", with_run_time=with_run_time)
        log = Inferred(SyntheticLog(asked), NodesAndTasks(trained))
        assert [it.nodes for it in log.jobs()] == expected


@settings(deadline=None, max_examples=10)
@given(
    st.lists(st.integers(1, 5000), min_size=1, max_size=20),
    st.none() | st.integers(1, 64),
    st.none() | st.integers(1, 100),
)
def test_inferred_numbers_are_possible(
    sizes: list[int], node_processors: int | None, nodes: int | None
) -> None:
    made = SyntheticLog([job(n, processors=size) for n, size in enumerate(sizes)], nodes=nodes)
    for it in Inferred(made, model(), node_processors=node_processors).jobs():
        assert it.nodes is not None
        assert it.tasks is not None
        assert 1 <= it.nodes <= it.tasks <= it.processors
        if node_processors is not None:
            assert it.nodes * node_processors >= it.processors


def test_a_log_without_nodes_and_tasks_cannot_be_learned_from() -> None:
    with pytest.raises(LogError, match="made: fewer than 10 of its jobs state their nodes"):
        learn_from(SyntheticLog([job(1, processors=4)]), path="made")


def test_accuracy_is_measured_on_jobs_not_learned_from() -> None:
    rows = [node_for_48(96, n) for n in range(80)] + [node_for_48(2, n) for n in range(80, 100)]
    accuracy = NodesAndTasks(learn_from(SyntheticLog(rows), path="made")).accuracy("nodes")
    assert accuracy == (20, 0.0, 1.0, 2, 0.0)


@pytest.mark.slow
def test_nodes_of_kth_can_be_inferred_from_mason(shared: Path) -> None:
    trained = NodesAndTasks(learn_from(PbsLog(shared / "pbs"), path="mason"))
    accuracy = trained.accuracy("nodes")
    assert accuracy.exact > accuracy.usual_exact > 0.98
    kth = SwfLog(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz")
    jobs = list(Inferred(kth, trained, node_processors=1).jobs())
    assert all(it.nodes == it.tasks == it.processors for it in jobs)


def test_nodes_can_be_inferred_from_wagap(shared: Path) -> None:
    path = shared / "traces" / "wagap-2013.swf.gz"
    trained = NodesAndTasks(learn_from(open_log(path), path=path))
    assert trained.accuracy("nodes").exact == pytest.approx(0.979, abs=0.001)
