"""Conversations with the real Batsim, message by message."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pred_aware.execution.in_process import PolicyInProcess
from pred_aware.simulator.messages import Event
from pred_aware.simulator.protocol import encode_request
from schedulers import make_policy
from tests.golden.recorded import (
    Conversation,
    Message,
    Replay,
    assert_same_output,
    simulate_recorded,
    unpack,
)
from workload_tools.batsim.decisions import Decision

SMALL = "small_platform.xml"

CONVERSATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "kth60-call-kill-metadata": ("kth60.json.gz", {}),
    "kth60-killer": ("kth60.json.gz", {}),
    "kth60-rejecter": ("kth60.json.gz", {}),
    "kth60-submitter": ("kth60.json.gz", {"dynamic_jobs": True}),
    "kth60-submitter-ack": ("kth60.json.gz", {"dynamic_jobs": True, "acknowledged": True}),
    "kth400-conservative_bf": ("kth400.json.gz", {}),
    "kth400-easy_bf": ("kth400.json.gz", {}),
    "kth400-filler": ("kth400.json.gz", {}),
    "kth400-pybatsim-backfill-easy": ("kth400.json.gz", {}),
    "same-submit-easy_bf": ("test_same_submit_time.json", {"platform": SMALL}),
    "walltime-fcfs": ("test_walltime.json", {"platform": SMALL}),
}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_recorded_decisions_lead_to_the_recorded_requests_and_files(
    shared: Path, tmp_path: Path, name: str
) -> None:
    folder = shared / "golden" / "transcripts"
    recorded = Conversation.read(folder / name / "transcript.jsonl")
    peer = Replay(recorded.replies)
    file, how = CONVERSATIONS[name]
    simulate_recorded(folder, unpack(folder / file, tmp_path), peer, tmp_path / "out", **how)
    for ours, theirs in zip(peer.requests, recorded.requests, strict=True):
        assert ours == theirs
    assert_same_output(folder / name, tmp_path / "out")


def test_a_test_replays_every_recorded_conversation(shared: Path) -> None:
    folders = (shared / "golden" / "transcripts").iterdir()
    assert sorted(CONVERSATIONS) == sorted(path.name for path in folders if path.is_dir())


@dataclass
class Listening:
    """Stores the events that a decision process receives."""

    scheduling_time = 0.0

    inner: PolicyInProcess
    requests: list[Message] = field(default_factory=list)

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        self.requests.append(json.loads(encode_request(now, events)))
        return self.inner.exchange(now, events)


@pytest.mark.parametrize("scheduler", ["easy_bf", "filler", "conservative_bf"])
def test_policies_in_this_process_receive_the_events_that_batsched_received(
    shared: Path, tmp_path: Path, scheduler: str
) -> None:
    folder = shared / "golden" / "transcripts"
    recorded = Conversation.read(folder / f"kth400-{scheduler}" / "transcript.jsonl")
    peer = Listening(PolicyInProcess(make_policy(scheduler)))
    workload = unpack(folder / "kth400.json.gz", tmp_path)
    simulate_recorded(folder, workload, peer, tmp_path / "out")
    for ours, theirs in zip(peer.requests, recorded.requests, strict=True):
        assert ours == theirs
    assert_same_output(folder / f"kth400-{scheduler}", tmp_path / "out")
