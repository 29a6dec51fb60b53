"""Batsim 5's messages as a scheduler hears them, and what it says."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from schedulers.pybatsim.batprotocol import event_of
from schedulers.pybatsim.conversation import Conversation
from schedulers.pybatsim.requests import RequestError, Requests
from tests.suites import each_case
from workload_tools.batsim.decisions import CallLater, Execute, Reject
from workload_tools.batsim.protocol import hello_of, init_frame

BEGINS = {
    "batprotocol_version": "1.0.0", "batsim_version": "5", "computation_host_number": 4,
    "computation_hosts": [{"id": number, "name": f"h{number}"} for number in range(4)],
    "workloads": [{"name": "w0", "filename": "w.json"}],
}  # fmt: skip
PROFILE = {"id": "w0!d", "profile_type": "DelayProfile", "profile": {"delay": 9}}
JOB = {"resource_request": 2, "profile_id": "w0!d", "walltime": 20.0, "extra_data": '{"u": 7}'}


def message(now: float, *events: tuple[str, dict[str, Any]], at: float | None = None) -> bytes:
    told = [
        {"timestamp": now if at is None else at, "event_type": f"{kind}Event", "event": data}
        for kind, data in events
    ]
    return json.dumps({"now": now, "events": told}).encode() + b"\0"


def submitted(job_id: str = "w0!1", **job: object) -> tuple[str, dict[str, Any]]:
    data = {"job_id": job_id, "job": {**JOB, **job}, "submission_time": 1.0, "profile": PROFILE}
    return "JobSubmitted", data


def completed(job_id: str, state: str = "COMPLETED_SUCCESSFULLY") -> tuple[str, dict[str, Any]]:
    return "JobCompleted", {"job_id": job_id, "state": state, "return_code": 0}


def called(name: str) -> tuple[str, dict[str, Any]]:
    return "RequestedCall", {"call_me_later_id": name, "last_periodic_call": False}


@pytest.fixture
def requests() -> Requests:
    """A simulation of 5 s in which a job waits, one runs, and a call at 8.0004 s is to come."""
    requests = Requests(5)
    requests.read(message(0.0, ("SimulationBegins", BEGINS)))
    requests.read(message(5.0, submitted("w0!1"), submitted("w0!2")))
    requests.started("w0!2")
    assert requests.register_call(8.0004) == "1"
    return requests


def test_messages_of_versions_4_and_5_have_the_same_content(requests: Requests) -> None:
    told = requests.read(
        message(
            9.0, called("1"), completed("w0!2"), submitted("w0!3", extra_data="0-3"),
            ("AllStaticJobsHaveBeenSubmitted", {}),
        )
    )  # fmt: skip
    job = {"id": "w0!3", "res": 2, "profile": "d", "walltime": 20.0, "subtime": 1.0}
    assert [(event["type"], event["data"]) for event in told["events"]] == [
        ("REQUESTED_CALL", {"id": "1"}),
        ("JOB_COMPLETED", {"job_id": "w0!2", "job_state": "COMPLETED_SUCCESSFULLY",
                           "return_code": 0, "alloc": ""}),
        ("JOB_SUBMITTED", {"job_id": "w0!3", "job": job | {"extra_data": "0-3"},
                           "profile": {"type": "delay", "delay": 9}}),
        ("NOTIFY", {"type": "no_more_static_job_to_submit"}),
    ]  # fmt: skip


@each_case(
    ("text", "reason"),
    [
        (b"nonsense\0", "Batsim sent what is not a message of its protocol: .*malformed"),
        (message(4.0), r"a request of 4\.0 s after one of 5\.0 s; time cannot go back"),
        (message(9.0, called("1"), at=10.0), r"RequestedCallEvent at 9\.0 s, .* dated 10\.0 s"),
        (message(9.0, ("SimulationBegins", BEGINS)), "a simulation must begin with this event"),
        (message(9.0, ("SimulationEnds", {})), "job 'w0!1' has neither ended nor been rejected"),
        (message(9.0, ("HostsTurnedOnOff", {})), "HostsTurnedOnOffEvent .* here understands it"),
        (message(9.0, ("JobsKilled", {})), "no scheduler here understands it"),
        (message(9.0, completed("w0!1")), "job 'w0!1' does not run"),
        (message(9.0, completed("w0!2", "REJECTED")), "'REJECTED' is not how a job ends"),
        (message(9.0, ("JobCompleted", {"job_id": "w0!2"})), "missing required field `state`"),
        (message(9.0, submitted("w0!1")), "job 'w0!1' was submitted before"),
        (message(9.0, submitted("1")), "the job's id is '1' and its description has '1'"),
        (message(9.0, submitted("w0!3", resource_request=0)), "asks for 0 processors"),
        (message(9.0, submitted("w0!3", walltime="x")), "expected a number"),
        (message(9.0, called("2")), "no such call was requested, or it has already come"),
        (message(8.0, called("1")), r"cannot be: the call was requested for 8\.0004 s"),
    ],
)
def test_an_unexpected_message_is_reported_by_its_name(
    requests: Requests, text: bytes, reason: str
) -> None:
    with pytest.raises(RequestError, match=reason) as error:
        deepcopy(requests).read(text)
    assert "\n" not in str(error.value)


def test_a_simulation_ends_when_all_jobs_have(requests: Requests) -> None:
    requests.rejected("w0!1")
    requests.read(message(9.0, completed("w0!2"), ("SimulationEnds", {})))


def test_decisions_become_events_and_calls_are_rounded_up_to_milliseconds() -> None:
    events = [
        event_of(decision, "7")
        for decision in (
            Execute(1.0, "w0!1", ((0, 1), (3, 3))), Reject(1.0, "w0!2"), CallLater(1.0, 8.0004),
        )
    ]  # fmt: skip
    placement = {
        "executor_placement_type": "PredefinedExecutorPlacementStrategyWrapper",
        "executor_placement": {"strategy": "SpreadOverHostsFirst"},
    }
    when = {"time": 8001, "time_unit": "Millisecond"}
    assert [(event["timestamp"], event["event_type"], event["event"]) for event in events] == [
        (1.0, "ExecuteJobEvent",
         {"job_id": "w0!1", "allocation": {"host_allocation": "0-1 3", **placement}}),
        (1.0, "RejectJobEvent", {"job_id": "w0!2"}),
        (1.0, "CallMeLaterEvent",
         {"call_me_later_id": "7", "when_type": "OneShot", "when": when}),
    ]  # fmt: skip


@each_case("begins_with_5", [False, True])
def test_the_first_frame_determines_the_protocol_version(
    tmp_path: Path,
    begins_with_5: bool,  # noqa: FBT001 - a case
) -> None:
    file = tmp_path / "estimates.csv"
    options = {"predictor": "last_two", "estimates_file": str(file)}
    conversation = Conversation("easy", options)
    first = init_frame("x" * 300) if begins_with_5 else b'{"now": 0.0, "events": []}'
    greeting = conversation.greeting(first)
    assert conversation.is_version_5 == begins_with_5 == (greeting is not None)
    if greeting is None:
        return
    assert hello_of(greeting)["decision_component_name"] == "pred-aware"
    conversation.read(message(0.0, ("SimulationBegins", BEGINS)))
    assert conversation.greeting(init_frame("")) is None
    conversation.read(message(5.0, submitted("w0!1"), submitted("w0!2", resource_request=9)))
    said = conversation.decide()
    assert [event["event_type"] for event in said] == ["RejectJobEvent", "ExecuteJobEvent"]
    conversation.read(message(14.0, completed("w0!1")))
    conversation.decide()
    conversation.read(message(14.0, ("SimulationEnds", {})))
    assert file.read_text().splitlines()[1].startswith("1,20.0")
