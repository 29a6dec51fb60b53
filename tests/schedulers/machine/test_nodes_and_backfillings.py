"""Every backfilling on the machine of nodes; of one processor each, it is the counted one."""

from typing import Any

import pytest

from schedulers import make_policy
from schedulers.contract.playing import Played, Spec, play
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_of
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import each_case

BACKFILLINGS: list[dict[str, Any]] = [
    {"backfilling": "none"},
    {"backfilling": "filler"},
    {"backfilling": "easy"},
    {"backfilling": "easy", "candidates": "shortest"},
    {"backfilling": "easy", "reservations": 3},
    {"backfilling": "conservative"},
    {"backfilling": {"name": "openpbs", "backfill_depth": 2}},
    {"backfilling": "easy", "max_wait": 30, "order": "lxf"},
]
COUNTED = BACKFILLINGS[:4]


class OneCore(Nodes):
    def __init__(self) -> None:
        super().__init__(
            site_of({"nodes": [{"name": "n", "count": PROCESSORS, "cores": 1}]}), float
        )


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


def played(machine: type[Nodes] | str, specs: list[Spec], options: dict[str, Any]) -> Played:
    policy = make_policy("policy", {"machine": machine, "call_margin": 0, **options})
    return play(policy, specs, PROCESSORS)


@each_case("options", COUNTED)
def test_where_any_processors_do_it_is_the_counted_machine(options: dict[str, Any]) -> None:
    for specs in workloads(60):
        expected = played("counting", specs, options)
        found = played(OneCore, specs, options)
        assert found.starts == expected.starts
        assert found.processors == expected.processors


@each_case("options", BACKFILLINGS)
def test_all_jobs_run_on_different_processors(options: dict[str, Any]) -> None:
    # what is played checks that no processor is taken twice
    for specs in workloads(30):
        assert len(played(Mixed, specs, options).ends) == len(specs)


@pytest.mark.parametrize("options", [{"backfilling": "easy"}, {"backfilling": "conservative"}])
def test_what_is_promised_is_kept(options: dict[str, Any]) -> None:
    promised = 0
    for specs in workloads(100):
        policy = make_policy("policy", {"machine": Mixed, "call_margin": 0, **options})
        starts = play(policy, specs, PROCESSORS).starts
        first = {row[0]: float(row[5]) for row in policy.journal.rows() if row[5]}
        assert all(starts[name] <= date for name, date in first.items()), specs
        promised += len(first)
    assert promised > 100
