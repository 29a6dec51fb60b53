"""pybatsim 4.0.0b0 against the simulator as Batsim 5: an independent client of the protocol.

It needs an environment of its own: Python 3.12 or later, this package, and pybatsim 4.0.0b0. The
variable PYBATSIM4 names its Python.
"""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

from pred_aware.execution.decider import Decider
from pred_aware.execution.supervised import supervise
from tests.pred_aware.simulator.world import job, simulated, write_inputs

PYTHON = os.environ.get("PYBATSIM4", "")
HAS_IT = "from importlib.metadata import version; print(version('pybatsim'))"


def _told() -> str:
    done = subprocess.run(  # noqa: S603 - the environment that the tester names
        [PYTHON or "false", "-c", HAS_IT], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        _told() != "4.0.0b0",
        reason="PYBATSIM4 names no Python 3.12 or later with pybatsim 4.0.0b0 and this package",
    ),
]

JOBS = [
    job(1, 0, 8, 100, 200) | {"user_id": 7}, job(2, 10, 10, 50, 60) | {"user_id": 8},
    job(3, 20, 2, 90, 400) | {"user_id": 7}, job(4, 20, 11, 5, 9), job(5, 30, 1, 400, 60),
    job(6, 90, 4, 300, 200) | {"user_id": 7}, job(7, 95, 2, 30, 300) | {"user_id": 7},
]  # fmt: skip


def rows(folder: Path, name: str, options: object, **how: int) -> list[dict[str, str]]:
    """Let pybatsim 4 decide, and return the rows of the jobs file."""
    text = json.dumps(options)
    command = f"{PYTHON} -c 'from pybatsim.cmdline import main; main()' -t -1 {name} -o '{text}'"
    supervise(
        Decider(command=command), batsim=None, platform=folder / "platform.xml",
        workload=folder / "workload.json", prefix=folder / "theirs", protocol=5, **how,
    )  # fmt: skip
    return read(folder, "theirs")


def read(folder: Path, name: str) -> list[dict[str, str]]:
    return [*csv.DictReader((folder / f"{name}_jobs.csv").read_text().splitlines())]


def test_pybatsims_fcfs_starts_every_job_when_ours_does(tmp_path: Path) -> None:
    write_inputs(tmp_path, JOBS)
    simulated(tmp_path, "fcfs")
    assert rows(tmp_path, "fcfs", {}) == read(tmp_path, "out")


@pytest.mark.parametrize(
    ("scheduler", "options"),
    [
        ("easy", {"predictor": "last_two", "call_margin": None}),
        # estimates that are corrected, and calls for it
        ("easy_plus_plus", {"predictor": "last_two", "call_margin": 0.0004}),
    ],
)
def test_our_schedulers_decide_the_same_as_pybatsim_components(
    tmp_path: Path, scheduler: str, options: dict[str, object]
) -> None:
    write_inputs(tmp_path, JOBS)
    simulated(tmp_path, scheduler, options=options)
    file = tmp_path / "theirs.csv"
    assert rows(tmp_path, scheduler, {**options, "estimates_file": str(file)}) == read(
        tmp_path, "out"
    )
    assert file.read_text() == (tmp_path / "out_estimates.csv").read_text()


COMPONENT = '''
import json
from procset import ProcSet
from pybatsim.batsim import *
from pybatsim.batsim.job import DelayProfile


class Killer(Scheduler):
    """Starts what fits, rejects what never does, kills after 30 s, and registers a job at 40 s."""

    def __init__(self, batsim, options=None):
        super().__init__(batsim, options)
        metadata = batsim.simulation_metadata
        metadata.requested_features |= (
            SimulationFeatures.DYNAMIC_REGISTRATION
            | SimulationFeatures.ACKNOWLEDGE_DYNAMIC_JOBS
            | SimulationFeatures.FORWARD_PROFILES_ON_JOBS_KILLED
        )
        batsim.append_event(EDCHelloEvent(batsim.time, metadata, "killer", "1", ""))
        self.queue, self.running, self.heard = [], {}, []

    def call(self, at, name):
        when = {"time": at * 1000, "time_unit": "Millisecond"}
        kind = CallMeLaterEvent.TemporalTriggerType.OneShot
        self.batsim.append_event(CallMeLaterEvent(self.batsim.time, name, kind, when))

    def handle_simulation_begins(self, event):
        self.size = event.computation_host_number
        self.free = ProcSet((0, self.size - 1))
        self.call(40, "late")

    def handle_simulation_ends(self, event):
        with open(self._options["heard"], "w") as file:
            json.dump(self.heard, file)

    def handle_submitted_job(self, event):
        job = event.job
        self.heard.append(["submitted", job.id_, job.extra_data])
        if job.resource_request > self.size:
            self.batsim.append_event(RejectJobEvent(self.batsim.time, job))
        else:
            self.queue.append(job)

    def handle_completed_job(self, event):
        self.heard.append(["completed", event.job.id_, event.state.value])
        self.free |= event.job.allocation
        del self.running[event.job.id_]

    def handle_jobs_killed(self, event):
        self.heard.append(["killed", *(job.id_ for job in event.jobs)])

    def handle_requested_call(self, event):
        now = self.batsim.time
        if event.call_id == "late":
            self.batsim.append_event(RegisterProfileEvent(now, DelayProfile("dyn!p", 5.0)))
            self.batsim.append_event(RegisterJobEvent(now, Job("dyn!1", 2, "dyn!p", None, "{}")))
            self.batsim.append_event(FinishRegistrationEvent(now))
        elif event.call_id in self.running:
            self.batsim.append_event(KillJobsEvent(now, [self.running[event.call_id]]))

    def handle_msg(self, msg):
        super().handle_msg(msg)
        while self.queue and self.queue[0].resource_request <= len(self.free):
            job = self.queue.pop(0)
            job.allocation = ProcSet(*self.free[: job.resource_request])
            self.free -= job.allocation
            self.running[job.id_] = job
            self.batsim.append_event(ExecuteJobEvent(self.batsim.time, job))
            self.call(int(self.batsim.time) + 30, job.id_)
'''


def test_a_component_can_kill_reject_register_and_be_called(
    tmp_path: Path,
) -> None:
    write_inputs(tmp_path, JOBS)
    (tmp_path / "component.py").write_text(COMPONENT)
    options = {
        "EDC_file": str(tmp_path / "component.py"), "EDC_class": "Killer",
        "heard": str(tmp_path / "heard.json"),
    }  # fmt: skip
    found = rows(tmp_path, "prototype", options)
    starts = {(row["workload_name"], row["job_id"]): row for row in found}
    assert {key: row["final_state"] for key, row in starts.items()} == {
        ("w0", "1"): "COMPLETED_KILLED", ("w0", "2"): "COMPLETED_KILLED", ("w0", "4"): "REJECTED",
        ("w0", "3"): "COMPLETED_KILLED", ("w0", "5"): "COMPLETED_KILLED",
        ("dyn", "1"): "COMPLETED_SUCCESSFULLY", ("w0", "6"): "COMPLETED_KILLED",
        # which ends when its call comes
        ("w0", "7"): "COMPLETED_SUCCESSFULLY",
    }  # fmt: skip
    assert float(starts["w0", "2"]["starting_time"]) == 30.0
    assert {row["execution_time"] for row in found} == {"30.000000", "5.000000", ""}
    heard = json.loads((tmp_path / "heard.json").read_text())
    assert heard[0] == ["submitted", "w0!1", '{"user_id":7}']
    assert ["submitted", "dyn!1", "{}"] in heard
    assert heard[heard.index(["completed", "w0!1", "COMPLETED_KILLED"]) + 1] == ["killed", "w0!1"]


def test_our_component_refuses_invalid_options_in_one_line(tmp_path: Path) -> None:
    write_inputs(tmp_path, JOBS)
    with pytest.raises(Exception, match=r"pybatsim: error: .* no option 'odrer'"):
        rows(tmp_path, "easy", {"odrer": "sjf"})
