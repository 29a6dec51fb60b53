"""Batsim 5's protocol: requests written, replies and hellos read, files as it has them."""

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pred_aware.simulator.batprotocol import decode_hello, decode_reply, encode_request
from pred_aware.simulator.errors import DecisionError, PeerError
from pred_aware.simulator.messages import Begins, Ends, Event, EventsAt, NoMoreJobs
from pred_aware.simulator.outputs import SUFFIXES_5, RunFiles
from pred_aware.simulator.simulation import simulate_jobs
from tests.pred_aware.simulator.world import job, write_inputs
from tests.suites import each_case
from workload_tools.batsim.batprotocol import Features, WireProfile, profile_fields, wire_profile
from workload_tools.batsim.decisions import (
    CallLater,
    Decision,
    Execute,
    Kill,
    Notify,
    RegisterJob,
    RegisterProfile,
    Reject,
)
from workload_tools.batsim.protocol import hello_frame
from workload_tools.batsim.reader import load_raw
from workload_tools.platform.reader import read_platform

ALL = Features(True, True, True, True, True, True)
NONE = Features(False, False, False, False, False, False)


def reply(*events: dict[str, Any], now: float = 5.0) -> bytes:
    return json.dumps({"now": now, "events": list(events)}).encode() + b"\0"


def event(kind: str, at: float = 5.0, **data: object) -> dict[str, Any]:
    return {"timestamp": at, "event_type": f"{kind}Event", "event": data}


def allocation(hosts: str, kind: str = "", **placement: object) -> dict[str, Any]:
    return {
        "host_allocation": hosts,
        "executor_placement_type": kind or "PredefinedExecutorPlacementStrategyWrapper",
        "executor_placement": placement or {"strategy": "SpreadOverHostsFirst"},
    }


def call(at: object, unit: str = "Millisecond", kind: str = "OneShot") -> dict[str, Any]:
    when = {"time": at, "time_unit": unit}
    return event("CallMeLater", call_me_later_id="a", when_type=kind, when=when)


DELAY = {"id": "d!p", "profile_type": "DelayProfile", "profile": {"delay": 5}}
JOB = {"profile_id": "d!p", "resource_request": 2, "walltime": 9.0, "extra_data": '{"user_id": 7}'}
CUSTOM = "CustomExecutorToHostMapping"


def test_every_decision_is_read() -> None:
    decisions, date = decode_reply(
        reply(
            event("ExecuteJob", job_id="w0!1", allocation=allocation("0-1 3")),
            event(
                "ExecuteJob", job_id="w0!2", allocation=allocation("4-5", CUSTOM, mapping=[1, 0])
            ),
            event("RejectJob", job_id="w0!3"),
            event("KillJobs", job_ids=["w0!1"]),
            call(12346),
            call(7, "Second"),
            event("RegisterProfile", profile=DELAY),
            event("RegisterJob", job_id="d!1", job=JOB),
            event("FinishRegistration"),
        ),
        4.0,
    )
    assert date == 5.0
    fields = {"id": "d!1", "res": 2, "profile": "p", "walltime": 9.0, "user_id": 7}
    assert decisions == [
        Execute(5.0, "w0!1", ((0, 1), (3, 3))),
        Execute(5.0, "w0!2", ((4, 5),), 2),
        Reject(5.0, "w0!3"),
        Kill(5.0, ["w0!1"]),
        CallLater(5.0, 12.346, "a"),
        CallLater(5.0, 7.0, "a"),
        RegisterProfile(5.0, "d", "p", {"delay": 5, "type": "delay"}),
        RegisterJob(5.0, "d!1", fields),
        Notify(5.0, "registration_finished"),
    ]


@each_case(
    ("message", "text"),
    [
        (b"nonsense", "sent an invalid message of Batsim's protocol: .*'nonsense'"),
        (
            b'{"now": 5, "events": [{"timestamp": 5, "type": "A", "data": {}}]}',
            "field `event_type`",
        ),
        (reply(now=3.0), r"answered the request of 4\.0 s with the earlier date 3\.0 s"),
        (reply(event("RejectJob", 6.0, job_id="x")), r"RejectJobEvent 6\.0 s, later than its"),
        (reply(event("RejectJob", 3.0, job_id="x")), r"3\.0 s, before the events of the request"),
        (reply(event("CreateProbe")), "'CreateProbeEvent', which is not known here; known: CallMe"),
        (reply(event("RejectJob")), "RejectJobEvent whose data .* missing required field `job_id`"),
        (reply(event("RejectJob", job_id="x", why=1)), "contains unknown field `why`"),
        (reply(event("ExecuteJob", job_id="x", allocation=allocation("5-2"))), "reversed interval"),
        (
            reply(event("ExecuteJob", job_id="x", allocation=allocation("0", "None"))),
            "the placement .* is unknown",
        ),
        (
            reply(event("ExecuteJob", job_id="x", allocation=allocation("0", CUSTOM, mapping=[1]))),
            "a position outside the 1 processors",
        ),
        (reply(call(7.5)), "expected a whole number"),
        (reply(call(-7)), "not a date in seconds or milliseconds"),
        (reply(call(7, "Hour")), "not a date in seconds or milliseconds"),
        (reply(call(10**18)), "the latest date with exact milliseconds"),
        (reply(call(7, kind="Periodic")), "periodic calls are not simulated"),
        (reply(event("RegisterProfile", profile=DELAY | {"id": "p"})), "not WORKLOAD!NAME"),
        (
            reply(event("RegisterProfile", profile=DELAY | {"profile": {"np": 1}})),
            "has no member 'np'",
        ),
        (reply(event("RegisterJob", job_id="d!1", job=JOB | {"rigid": True})), "field `rigid`"),
        (reply(event("FinishRegistration", now=1)), "unknown member 'now'"),
        (reply(event("KillJobs", job_ids="w0!1")), "expected a list"),
    ],
)
def test_an_invalid_reply_gives_a_one_line_error(message: bytes, text: str) -> None:
    with pytest.raises(PeerError, match=text) as error:
        decode_reply(message, 4.0, earliest=3.5)
    assert "\n" not in str(error.value)


@each_case(
    ("frame", "text"),
    [
        (b"", "must begin with the number 2, which means JSON"),
        (b"\1\0\0\0rest", "must begin with the number 2, which means JSON"),
        (hello_frame(reply()), "must have one event, EDCHelloEvent"),
        (hello_frame(reply(event("EDCHello"))), "missing required field `batprotocol_version`"),
    ],
)
def test_a_wrong_first_message_is_reported(frame: bytes, text: str) -> None:
    with pytest.raises(PeerError, match=text):
        decode_hello(frame)


@each_case(
    "profile",
    [
        {"type": "composed", "repeat": 2, "seq": ["d", "e"], "note": "x"},
        {"type": "parallel_homogeneous_total", "cpu": 1e9, "com": 0},
        {"type": "parallel", "cpu": [1, 2], "com": [0, 0, 0, 0]},
        {"type": "smpi", "trace": "a.txt"},
        {"type": "data_staging", "nb_bytes": 1, "from": "a", "to": "b"},
    ],
)
def test_a_profile_survives_a_message(profile: dict[str, Any]) -> None:
    told = msgspec.convert(msgspec.to_builtins(wire_profile("w0", "p", profile)), WireProfile)
    assert told.id == "w0!p"
    assert profile_fields("w0", told) == profile


class Asking:
    """Answers events with given messages of version 5, and stores Batsim's messages."""

    scheduling_time = 0.0

    def __init__(self, script: dict[str, list[dict[str, Any]]]) -> None:
        self._script = script
        self.heard: list[dict[str, Any]] = []

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        message = json.loads(encode_request(now, events, ALL)[:-1])
        self.heard += message["events"]
        said: list[dict[str, Any]] = []
        for heard in message["events"]:
            name = heard["event"].get("job_id") or heard["event"].get("call_me_later_id", "")
            said += self._script.pop(f"{heard['event_type'][:-5]} {name}".strip(), [])
        said = [{**one, "timestamp": now} for one in said]
        return decode_reply(reply(*said, now=now), now, earliest=events[0].date)


def play(
    folder: Path,
    script: dict[str, list[dict[str, Any]]],
    **how: Any,  # noqa: ANN401
) -> tuple[Asking, list[list[str]]]:
    jobs = [job(1, 0, 2, 10, 20) | {"user_id": 7}, job(2, 0, 99, 5), job(3, 1, 2, 50, 30)]
    write_inputs(folder, jobs)
    peer = Asking(script)
    with RunFiles(folder / "out", SUFFIXES_5) as outputs:
        simulate_jobs(
            read_platform(folder / "platform.xml"), load_raw(folder / "workload.json"), peer,
            outputs=outputs, version=5, files=5, states=False, acknowledged=True, **how,
        )  # fmt: skip
    return peer, [*csv.reader((folder / "out" / "jobs.csv").read_text().splitlines())]


SCRIPT = {
    "JobSubmitted w0!1": [event("ExecuteJob", job_id="w0!1", allocation=allocation("0-1"))],
    "JobSubmitted w0!2": [event("RejectJob", job_id="w0!2"), call(4000), call(0)],
    "JobSubmitted w0!3": [event("ExecuteJob", job_id="w0!3", allocation=allocation("2-3"))],
}


def test_every_event_is_sent_and_written(
    tmp_path: Path,
) -> None:
    script = SCRIPT | {
        "SimulationBegins": [event("RegisterProfile", profile=DELAY)],
        "RequestedCall a": [event("KillJobs", job_ids=["w0!1"])],
        "JobCompleted w0!1": [event("RegisterJob", job_id="d!9", job=JOB)],
        "JobSubmitted d!9": [
            event("ExecuteJob", job_id="d!9", allocation=allocation("7 9")),
            event("FinishRegistration"),
        ],
    }
    peer, rows = play(tmp_path, script, dynamic_jobs=True)
    assert [(one["timestamp"], one["event_type"][:-5]) for one in peer.heard] == [
        (0.0, "SimulationBegins"), (0.0, "JobSubmitted"), (0.0, "JobSubmitted"),
        # a date that has passed is answered at once
        (0.0, "RequestedCall"), (0.0, "JobCompleted"), (0.0, "JobsKilled"), (0.0, "JobSubmitted"),
        (1.0, "JobSubmitted"), (1.0, "AllStaticJobsHaveBeenSubmitted"), (4.0, "RequestedCall"),
        (5.0, "JobCompleted"), (31.0, "JobCompleted"), (31.0, "SimulationEnds"),
    ]  # fmt: skip
    told = {(one["event_type"], one["event"].get("job_id")): one["event"] for one in peer.heard}
    first = told["JobSubmittedEvent", "w0!1"]
    assert first["job"] == {
        "resource_request": 2, "profile_id": "w0!D10", "walltime": 20.0,
        "extra_data": '{"user_id":7}',
    }  # fmt: skip
    assert first["profile"] == {
        "id": "w0!D10", "profile_type": "DelayProfile", "profile": {"delay": 10.0},
    }  # fmt: skip
    assert "walltime" not in told["JobSubmittedEvent", "w0!2"]["job"]
    assert told["JobCompletedEvent", "w0!3"] == {
        "job_id": "w0!3", "state": "COMPLETED_WALLTIME_REACHED", "return_code": 2**32 - 1,
    }  # fmt: skip
    killed = told["JobsKilledEvent", None]
    assert killed["progresses"][0]["wrapper"]["kill_progress"] == {
        "profile_id": "w0!D10", "progress": 0.0,
    }  # fmt: skip
    assert [profile["id"] for profile in killed["profiles"]] == ["w0!D10"]
    assert [row[2] for row in rows[1:]] == ["w0!D5", "w0!D10", "d!p", "w0!D50"]
    assert {row[0]: (row[7], row[8], row[16]) for row in rows[1:]} == {
        "1": ("COMPLETED_KILLED", "0.000000", ""), "2": ("REJECTED", "", ""),
        "3": ("COMPLETED_WALLTIME_REACHED", "1.000000", ""),
        "9": ("COMPLETED_SUCCESSFULLY", "0.000000", ""),
    }  # fmt: skip
    schedule = json.loads((tmp_path / "out" / "schedule.json").read_text())
    assert (schedule["batsim_version"], schedule["makespan"]) == ("5.0.0-rc2", 31.0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"jobs.csv", "schedule.json"}


@each_case(
    ("said", "message"),
    [
        (event("ExecuteJob", job_id="w0!3", allocation=allocation("1-2")), "in use by w0!1"),
        (event("ExecuteJob", job_id="w0!3", allocation=allocation("2")), "gave job 'w0!3' 1 proc"),
        (event("ExecuteJob", job_id="w0!7", allocation=allocation("2-3")), "which is unknown"),
        (event("ExecuteJob", job_id="w0!3", allocation=allocation("9-10")), "the machine has 10"),
        (event("KillJobs", job_ids=["w0!3"]), "which has not started"),
        (event("RegisterProfile", profile=DELAY), "registrations are not enabled"),
    ],
)
def test_impossible_decisions_are_refused_as_in_version_4(
    tmp_path: Path, said: dict[str, Any], message: str
) -> None:
    with pytest.raises(DecisionError, match=message):
        play(tmp_path, SCRIPT | {"JobSubmitted w0!3": [said]})


def test_the_first_event_has_hosts_workloads_and_requested_profiles(tmp_path: Path) -> None:
    write_inputs(tmp_path, [job(1, 0, 2, 10)])
    raw = load_raw(tmp_path / "workload.json")
    begins = Begins(0.0, read_platform(tmp_path / "platform.xml"), {"w0": raw})
    told = json.loads(encode_request(0.0, [begins], ALL)[:-1])["events"][0]["event"]
    assert told["computation_host_number"] == len(told["computation_hosts"]) == 10
    assert told["profiles"][0]["id"] == "w0!D10"
    assert (
        "profiles" not in json.loads(encode_request(0.0, [begins], NONE)[:-1])["events"][0]["event"]
    )
    events = json.loads(encode_request(3.0, [NoMoreJobs(2.0), Ends(3.0)], NONE)[:-1])["events"]
    assert [one["event"] for one in events] == [{}, {}]
    date = {"now": 1 / 3, "events": [EventsAt(1 / 3, calls=["a"])]}
    numbers = json.loads(encode_request(date["now"], date["events"], NONE, decimals=12)[:-1])  # type: ignore[arg-type]
    assert numbers["now"] == numbers["events"][0]["timestamp"] == 0.333333333333
