"""Ten thousand messages with something wrong in them, each way: refused in words, or right.

Ours are mutated conversations: each message of a conversation that went well is changed, and what
was said before it is said again. Those with the real Batsim are mutated too, where they are there.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pybatsim.batsim import batsim as pybatsim

from pred_aware.execution.in_process import PolicyInProcess
from pred_aware.simulator.errors import PeerError, SimulationError
from pred_aware.simulator.job import EndedJobs
from pred_aware.simulator.messages import DecisionProcess, Event, EventsAt
from pred_aware.simulator.protocol import decode_reply, encode_request
from pred_aware.simulator.simulation import Delays
from schedulers import make_policy
from schedulers.pybatsim.entry_points import easy
from schedulers.pybatsim.requests import RequestError, Requests
from tests.golden.recorded import Conversation
from tests.pred_aware.mutations import mutated
from tests.pred_aware.simulator.world import job, simulate_to_files, write_inputs
from workload_tools.batsim.decisions import CallLater, Decision, Execute, Reject
from workload_tools.batsim.intervals import format_intervals
from workload_tools.batsim.reader import load_raw
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import Platform, read_platform

Message = dict[str, Any]

JOBS = [
    job(1, 0, 4, 10, 20), job(2, 0, 8, 10, 10), job(3, 2, 2, 3, 6), job(4, 5, 10, 4, 9),
    job(5, 6, 1, 9, 5), job(6, 30, 11, 4, 9), job(7, 40, 5, 2, 4),
]  # fmt: skip
PROFILE = {"type": "delay", "delay": 3}
EXTRA = [
    ("REGISTER_PROFILE", {"workload_name": "d", "profile_name": "p", "profile": PROFILE}),
    ("REGISTER_JOB", {"job_id": "d!1", "job": {"id": "d!1", "res": 1, "profile": "p"}}),
    ("EXECUTE_JOB", {"job_id": "d!1", "alloc": "9", "mapping": {"0": "0"}}),
    ("SET_JOB_METADATA", {"job_id": "d!1", "metadata": "m"}),
    ("CALL_ME_LATER", {"timestamp": 3.5}),
    ("KILL_JOB", {"job_ids": ["d!1"]}),
    ("NOTIFY", {"type": "registration_finished"}),
]
"""What no policy of ours says."""


MESSAGES = 10_000
"""How many are mutated each way."""

TYPES: dict[str, dict[str, type]] = {
    "EXECUTE_JOB": {"job_id": str, "alloc": str},
    "REJECT_JOB": {"job_id": str},
    "KILL_JOB": {"job_ids": list},
    "CALL_ME_LATER": {"timestamp": float},
    "SET_JOB_METADATA": {"job_id": str, "metadata": str},
    "NOTIFY": {"type": str},
    "REGISTER_JOB": {"job_id": str, "job": dict},
    "REGISTER_PROFILE": {"workload_name": str, "profile_name": str, "profile": dict},
    "ANSWER": {},
    "SIMULATION_BEGINS": {"nb_compute_resources": int, "config": dict, "profiles": dict},
    "SIMULATION_ENDS": {},
    "JOB_SUBMITTED": {"job_id": str, "job": dict},
    "JOB_COMPLETED": {"job_id": str, "job_state": str, "return_code": int, "alloc": str},
    "REQUESTED_CALL": {},
}
"""What data must hold, as Batsim's documentation has it."""


def refuse(constant: str) -> None:
    raise ValueError(constant)


def is_a(value: object, kind: type) -> bool:
    return type(value) in ((int, float) if kind is float else (kind,))


def forbidden(text: bytes, now: float) -> bool:
    """Say whether Batsim's documentation forbids a message: its form, dates, types and fields."""
    try:
        message = json.loads(text, parse_constant=refuse)
        date, events = message["now"], message["events"]
        dates = [event["timestamp"] for event in events]
        return not (
            is_a(date, float)
            and is_a(events, list)
            and all(is_a(other, float) for other in dates)
            and now <= date
            and [*dates, date] == sorted([*dates, date])
            and all(
                is_a(event["data"].get(name, event), kind)
                for event in events
                for name, kind in TYPES[event["type"]].items()
            )
            and all(is_a(event["data"], dict) for event in events)
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return True


def wire(decision: Decision) -> Message:
    """Write a decision of one of our policies."""
    match decision:
        case Execute(date, job_id, intervals):
            data: Message = {"job_id": job_id, "alloc": format_intervals(intervals)}
            return {"timestamp": date, "type": "EXECUTE_JOB", "data": data}
        case Reject(date, job_id):
            return {"timestamp": date, "type": "REJECT_JOB", "data": {"job_id": job_id}}
        case CallLater(date, at):
            return {"timestamp": date, "type": "CALL_ME_LATER", "data": {"timestamp": at}}
    raise AssertionError(decision)


class Writing:
    """A policy whose conversation is written down, with what no policy of ours says in it."""

    scheduling_time = 0.0

    def __init__(self, *, extra: bool = True) -> None:
        self.requests: list[Message] = []
        self.replies: list[Message] = []
        self._peer = PolicyInProcess(make_policy("easy", {"predictor": "last_two"}))
        self._extra = EXTRA if extra else []

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Answer; see `DecisionProcess`."""
        # it must receive nothing about jobs that it did not register
        own = [
            msgspec.structs.replace(e, ended=[job for job in e.ended if job.workload != "d"])
            if isinstance(e, EventsAt)
            else e
            for e in events
        ]
        decisions, date = self._peer.exchange(now, own)
        said = [wire(decision) for decision in decisions]
        if len(self.requests) == 1:
            said += [{"timestamp": now, "type": kind, "data": data} for kind, data in self._extra]
        self.requests.append(json.loads(encode_request(now, events)))
        self.replies.append({"now": date, "events": said})
        return decode_reply(json.dumps(self.replies[-1]).encode(), now)


class Mutating:
    """A decision process that repeats a conversation, changes one reply, and then is silent."""

    scheduling_time = 0.0

    def __init__(self, replies: Sequence[Message], at: int, random: Random) -> None:
        self._replies = iter([*[json.dumps(reply).encode() for reply in replies[:at]], b""])
        self._spoilt = mutated(replies[at], random)
        self.asked = 0

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Answer; see `DecisionProcess`."""
        reply = next(self._replies, b'{"now": %d, "events": []}' % math.ceil(now))
        decisions = decode_reply(reply or self._spoilt, now, earliest=events[0].date)
        assert reply or not forbidden(self._spoilt, now), self._spoilt
        return decisions


@dataclass(frozen=True)
class World:
    """A machine, and the jobs of our own conversation."""

    platform: Platform
    workload: RawWorkload
    prefix: Path

    def simulate(
        self, peer: DecisionProcess, delays: Delays = "none", *, dynamic: bool
    ) -> EndedJobs:
        return simulate_to_files(
            self.platform, self.workload, peer, prefix=self.prefix, delays=delays,
            dynamic_jobs=dynamic,
        ).past  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    write_inputs(tmp_path, JOBS)
    return World(
        read_platform(tmp_path / "platform.xml"),
        load_raw(tmp_path / "workload.json"),
        tmp_path / "out",
    )


def assert_nobody_shares(past: EndedJobs) -> None:
    """See that no processor had two jobs at a time."""
    uses = sorted(
        (processor, start, end)
        for start, end, intervals in zip(past.start, past.end, past.intervals, strict=True)
        for first, last in intervals
        for processor in range(first, last + 1)
    )
    for (one, _, end), (other, start, _) in pairwise(uses):
        # a job that takes no time is written down as taking 1e-5 s
        assert one != other or end <= start + 2e-5


@pytest.mark.slow
@pytest.mark.parametrize("delays", ["none", "batsim"])
def test_a_mutated_reply_is_valid_or_refused_with_a_message(world: World, delays: Delays) -> None:
    whole = Writing()
    world.simulate(whole, delays, dynamic=True)
    random = Random(7)  # noqa: S311 - the same messages each time
    said: list[str] = []
    for number in range(MESSAGES // 2):
        peer = Mutating(whole.replies, number % len(whole.replies), random)
        try:
            past = world.simulate(peer, delays, dynamic=True)
        except SimulationError as error:
            said.append(str(error))
        else:
            assert_nobody_shares(past)
    assert max(map(len, said)) < 1000
    assert 0.5 < len(said) / (MESSAGES // 2) < 1.0
    assert len(list(world.prefix.parent.iterdir())) in (2, 5)


def test_a_mutated_reply_from_a_real_conversation_is_refused(
    shared: Path,
) -> None:
    random = Random(8)  # noqa: S311 - the same messages each time
    seen = 0
    for path in sorted(shared.glob("golden/transcripts/*/transcript.jsonl.gz")):
        whole = Conversation.read(path.with_suffix(""))
        seen += len(whole.replies)
        for request, reply in list(zip(whole.requests, whole.replies, strict=True))[:100]:
            text = mutated(reply, random)
            with suppress(PeerError):
                decode_reply(text, request["now"])
                assert not forbidden(text, request["now"]), text
    assert seen > 1000


@given(
    st.binary(max_size=300)
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda parts: (
            st.lists(parts)
            | st.dictionaries(
                st.sampled_from(["now", "events", "timestamp", "type", "data"]) | st.text(), parts
            )
        ),
    ).map(lambda value: json.dumps(value).encode())
)
@settings(max_examples=50)
def test_any_bytes_are_a_reply_or_refused(message: bytes) -> None:
    with suppress(PeerError):
        decode_reply(message, 0.0)
        assert not forbidden(message, 0.0)


class Silence(BaseException):
    """Batsim says nothing more."""


class Socket:
    """Replaces pybatsim's socket: returns the given messages."""

    said: Iterator[str]

    def poll(self, _timeout: int | None) -> bool:
        """Say that there is a message."""
        return True

    def recv(self) -> bytes:
        """Say the next message."""
        text = next(self.said, None)
        if text is None:
            raise Silence
        return text.encode()

    def send(self, message: bytes) -> None:
        """Hear a reply."""
        assert not forbidden(message, 0.0)


class Batsim:
    """Takes the place of pybatsim's connection."""

    socket_endpoint = "ipc:///nowhere"
    timeout = 0

    def __init__(self, endpoint: str, timeout: int) -> None:
        """Be made as pybatsim makes it."""
        self.connection = Socket()

    def bind(self) -> None:
        """Ignore all addresses."""

    def close(self) -> None:
        """Do nothing."""


def decided(requests: Iterator[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pybatsim run one of our schedulers to the end."""
    monkeypatch.setattr(Socket, "said", requests, raising=False)
    bs = pybatsim.Batsim(easy({"predictor": "last_two"}), "", 0)
    bs.start()


@pytest.mark.parametrize("scheduler", ["easy_bf", "conservative_bf", "filler"])
def test_a_mutated_request_of_the_real_batsim_is_valid_or_refused(
    shared: Path, scheduler: str
) -> None:
    random = Random(10)  # noqa: S311 - the same messages each time
    name = f"golden/transcripts/kth400-{scheduler}/transcript.jsonl"
    whole = Conversation.read(shared / name)
    requests = Requests()
    before = 0.0
    for request, reply in list(zip(whole.requests, whole.replies, strict=True))[:150]:
        for _ in range(5):
            text = mutated(request, random)
            with suppress(RequestError):
                deepcopy(requests).read(text)
                assert not forbidden(text, before), text
        requests.read(json.dumps(request))
        before = request["now"]
        for event in reply["events"]:
            assert event["type"] == "EXECUTE_JOB"
            requests.started(event["data"]["job_id"])


@pytest.mark.slow
def test_a_mutated_request_is_valid_or_refused_with_a_message(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pybatsim, "NetworkHandler", Batsim)
    whole = Writing(extra=False)
    world.simulate(whole, dynamic=False)
    texts = [json.dumps(request) for request in whole.requests]
    decided(iter(texts), monkeypatch)
    random = Random(9)  # noqa: S311 - the same messages each time
    refused: list[tuple[Any, ...]] = []
    for number in range(MESSAGES):
        at = number % len(texts)
        spoilt = mutated(whole.requests[at], random).decode("utf-8", "replace")
        capsys.readouterr()
        try:
            decided(iter([*texts[:at], spoilt]), monkeypatch)
        except SystemExit as end:
            refused.append((end.code, *re.findall("^.{17}", capsys.readouterr().err, re.MULTILINE)))
        except Silence:
            before = whole.requests[at - 1]["now"] if at else 0.0
            assert not forbidden(spoilt.encode(), before), spoilt
    assert set(refused) == {(2, "pybatsim: error: ")}
    assert 0.5 < len(refused) / MESSAGES < 1.0
