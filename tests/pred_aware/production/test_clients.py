"""Many clients, and such as never end what they begin."""

import asyncio
import signal
import socket
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pred_aware.production import clients
from pred_aware.production.clients import Clients
from pred_aware.production.sockets import listen_at, listening_at
from tests.pred_aware.production.jobs import ended, told_ended
from tests.pred_aware.production.serving import Serving, answer_to
from tests.pred_aware.production.test_service import ANN

FILES = 128
"""How many files the service may have open: fewer than clients come."""


def test_too_many_clients_do_not_block_the_unix_socket(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        place = free.getsockname()
    with Serving(tmp_path, "--port", str(place[1]), files=FILES) as serving:
        with socket.create_connection(place) as asking:
            assert (
                "only at the service's Unix socket"
                in answer_to(asking, told_ended(ended("1")))["error"]
            )
            assert answer_to(asking, ANN)["estimate"] is None
        with ExitStack() as stack:
            came = [stack.enter_context(serving.connected()) for _ in range(2 * FILES)]
            assert came[-1].recv(1) == b""
            assert answer_to(came[0], ANN)["estimate"] is None
            requests = answer_to(came[0], {"ask": "health"})["requests"]
        assert requests["turned_away"] > FILES / 2
        with ExitStack() as stack:
            for _ in range(2 * FILES):
                half = stack.enter_context(socket.create_connection(place))
                half.sendall(b'{"ask":')
            for _ in range(20):
                assert serving.ask(ANN)["estimate"] is None
            now = serving.ask({"ask": "health"})["requests"]
        assert now["turned_away"] - requests["turned_away"] > FILES
        assert serving.end(signal.SIGINT) == 0
        assert serving.errors == ""
        assert not serving.socket.exists()


def test_a_client_with_a_partial_request_is_dropped_before_an_idle_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(line: bytes, received: float, *, trusted: bool) -> dict[str, Any]:
        return {"line": line.decode(), "trusted": trusted, "received": received > 0}

    async def run() -> None:
        counts: Counter[str] = Counter()
        letting_in = Clients(answer, counts, lambda _: None)
        serving = letting_in.serve([listen_at(tmp_path / "s")], [])
        waiting, to_waiting = await asyncio.open_unix_connection(tmp_path / "s")
        half, to_half = await asyncio.open_unix_connection(tmp_path / "s")
        to_half.write(b"{")
        assert await asyncio.wait_for(half.read(), 20) == b""
        to_waiting.write(b"\n")
        assert b"line" in await asyncio.wait_for(waiting.readline(), 20)
        assert counts["lost"] == 1
        await letting_in.stop(serving)
        for writer in (to_waiting, to_half):
            writer.close()

    monkeypatch.setattr(clients, "HALF", 0.01)
    asyncio.run(run())


def test_a_service_that_ends_leaves_the_socket_of_a_newer_one(tmp_path: Path) -> None:
    place = tmp_path / "s"
    with listening_at(place):
        place.unlink()
        newer = listen_at(place)
    with newer, socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(place))
    with listening_at(place):
        assert place.is_socket()
    assert not place.exists()
