"""Asking at a socket where anything may answer."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.production.client import LONGEST, ask
from pred_aware.production.messages import MessageError, read_request
from tests.pred_aware.command import Command

Answering = Callable[[list[bytes]], Path]
ANSWERS = [
    b"garbage\n", b"[]\n", b"5\n", b'"error"\n', b"\xff\n", b"{}\n{}\n", b"[" * 9000 + b"\n",
    b'{"error": 5}\n', b"x" * 2 * LONGEST, b"{",
]  # fmt: skip


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[Answering]:
    """Answer each client with some bytes, a piece each hundredth of a second."""
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as ending:
        listening.bind(str(place := tmp_path / "s"))
        listening.listen()
        ended, threads = threading.Event(), []

        def answer(pieces: list[bytes]) -> None:
            asking, _ = listening.accept()
            with asking, suppress(OSError):
                for piece in pieces:
                    asking.sendall(piece)
                    if ended.wait(0.01):
                        return

        def begin(pieces: list[bytes]) -> Path:
            threads.append(threading.Thread(target=answer, args=[pieces]))
            threads[-1].start()
            return place

        yield begin
        ended.set()
        with suppress(OSError):
            ending.connect(str(place))
        for thread in threads:
            thread.join()


def test_an_address_without_a_service_gives_a_one_line_error(
    answering: Answering, command: Command
) -> None:
    for answer in ANSWERS:
        command("service", "health", answering([answer])).assert_refused()
        try:
            ask(answering([answer]), {"ask": "pbs"})
        except PredAwareError:
            continue
        pytest.fail(f"{answer[:20]!r} was taken for an answer")
    command("service", "health", answering([b'{"learned": "many"}\n'])).assert_refused(
        "the answer is not from a prediction service"
    )


def test_an_endless_answer_is_cut_off_at_the_usual_timeout(answering: Answering) -> None:
    with pytest.raises(PredAwareError, match="timed out"):
        ask(answering([b"x"] * 10_000), {"ask": "health"}, patience=0.1)


def test_an_invalid_walltime_is_refused() -> None:
    for walltime in (b"-1", b"0", b"-0.5"):
        with pytest.raises(MessageError, match=r"expected a number above 0.0 in job.walltime"):
            read_request(b'{"ask": "estimate", "job": {"walltime": %s}}' % walltime)
