"""Messages of Batsim 5 with something wrong in them, each way: refused in words, or right."""

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pred_aware.simulator.batprotocol import decode_hello, decode_reply, encode_request
from pred_aware.simulator.errors import PeerError, SimulationError
from pred_aware.simulator.messages import Event
from schedulers.pybatsim.batprotocol import first_frame
from schedulers.pybatsim.conversation import Conversation
from schedulers.pybatsim.requests import RequestError, Requests
from tests.pred_aware.mutations import mutated
from tests.pred_aware.simulator.world import job, simulate_to_files, write_inputs
from workload_tools.batsim.batprotocol import Features
from workload_tools.batsim.decisions import Decision
from workload_tools.batsim.protocol import hello_frame, init_frame
from workload_tools.batsim.reader import load_raw
from workload_tools.platform.reader import read_platform

MESSAGES = 300
"""How many are mutated of each kind; `slow` tests take five times as many."""

FEATURES = Features(True, True, True, True, True, True)
JOBS = [
    job(1, 0, 4, 10, 20) | {"user_id": 7}, job(2, 0, 8, 10, 10), job(3, 2, 2, 3, 6),
    job(4, 5, 10, 4, 9), job(5, 6, 1, 9, 5), job(6, 30, 11, 4, 9), job(7, 40, 5, 2, 4),
]  # fmt: skip
DELAY = {"id": "d!p", "profile_type": "DelayProfile", "profile": {"delay": 5}}
SEQUENCE = {
    "id": "d!s", "profile_type": "SequentialCompositionProfile", "extra_data": "{}",
    "profile": {"repetition_count": 2, "profile_ids": ["d!p"]},
}  # fmt: skip
JOB = {"profile_id": "d!s", "resource_request": 2, "walltime": 9.0, "extra_data": '{"user": 7}'}
PLACED = {
    "host_allocation": "0-1", "executor_placement_type": "CustomExecutorToHostMapping",
    "executor_placement": {"mapping": [0, 1]},
}  # fmt: skip
CALL = {"call_me_later_id": "a", "when_type": "OneShot", "when": {"time": 5, "time_unit": "Second"}}
SAID = [
    ("RegisterProfile", {"profile": DELAY}), ("RegisterProfile", {"profile": SEQUENCE}),
    ("RegisterJob", {"job_id": "d!1", "job": JOB}), ("RejectJob", {"job_id": "w0!2"}),
    ("ExecuteJob", {"job_id": "d!1", "allocation": PLACED}), ("CallMeLater", CALL),
    ("KillJobs", {"job_ids": ["d!1"]}), ("FinishRegistration", {}),
]  # fmt: skip
REPLY = {
    "now": 0.0,
    "events": [
        {"timestamp": 0.0, "event_type": f"{kind}Event", "event": data} for kind, data in SAID
    ],
}


class Listening:
    """A scheduler of ours; keeps Batsim's messages, and what it knew before each."""

    scheduling_time = 0.0

    def __init__(self) -> None:
        self._conversation = Conversation("easy", {"predictor": "last_two", "call_margin": 0.3})
        self._conversation.greeting(init_frame(""))
        self.heard: list[tuple[Requests, dict[str, Any]]] = []

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        message = encode_request(now, events, FEATURES)
        before = deepcopy(self._conversation._requests)  # noqa: SLF001
        self.heard.append((before, json.loads(message[:-1])))
        self._conversation.read(message)
        reply = {"now": now, "events": self._conversation.decide()}
        return decode_reply(json.dumps(reply).encode(), now, earliest=events[0].date)


class Saying:
    """Says one thing about the first jobs, and nothing more."""

    scheduling_time = 0.0

    def __init__(self, reply: bytes) -> None:
        self._replies = iter([b'{"now": 0, "events": []}', reply])

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        encode_request(now, events, FEATURES)
        reply = next(self._replies, b'{"now": %r, "events": []}' % now)
        return decode_reply(reply, now, earliest=events[0].date)


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_mutated_message_is_valid_or_refused_with_a_message(tmp_path: Path, times: int) -> None:
    write_inputs(tmp_path, JOBS)
    platform = read_platform(tmp_path / "platform.xml")
    raw = load_raw(tmp_path / "workload.json")
    listening = Listening()
    simulate_to_files(platform, raw, listening, prefix=tmp_path / "out")
    random, said = Random(5), list[str]()  # noqa: S311 - the same messages each time
    for number in range(MESSAGES * times):
        before, message = listening.heard[number % len(listening.heard)]
        try:
            deepcopy(before).read(mutated(message, random))
        except RequestError as error:
            said.append(str(error))
        try:
            peer = Saying(mutated(REPLY, random))
            simulate_to_files(
                platform, raw, peer, prefix=tmp_path / "out", dynamic_jobs=True, acknowledged=True
            )
        except SimulationError as error:
            said.append(str(error))
        try:
            hello = json.loads(first_frame("name", "1")[4:])
            decode_hello(hello_frame(mutated(hello, random)))
        except PeerError as error:
            said.append(str(error))
    assert max(map(len, said)) < 1000
    # of replies none ends a simulation well, since most jobs are left to wait
    assert 1.5 < len(said) / (MESSAGES * times) < 3.0
