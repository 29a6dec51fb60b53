"""Batsim's protocol: requests written, replies read."""

import json
from pathlib import Path
from typing import Any

import pytest

from pred_aware.simulator.errors import PeerError
from pred_aware.simulator.messages import Begins, Ends, EventsAt, NoMoreJobs
from pred_aware.simulator.protocol import decode_reply, encode_request
from pred_aware.simulator.registration import FINISHED
from pred_aware.simulator.sources import JobSource
from tests.pred_aware.simulator.world import job, write_inputs
from tests.suites import each_case
from workload_tools.batsim.decisions import CallLater, Execute, Kill, Notify, Reject, SetMetadata
from workload_tools.batsim.reader import load_raw
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import read_platform


def reply(*events: dict[str, Any], now: float = 5.0) -> bytes:
    return json.dumps({"now": now, "events": list(events)}).encode()


def event(kind: str, at: float = 5.0, **data: object) -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "data": data}


def mapped(mapping: object) -> bytes:
    return reply(event("EXECUTE_JOB", job_id="x", alloc="1", mapping=mapping))


@pytest.fixture
def workload(tmp_path: Path) -> RawWorkload:
    write_inputs(tmp_path, [job(1, 0, 2, 10) | {"user_id": 7, "mine": [1]}])
    return load_raw(tmp_path / "workload.json")


def test_every_decision_is_read() -> None:
    decisions, date = decode_reply(
        reply(
            event("EXECUTE_JOB", job_id="w0!1", alloc="0-1 3"),
            event("EXECUTE_JOB", job_id="w0!2", alloc="4-5", mapping={"0": "1", "1": "0"}),
            event("REJECT_JOB", job_id="w0!3"),
            event("KILL_JOB", job_ids=["w0!1"]),
            event("CALL_ME_LATER", timestamp=7),
            event("SET_JOB_METADATA", job_id="w0!1", metadata="m"),
            event("NOTIFY", type="registration_finished"),
        ),
        4.0,
    )
    assert date == 5.0
    assert decisions == [
        Execute(5.0, "w0!1", ((0, 1), (3, 3))),
        Execute(5.0, "w0!2", ((4, 5),), 2),
        Reject(5.0, "w0!3"),
        Kill(5.0, ["w0!1"]),
        CallLater(5.0, 7.0),
        SetMetadata(5.0, "w0!1", "m"),
        Notify(5.0, "registration_finished"),
    ]


@each_case(
    ("message", "text"),
    [
        (b"nonsense", "sent an invalid message of Batsim's protocol: .*'nonsense'"),
        (b"", "sent an invalid message of Batsim's protocol"),
        (b"[1]", "sent an invalid message of Batsim's protocol: expected a table"),
        (b'{"now": "x", "events": []}', r"invalid message .*in now"),
        (b'{"now": 5}', "invalid message .*events"),
        (b"\xff\xfe" * 400, "sent an invalid message of Batsim's protocol"),
        (reply(now=3.0), r"answered the request of 4\.0 s with the earlier date 3\.0 s"),
        (reply(event("REJECT_JOB", 6.0, job_id="x")), r"dated an event .*REJECT_JOB 6\.0 s, later"),
        (reply(event("EXECUTE_JOBS")), r"type 'EXECUTE_JOBS', which is not known .*EXECUTE_JOB"),
        (reply(event("EXECUTE_JOB", job_id="x")), "EXECUTE_JOB whose data .* lacks 'alloc'"),
        (reply(event("EXECUTE_JOB", alloc="1")), "lacks 'job_id'"),
        (reply(event("EXECUTE_JOB", job_id=1, alloc="1")), "1 is not a text"),
        (reply(event("EXECUTE_JOB", job_id="x", alloc="5-2")), "has a reversed interval"),
        (reply(event("EXECUTE_JOB", job_id="x", alloc=[1])), r"\[1\] is not a text"),
        (mapped({"1": "0"}), "executors of the mapping are not numbered from 0"),
        (mapped({"0": "1"}), "a position outside the 1 processors"),
        (mapped(5), "EXECUTE_JOB whose data cannot be understood"),
        (mapped(["0"]), "EXECUTE_JOB whose data cannot be understood"),
        (reply(event("EXECUTE_JOB", job_id="x", alloc="1", storage_mapping={})), "needs storage"),
        (reply(event("KILL_JOB", job_ids="w0!1")), "KILL_JOB whose data cannot be understood"),
        (reply(event("KILL_JOB", job_ids=5)), "KILL_JOB whose data cannot be understood"),
        (reply(event("CALL_ME_LATER", timestamp="7")), "'7' is not a date"),
        (reply(event("CALL_ME_LATER", timestamp=True)), "True is not a date"),
        (reply(event("CALL_ME_LATER", timestamp=10**400)), "int too large"),
        (reply(event("CALL_ME_LATER", timestamp=1e300)), "the latest date with exact milliseconds"),
        (reply(now=1e300), r"with the date 1e\+300 s; the latest date with exact milliseconds"),
        (reply({"timestamp": 5.0, "type": "NOTIFY"}), "missing required field `data`"),
        (
            reply(event("NOTIFY", 3.0, type=FINISHED)),
            r"NOTIFY 3\.0 s, before the events of the request",
        ),
        (
            b'{"now": 5.0, "events": ' + b"[" * 100_000,
            "sent an invalid message of Batsim's protocol",
        ),
        (mapped({"0": 0}), "0 is not a text"),
        (mapped({"-0": "0"}), "'-0' is not a number of an executor"),
        (reply(event("SET_JOB_METADATA", job_id="x", metadata=None)), "None is not a text"),
        (reply(event("NOTIFY", type="x")), "'x' is neither registration_finished"),
    ],
)
def test_an_invalid_reply_gives_a_one_line_error(message: bytes, text: str) -> None:
    with pytest.raises(PeerError, match=text) as error:
        decode_reply(message, 4.0, earliest=3.5)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


def test_a_job_is_sent_with_every_field_of_the_file_and_its_full_id(workload: RawWorkload) -> None:
    source = JobSource(workload)
    message = json.loads(encode_request(1.0, [EventsAt(0.5, submitted=[source.make(0)])]))
    told = message["events"][0]
    assert (message["now"], told["timestamp"], told["type"]) == (1.0, 0.5, "JOB_SUBMITTED")
    assert told["data"]["job_id"] == told["data"]["job"]["id"] == "w0!1"
    assert (told["data"]["job"]["user_id"], told["data"]["job"]["mine"]) == (7, [1])
    assert "profile" not in told["data"]


def test_profiles_are_forwarded_on_request(workload: RawWorkload) -> None:
    submitted = EventsAt(0.5, submitted=[JobSource(workload).make(0)])
    message = json.loads(encode_request(1.0, [submitted], forward_profiles=True))
    assert message["events"][0]["data"]["profile"] == {"type": "delay", "delay": 10.0}


def test_the_first_event_has_machine_configuration_and_profiles(
    tmp_path: Path, workload: RawWorkload
) -> None:
    begins = Begins(0.0, read_platform(tmp_path / "platform.xml"), {"w0": workload})
    message = json.loads(encode_request(0.0, [begins], scheduler_configuration="mine"))
    data = message["events"][0]["data"]
    assert data["nb_compute_resources"] == len(data["compute_resources"]) == 10
    assert data["config"]["sched-config"] == "mine"
    assert data["profiles"] == {"w0": {"D10": {"type": "delay", "delay": 10.0}}}


def test_calls_and_the_end_have_no_data() -> None:
    told = [EventsAt(1.0, calls=[""]), NoMoreJobs(2.0), Ends(3.0)]
    events = json.loads(encode_request(3.0, told))["events"]
    assert [(e["type"], e["data"]) for e in events] == [
        ("REQUESTED_CALL", {}),
        ("NOTIFY", {"type": "no_more_static_job_to_submit"}),
        ("SIMULATION_ENDS", {}),
    ]


def test_dates_are_exact_to_the_last_bit() -> None:
    date = 0.1 + 0.2
    assert json.loads(encode_request(date, [EventsAt(date, calls=[""])]))["now"] == date


@each_case(
    ("kind", "data", "message"),
    [
        ("QUERY", {"requests": {"consumed_energy": {}}}, "energy is not simulated"),
        ("QUERY", {"requests": {"time": {}}}, "consumed_energy only, not time"),
        ("QUERY", {}, "lacks 'requests'"),
        ("ANSWER", {"weather": {}}, "'weather' is not estimate_waiting_time"),
        ("ANSWER", {"estimate_waiting_time": {"job_id": "w0!1"}}, "lacks 'estimated_waiting"),
        ("REGISTER_JOB", {"job_id": "d!1"}, "lacks 'job'"),
        ("REGISTER_JOB", {"job_id": "d!1", "job": []}, r"\[\] is not an object"),
        ("REGISTER_PROFILE", {"workload_name": "d", "profile_name": 1}, "1 is not a text"),
    ],
)
def test_impossible_queries_answers_and_registrations_are_errors(
    kind: str, data: dict[str, Any], message: str
) -> None:
    with pytest.raises(PeerError, match=message):
        decode_reply(reply(event(kind, **data)), 1.0)


def test_an_unrequested_answer_is_reported_and_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = {"estimate_waiting_time": {"job_id": "w0!1", "estimated_waiting_time": 5}}
    assert decode_reply(reply(event("ANSWER", **answer)), 1.0) == ([], 5.0)
    assert "the simulator has asked nothing" in caplog.text


def test_events_must_be_sorted_by_date() -> None:
    calls = [event("CALL_ME_LATER", at, timestamp=9.0) for at in (2.0, 1.5)]
    with pytest.raises(PeerError, match=r"dated 1\.5 s after an event dated 2\.0 s"):
        decode_reply(reply(*calls), 1.0)
