"""How a machine is chosen, and that its jobs get their processors in a simulation."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pred_aware import Platform, Workload, read_run, simulate
from schedulers import make_policy
from schedulers.errors import OptionError, SchedulerError, UnknownNameError
from schedulers.machine.counting import Counting
from schedulers.machine.lowest_free import LowestFree
from schedulers.specification import specify
from tests.pred_aware.simulator.world import job, write_inputs
from tests.schedulers.machine import halves
from tests.schedulers.machine.halves import Halves
from tests.schedulers.model import Spec, play

SPECS = [Spec("w0!1", 0, 3, 50, 60), Spec("w0!2", 1, 3, 20, 30), Spec("w0!3", 2, 2, 20, 30)]
JOBS = [job(1, 0, 3, 50, 60), job(2, 1, 3, 20, 30), job(3, 2, 2, 20, 30), job(4, 3, 5, 1, 9)]
ON_HALVES = {"w0!1": {0, 1, 2}, "w0!2": {4, 5, 6}, "w0!3": {4, 5}}
"""The third has no room beside either of the others, though two processors are free."""


@pytest.mark.parametrize("machine", [Halves, Halves(), {"name": Halves}])
@pytest.mark.parametrize("scheduler", ["easy", "filler", "conservative", "fcfs"])
def test_a_machine_is_given_by_class_or_object(scheduler: str, machine: Any) -> None:  # noqa: ANN401
    played = play(make_policy(scheduler, {"machine": machine}), SPECS, 8)
    assert played.processors == ON_HALVES
    assert played.starts == {"w0!1": 0, "w0!2": 1, "w0!3": 21}


@pytest.mark.parametrize(
    "options",
    [
        {"allocation": "best_fit"},
        {"machine": "counting", "allocation": "best_fit"},
        {"machine": {"name": "counting", "allocation": "best_fit"}},
        {"machine": Counting("best_fit")},
    ],
    ids=["alone", "beside", "inside", "object"],
)
def test_a_counted_machine_has_an_allocation_rule(options: dict[str, Any]) -> None:
    specs = [Spec("a", 0, 2, 5), Spec("b", 0, 3, 50), Spec("c", 6, 3, 5)]
    assert play(make_policy("easy", options), specs, 8).processors["c"] == {5, 6, 7}
    assert specify("easy", options).options["allocation"] == {"name": "best_fit"}


def test_another_machine_is_told_in_the_place_of_an_allocation_rule() -> None:
    told = specify("easy", {"machine": Halves}).options
    assert told["machine"] == {"name": f"{halves.__name__}:Halves"}
    assert "allocation" not in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"machine": "halves"}, "unknown machine 'halves': known: counting"),
        ({"machine": Halves, "allocation": "lowest"}, "Halves' has no option 'allocation'"),
        ({"machine": LowestFree(3)}, "machine '.*LowestFree' has no `begin`; a machine needs"),
        ({"allocation": "bestfit"}, "^unknown allocation 'bestfit': did you mean 'best_fit'"),
    ],
)
def test_what_is_no_machine_is_one_clear_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises((OptionError, UnknownNameError), match=message):
        make_policy("easy", options)


class Shaky(Halves):
    def availability(self, now: float) -> Any:  # noqa: ANN401
        return ShakyOverTime()


class ShakyOverTime:
    def advance(self, now: float) -> None:
        raise LookupError("no calendar")


def test_a_machine_that_fails_while_it_is_planned_with_is_named() -> None:
    with pytest.raises(SchedulerError, match="ShakyOverTime' failed: LookupError: no calendar"):
        play(make_policy("conservative", {"machine": Shaky}), SPECS, 8)


@pytest.mark.parametrize("delays", ["none", "batsim"])
def test_jobs_get_the_processors_of_the_machine_in_a_simulation(delays: Any) -> None:  # noqa: ANN401
    names = {entry["profile"]: float(entry["profile"][1:]) for entry in JOBS}
    profiles = {name: {"type": "delay", "delay": delay} for name, delay in names.items()}
    workload = Workload.of({"nb_res": 8, "jobs": JOBS, "profiles": profiles})
    run = simulate(workload, "easy", platform=Platform.of(8), machine=Halves, delays=delays)
    assert run.jobs["allocated_resources"].to_dict() == {"1": "0-2", "2": "4-6", "3": "4-5"}
    assert run.rejections == {"asks for 5 processors; the machine has 4": 1}


@pytest.mark.parametrize("transport", ["process", "zmq"])
def test_the_command_finds_a_machine_by_its_module(tmp_path: Path, transport: str) -> None:
    shutil.copy(halves.__file__, tmp_path / "site_machine.py")
    write_inputs(tmp_path, JOBS, processors=8)
    done = subprocess.run(  # noqa: S603 - our own command
        [
            sys.executable, "-m", "pred_aware", "run", "-p", "platform.xml", "-w", "workload.json",
            "-s", "easy", "--machine", "site_machine:Halves", "-e", "out", "-q",
            "--transport", transport,
        ],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    jobs = read_run(tmp_path / "out").jobs
    assert jobs["allocated_resources"].to_dict() == {"1": "0-2", "2": "4-6", "3": "4-5"}
