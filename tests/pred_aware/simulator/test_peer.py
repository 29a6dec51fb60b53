"""A decision process at the other end of a socket: failures are reported soon."""

import io
import json
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import zmq

from pred_aware.simulator.errors import PeerError
from pred_aware.simulator.messages import EventsAt
from pred_aware.simulator.peer import SocketPeer
from tests.suites import each_case

EMPTY = b'{"now": 1.0, "events": []}'
CALL: list[EventsAt] = [EventsAt(1.0, calls=[""])]

Serve = Callable[..., str]


@pytest.fixture
def folder() -> Iterator[Path]:
    # a short path, since the name of a socket has at most 107 characters
    with tempfile.TemporaryDirectory(prefix="peer-") as path:
        yield Path(path)


@pytest.fixture
def serve(folder: Path) -> Iterator[Serve]:
    """Listen, answer requests with the given replies, wait for the signal to stop, and close."""
    context = zmq.Context()
    endpoint = f"ipc://{folder}/socket"
    stops: list[tuple[Thread, zmq.Socket[bytes]]] = []

    def live(replies: tuple[bytes, ...], listener: zmq.Socket[bytes], *, asked: int) -> None:
        for reply in replies:
            listener.recv()
            listener.send(reply)
        for _ in range(asked - len(replies)):
            listener.recv()
        listener.close(linger=1000)

    def start(*replies: bytes, asked: int = 0, silent: bool = False) -> str:
        listener = context.socket(zmq.REP)
        listener.bind(endpoint)
        if silent:
            stops.append((Thread(), listener))
            return endpoint
        thread = Thread(target=live, args=(replies, listener), kwargs={"asked": asked})
        thread.start()
        stops.append((thread, listener))
        return endpoint

    yield start
    for thread, listener in stops:
        if thread.ident is not None:
            thread.join(10)
        listener.close(linger=0)
    context.term()


def asked(endpoint: str, **options: Any) -> None:  # noqa: ANN401 - of a peer
    with SocketPeer(endpoint, **options) as peer:
        peer.exchange(1.0, [*CALL])


def test_a_reply_has_decisions_and_a_date(serve: Serve) -> None:
    with SocketPeer(serve(EMPTY)) as peer:
        assert peer.exchange(1.0, [*CALL]) == ([], 1.0)
        assert peer.scheduling_time > 0


def test_the_transcript_has_every_message(serve: Serve) -> None:
    transcript = io.BytesIO()
    with SocketPeer(serve(EMPTY), transcript=transcript) as peer:
        peer.exchange(1.0, [*CALL])
    first, second = map(json.loads, transcript.getvalue().splitlines())
    assert (first["from"], first["message"]["events"][0]["type"]) == ("batsim", "REQUESTED_CALL")
    assert second == {"from": "decision_process", "message": {"now": 1.0, "events": []}}


def test_an_endpoint_without_a_listener_is_named(folder: Path) -> None:
    endpoint = f"ipc://{folder}/nobody"
    with pytest.raises(
        PeerError, match=f"no decision process answers at {endpoint} after 0.15 s; start "
    ):
        asked(endpoint, connect_timeout=0.15)


def test_a_listener_that_does_not_speak_zeromq_counts_as_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(PeerError, match="no decision process answers at"):
            asked(endpoint, connect_timeout=0.15)


@each_case(
    "endpoint", ["", "nonsense", "tcp://", "tcp://localhost", "tcp://localhost:x", "http://a:1"]
)
def test_an_invalid_address_is_reported_at_once(endpoint: str) -> None:
    with pytest.raises(PeerError, match=r"is not an address to connect to .*tcp://localhost:28000"):
        asked(endpoint)


def test_a_child_process_that_died_before_listening_is_reported_at_once(folder: Path) -> None:
    with pytest.raises(PeerError, match="ended before it listened: exit code 3"):
        asked(f"ipc://{folder}/nobody", why_dead=lambda: "exit code 3")


def test_a_peer_that_closes_without_a_reply_is_reported_at_once(serve: Serve) -> None:
    with SocketPeer(serve(EMPTY, asked=2)) as peer:
        peer.exchange(1.0, [*CALL])
        with pytest.raises(
            PeerError, match=r"closed the connection at 2\.0 s of the .* without an answer"
        ):
            peer.exchange(2.0, [*CALL])


def test_a_peer_that_left_before_a_request_is_reported_at_once(serve: Serve) -> None:
    with SocketPeer(serve(EMPTY)) as peer:
        peer.exchange(1.0, [*CALL])
        with pytest.raises(PeerError, match=r"closed the connection at 2\.0 s"):
            peer.exchange(2.0, [*CALL])


def test_the_reason_why_a_child_process_died_is_reported_although_it_closed_first(
    serve: Serve,
) -> None:
    reasons = iter([None, None, None, "exit code 3, its last output was: Ouch"])
    with pytest.raises(PeerError, match=r"ended at 1\.0 s of the simulation: exit code 3.*Ouch"):
        asked(serve(asked=1), why_dead=lambda: next(reasons))


def test_a_peer_that_never_replies_ends_in_a_timeout(serve: Serve) -> None:
    with pytest.raises(PeerError, match=r"has not answered the request of 1\.0 s for 0\.15 s"):
        asked(serve(silent=True), answer_timeout=0.15)


def test_an_invalid_message_is_reported(serve: Serve) -> None:
    with pytest.raises(
        PeerError, match=r"at 1\.0 s .*sent an invalid message of Batsim's protocol.*'hello'"
    ):
        asked(serve(b"hello"))
