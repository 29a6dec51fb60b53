"""Jobs that the decision process registers, several workloads, and jobs that compute."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

import pytest
from msgspec import structs

from pred_aware.simulator.errors import DeadlockError, DecisionError
from pred_aware.simulator.protocol import decode_reply
from pred_aware.simulator.simulation import Delays
from tests.pred_aware.simulator.world import (
    How,
    Order,
    Rows,
    Scripted,
    job,
    simulate,
    simulate_inputs,
    start,
    write_inputs,
)
from tests.suites import each_case
from workload_tools.batsim.decisions import Execute, Notify, RegisterJob, RegisterProfile
from workload_tools.batsim.reader import load_raw
from workload_tools.errors import WorkloadError

BOTH = pytest.mark.parametrize("delays", ["none", "batsim"])


def profile(name: str, delay: float, workload: str = "dyn") -> Order:
    fields = {"type": "delay", "delay": delay}
    return lambda now: RegisterProfile(now, workload, name, fields)


def register(job_id: str, **fields: Any) -> Order:  # noqa: ANN401 - of JSON
    own = {"id": job_id.partition("!")[2], "res": 2, "profile": "p", **fields}
    return lambda now: RegisterJob(now, job_id, own)


def begin(job_id: str, first: int, last: int) -> Order:
    return lambda now: Execute(now, job_id, ((first, last),))


def finished(now: float) -> Notify:
    return Notify(now, "registration_finished")


def play(
    folder: Path, script: Mapping[str, list[Order]], **how: Unpack[How]
) -> tuple[Scripted, Rows]:
    peer = Scripted({"submitted 1": [start(1, 0, 3)], **script})
    rows = simulate(folder, [job(1, 5.0, 4, 10.0)], peer, **(How(dynamic_jobs=True) | how))
    return peer, rows


@BOTH
def test_a_registered_job_runs_and_is_written_under_its_workload(
    tmp_path: Path, delays: Delays
) -> None:
    orders = [profile("p", 7.0), register("dyn!a"), begin("dyn!a", 4, 5), finished]
    _, rows = play(tmp_path, {"begins": orders}, delays=delays)
    assert rows["a"]["workload_name"] == "dyn"
    assert rows["a"]["execution_time"] == "7.000000"
    assert rows["1"]["workload_name"] == "w0"


def test_an_acknowledged_registration_comes_back_as_a_submission(tmp_path: Path) -> None:
    script = {
        "begins": [profile("p", 7.0), register("dyn!a", walltime=3), finished],
        "submitted a": [begin("dyn!a", 4, 5)],
    }
    peer, rows = play(tmp_path, script, acknowledged=True)
    assert peer.told[:2] == [(0.0, ["begins"]), (0.0, ["submitted a"])]
    assert rows["a"]["final_state"] == "COMPLETED_WALLTIME_REACHED"


def test_a_registered_job_can_use_a_profile_of_a_workload(tmp_path: Path) -> None:
    orders = [register("w0!a", profile="D10"), begin("w0!a", 4, 5), finished]
    _, rows = play(tmp_path, {"begins": orders})
    assert rows["a"]["execution_time"] == "10.000000"


@BOTH
def test_registrations_may_be_continued(tmp_path: Path, delays: Delays) -> None:
    script: dict[str, list[Order]] = {
        "begins": [finished, lambda now: Notify(now, "continue_registration")],
        "completed 1": [profile("p", 7.0), register("dyn!a"), begin("dyn!a", 4, 5), finished],
    }
    assert set(play(tmp_path, script, delays=delays)[1]) == {"1", "a"}


@BOTH
def test_registrations_never_finished_are_a_deadlock(tmp_path: Path, delays: Delays) -> None:
    with pytest.raises(DeadlockError, match="has not sent registration_finished"):
        play(tmp_path, {}, delays=delays)


@each_case(
    ("orders", "message"),
    [
        ([profile("p", 7.0), profile("p", 8.0)], "this name already exists"),
        ([profile("D10", 7.0, "w0")], "this name already exists"),
        ([profile("p", -1.0)], "it needs a delay of 0 s or more"),
        ([register("dyn!a")], "its profile 'p' is unknown; register profiles before their jobs"),
        ([register("w0!1", profile="D10")], "this id already exists"),
        ([register("a")], "its id must be WORKLOAD!NAME"),
        ([profile("p", 1.0), register("dyn!a", id="b")], "its description has another id, 'b'"),
        ([profile("p", 1.0), register("dyn!a", res=0)], "it asks for 0 processors"),
        ([profile("p", 1.0), register("dyn!a", res="2")], "expected a whole number in res"),
        ([profile("p", 1.0), register("dyn!a", walltime=0)], "its walltime is 0.0 s"),
        ([profile("p", 1.0), register("dyn!a", subtime=-1)], "its subtime is -1.0 s"),
        ([finished, profile("p", 1.0)], "it has already sent registration_finished"),
        (
            [lambda now: RegisterProfile(now, "dyn", "p", {"type": "smpi"})],
            "it has the type 'smpi'. This simulator supports only delay profiles",
        ),
    ],
)
@BOTH
def test_an_impossible_registration_is_an_error(
    tmp_path: Path, delays: Delays, orders: list[Order], message: str
) -> None:
    with pytest.raises(DecisionError) as error:
        play(tmp_path, {"begins": orders}, delays=delays)
    assert message in str(error.value)
    assert not (tmp_path / "out_jobs.csv").exists()


def test_registrations_must_be_enabled(tmp_path: Path) -> None:
    with pytest.raises(DecisionError, match="--enable-dynamic-jobs enables them"):
        play(tmp_path, {"begins": [profile("p", 7.0)]}, dynamic_jobs=False)


@BOTH
def test_several_workloads_are_distinguished_by_name(tmp_path: Path, delays: Delays) -> None:
    for name, only in (("first", job(1, 5.0, 4, 10.0)), ("second", job(1, 2.0, 4, 20.0))):
        write_inputs(tmp_path, [only])
        (tmp_path / "workload.json").rename(tmp_path / name)
    peer = Both([begin("w1!1", 0, 3)])
    simulate_inputs(tmp_path, peer, tmp_path / "first", tmp_path / "second", delays=delays)
    rows = csv.DictReader((tmp_path / "out_jobs.csv").read_text().splitlines())
    ran = [(row["workload_name"], row["execution_time"]) for row in rows]
    assert ran == [("w0", "10.000000"), ("w1", "20.000000")]


class Both(Scripted):
    """Starts the first job that comes on the first processors, the second on the others."""

    def __init__(self, orders: list[Order]) -> None:
        super().__init__({"submitted 1": orders})
        self._second = [begin("w0!1", 4, 7)]

    def exchange(self, now: float, events: list[Any]) -> tuple[list[Any], float]:
        decisions, replied = super().exchange(now, events)
        if not decisions and "submitted 1" in self.told[-1][1]:
            decisions = [order(replied) for order in self._second]
        return decisions, replied


def computing(folder: Path, **fields: Any) -> Path:  # noqa: ANN401 - of JSON
    profiles = {"c": {"type": "parallel_homogeneous", "cpu": 4e9, "com": 0, **fields}}
    jobs = [{"id": "1", "subtime": 0, "res": 4, "profile": "c", "walltime": 30}]
    path = folder / "computing.json"
    path.write_text(json.dumps({"nb_res": 10, "jobs": jobs, "profiles": profiles}))
    return path


@each_case(
    ("cpu", "state", "seconds"),
    [
        (4e9, "COMPLETED_SUCCESSFULLY", 4.0),
        (0.0, "COMPLETED_SUCCESSFULLY", 1e-5),
        # one that sleeps for just as long is killed
        (3e10, "COMPLETED_SUCCESSFULLY", 30.0),
        (9e10, "COMPLETED_WALLTIME_REACHED", 30.0),
    ],
)
def test_a_computing_job_lasts_as_its_processors_need(
    tmp_path: Path, cpu: float, state: str, seconds: float
) -> None:
    write_inputs(tmp_path, [job(1, 0.0, 4, 1.0)])
    platform = (tmp_path / "platform.xml").read_text()
    speed = platform.partition('speed="')[2].partition('"')[0]
    (tmp_path / "platform.xml").write_text(platform.replace(f'speed="{speed}"', 'speed="1Gf"'))
    peer = Scripted({"submitted 1": [start(1, 0, 3)]})
    row = simulate_inputs(tmp_path, peer, computing(tmp_path, cpu=cpu))["1"]
    assert row["final_state"] == state
    assert float(row["execution_time"]) == pytest.approx(seconds)


@each_case(
    ("fields", "message"),
    [
        ({"com": 1e6}, "profile 'c' communicates"),
        ({"cpu": [1e6]}, "profile 'c' has the cpu"),
        ({"cpu": -1}, "profile 'c' has the cpu -1"),
        ({"type": "parallel"}, "profile 'c' has the type 'parallel'"),
    ],
)
def test_a_profile_that_cannot_be_simulated_is_refused_by_name(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(WorkloadError, match=message):
        load_raw(computing(tmp_path, **fields))


@BOTH
@each_case(("alloc", "places"), [("0-1", "0011"), ("0-3", "0012"), ("0-4", "0123")])
def test_a_computing_job_has_one_executor_for_each_processor(
    tmp_path: Path, alloc: str, places: str, delays: Delays
) -> None:
    write_inputs(tmp_path, [])
    mapping = {str(number): place for number, place in enumerate(places)}
    data = {"job_id": "w0!1", "alloc": alloc, "mapping": mapping}
    event = {"timestamp": 0.0, "type": "EXECUTE_JOB", "data": data}
    [execute], _ = decode_reply(json.dumps({"now": 0.0, "events": [event]}).encode(), 0.0)
    assert isinstance(execute, Execute)
    peer = Scripted({"submitted 1": [lambda now: structs.replace(execute, date=now)]})
    with pytest.raises(DecisionError, match="mapping without exactly one executor per"):
        simulate_inputs(tmp_path, peer, computing(tmp_path), delays=delays)
