"""Planned starts on the machine of nodes are kept."""

from typing import Any

from schedulers import make_policy
from schedulers.contract.playing import play
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_of
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import each_case


class Mixed(Nodes):
    """Two nodes of 1 and one of 2, in partitions that overlap."""

    def __init__(self) -> None:
        content = {
            "nodes": [
                {"name": "a", "count": 2, "cores": 1, "weight": 1},
                {"name": "b", "count": 1, "cores": 2, "memory": 4.0},
            ],
            "partitions": [{"name": "all", "default": True}, {"name": "own", "nodes": ["a2", "b"]}],
        }
        super().__init__(site_of(content), float)


@each_case("options", [{"backfilling": "easy"}, {"backfilling": "conservative"}])
def test_planned_starts_are_kept(options: dict[str, Any]) -> None:
    promised = 0
    for specs in workloads(100):
        policy = make_policy("policy", {"machine": Mixed, "call_margin": 0, **options})
        starts = play(policy, specs, PROCESSORS).starts
        first = {row[0]: float(row[5]) for row in policy.journal.rows() if row[5]}
        assert all(starts[name] <= date for name, date in first.items()), specs
        promised += len(first)
    assert promised > 100
