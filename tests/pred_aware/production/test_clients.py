"""Many clients, and such as never end what they begin."""

import asyncio
import socket
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pred_aware.production import clients
from pred_aware.production.clients import Clients
from pred_aware.production.sockets import listen_at, listening_at
from tests.pred_aware.production.serving import Serving, answer_to
from tests.pred_aware.production.test_service import ANN

FILES = 256
"""How many files the service may have open: fewer than clients come."""


def test_those_who_are_not_trusted_keep_nobody_from_the_unix_socket(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Serving(tmp_path, "--port", str(port), files=FILES) as serving, ExitStack() as stack:
        for _ in range(2 * FILES):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            half.sendall(b'{"ask":')
        for _ in range(20):
            assert serving.ask(ANN)["estimate"] is None
        requests = serving.ask({"ask": "health"})["requests"]
        assert requests["turned_away"] > FILES
        assert serving.end() == 0
        assert serving.errors == ""


def test_more_clients_than_files_may_be_open_are_turned_away_without_a_word(tmp_path: Path) -> None:
    with Serving(tmp_path, files=FILES) as serving:
        with ExitStack() as stack:
            came = [stack.enter_context(serving.connected()) for _ in range(2 * FILES)]
            assert came[-1].recv(1) == b""
            assert answer_to(came[0], ANN)["estimate"] is None
            requests = answer_to(came[0], {"ask": "health"})["requests"]
        assert requests["turned_away"] > FILES / 2
        assert serving.end() == 0
        assert serving.errors == ""


def test_a_client_with_half_a_request_is_let_go_before_one_that_has_not_begun(
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
