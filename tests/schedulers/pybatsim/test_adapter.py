"""The schedulers as pybatsim classes: how pybatsim finds them, and its errors."""

from importlib.metadata import entry_points

import pytest

from schedulers import COMBINATIONS
from schedulers.pybatsim.adapter import PolicyScheduler
from schedulers.pybatsim.components import PolicyComponent
from tests.pred_aware.command import python
from tests.suites import each_case

OWN = {"backfill-easy", "fcfs-sleeper", "filler", "filler-events", "random"}


@each_case(
    ("group", "kind", "own"),
    [
        ("pybatsim.schedulers", PolicyScheduler, OWN),
        ("pybatsim.external_decision_components", PolicyComponent, {"fcfs", "prototype"}),
    ],
)
def test_pybatsim_finds_every_scheduler_except_its_own_name(
    group: str, kind: type, own: set[str]
) -> None:
    points = entry_points(group=group)
    ours = {p.name: p.load() for p in points if p.value.startswith("schedulers.")}
    assert ours.keys() == COMBINATIONS.keys() - own
    assert all(issubclass(c, kind) and c.name == name for name, c in ours.items())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ('{"order": "sfj"}', "unknown order 'sfj': did you mean 'sjf'"),
        (
            '{"predictor": {"name": "last_two", "default": -1}}',
            "'default' must be a number of seconds, at least 1, not -1",
        ),
        ('{"odrer": "sjf"}', "no option 'odrer': did you mean 'order'"),
    ],
)
def test_a_bad_option_ends_pybatsim_with_a_one_line_error(options: str, message: str) -> None:
    main = ("-c", "from pybatsim.cmdline import main; main()", "-s", "tcp://127.0.0.1:*")
    done = python(*main, "policy", "-o", options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("pybatsim: error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_the_module_that_pybatsim_loads_imports_no_heavy_library() -> None:
    heavy = {"pandas", "sklearn", "numpy", "matplotlib", "zmq", "pred_aware", "workload_tools.log"}
    code = "import sys, schedulers.pybatsim.adapter; print(*sys.modules)"
    assert heavy & set(python("-c", code).out.split()) == set()
