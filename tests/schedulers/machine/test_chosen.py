"""How a machine is chosen, and that its jobs get their processors in a simulation."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pred_aware import Platform, read_run, simulate
from pred_aware.runs.provenance import scheduler_provenance
from schedulers import make_policy
from schedulers.contract.playing import Spec, play
from schedulers.core.counting import Counting
from schedulers.core.lowest_free import LowestFree
from schedulers.errors import OptionError, SchedulerError, UnknownNameError
from schedulers.machine.block_file import blocks_of
from schedulers.specification import specify
from tests.pred_aware.command import Command
from tests.pred_aware.simulator.world import job, workload_of, write_inputs
from tests.schedulers.machine import halves
from tests.schedulers.machine.halves import Halves
from tests.suites import each_case

SPECS = [Spec("w0!1", 0, 3, 50, 60), Spec("w0!2", 1, 3, 20, 30), Spec("w0!3", 2, 2, 20, 30)]
JOBS = [job(1, 0, 3, 50, 60), job(2, 1, 3, 20, 30), job(3, 2, 2, 20, 30), job(4, 3, 5, 1, 9)]
ON_HALVES = {"w0!1": {0, 1, 2}, "w0!2": {4, 5, 6}, "w0!3": {4, 5}}
"""The third has no room beside either of the others, though two processors are free."""


@each_case("machine", [Halves, Halves(), {"name": Halves}])
@each_case("scheduler", ["easy", "filler", "conservative", "fcfs"])
def test_a_machine_is_given_by_class_or_object(scheduler: str, machine: Any) -> None:  # noqa: ANN401
    played = play(make_policy(scheduler, {"machine": machine}), SPECS, 8)
    assert played.processors == ON_HALVES
    assert played.starts == {"w0!1": 0, "w0!2": 1, "w0!3": 21}


@each_case(
    "options",
    [
        {"allocation": "best_fit"},
        {"machine": "counting", "allocation": "best_fit"},
        {"machine": {"name": "counting", "allocation": "best_fit"}},
        {"machine": Counting("best_fit")},
    ],
)
def test_a_counted_machine_has_an_allocation_rule(options: dict[str, Any]) -> None:
    specs = [Spec("a", 0, 2, 5), Spec("b", 0, 3, 50), Spec("c", 6, 3, 5)]
    assert play(make_policy("easy", options), specs, 8).processors["c"] == {5, 6, 7}
    assert specify("easy", options).options["allocation"] == {"name": "best_fit"}


def test_another_machine_is_recorded_instead_of_an_allocation_rule() -> None:
    told = specify("easy", {"machine": Halves}).options
    assert told["machine"] == {"name": f"{halves.__name__}:Halves"}
    assert "allocation" not in told


@each_case(
    ("options", "message"),
    [
        ({"machine": "halves"}, "unknown machine 'halves': known: blocks, counting"),
        ({"machine": Halves, "allocation": "lowest"}, "Halves' has no option 'allocation'"),
        ({"machine": LowestFree(3)}, "machine '.*LowestFree' has no `begin`; it needs"),
        ({"allocation": "bestfit"}, "^unknown allocation 'bestfit': did you mean 'best_fit'"),
    ],
)
def test_an_invalid_machine_gives_one_clear_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises((OptionError, UnknownNameError), match=message):
        make_policy("easy", options)


class Shaky(Halves):
    def availability(self, now: float) -> Any:  # noqa: ANN401
        return ShakyOverTime()


class ShakyOverTime:
    def advance(self, now: float) -> None:
        raise LookupError("no calendar")


def test_a_machine_that_fails_during_planning_is_named() -> None:
    with pytest.raises(SchedulerError, match="ShakyOverTime' failed: LookupError: no calendar"):
        play(make_policy("conservative", {"machine": Shaky}), SPECS, 8)


@pytest.mark.parametrize("delays", ["none", "batsim"])
def test_jobs_get_the_processors_of_the_machine_in_a_simulation(delays: Any) -> None:  # noqa: ANN401
    run = simulate(
        workload_of(JOBS, 8), "easy", platform=Platform.of(8), machine=Halves, delays=delays
    )
    assert run.jobs["allocated_resources"].to_dict() == {"1": "0-2", "2": "4-6", "3": "4-5"}
    assert run.rejections == {"asks for 5 processors; the machine has 4": 1}


BLOCKS = {
    "kind": "blocks", "processors": 8,
    "blocks": [
        {"name": "lower", "processors": "0-3"},
        {"name": "upper", "processors": "4-7"},
        {"name": "both", "processors": "0-7"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("transport", ["process", "zmq"])
@pytest.mark.parametrize(
    ("machine", "given"),
    [
        ("site_machine:Halves", {"1": "0-2", "2": "4-6", "3": "4-5"}),
        # the fourth gets both halves there, when both are free
        ("machine.json", {"1": "0-2", "2": "4-6", "3": "4-5", "4": "0-4"}),
    ],
)
def test_the_command_finds_a_machine_by_its_module_or_file(
    own_modules: Path, command: Command, transport: str, machine: str, given: dict[str, str]
) -> None:
    shutil.copy(halves.__file__, "site_machine.py")
    Path("machine.json").write_text(json.dumps(BLOCKS))
    write_inputs(own_modules, JOBS, processors=8)
    ended = command(
        "run", "-p", "platform.xml", "-w", "workload.json", "-s", "easy", "--machine", machine,
        "-e", "out", "-q", "--transport", transport,
    )  # fmt: skip
    assert ended == (0, "", "")
    jobs = read_run(own_modules / "out").jobs
    assert jobs["allocated_resources"].dropna().to_dict() == given


def test_a_run_records_the_content_of_the_machines_file(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    file.write_text(json.dumps(BLOCKS))
    made = scheduler_provenance("easy", {"machine": str(file)})
    assert made["machine_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert "machine_sha256" not in scheduler_provenance("easy", {"machine": blocks_of(BLOCKS)})
