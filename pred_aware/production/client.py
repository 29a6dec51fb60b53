"""Asking the service, for commands; the PBS hook has its own few lines."""

import socket
import time
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.production.monitoring import Healthy
from workload_tools.expected import in_words

LONGEST = 1 << 16
"""How many bytes an answer may have."""


class _Answer(msgspec.Struct):
    """What any answer may hold; the rest is looked at by the one who asked."""

    error: str | None = None


def ask(place: Path, request: dict[str, Any], *, patience: float = 10.0) -> dict[str, Any]:
    """Ask the service at a Unix socket one thing.

    Parameters
    ----------
    place
        The socket.
    request
        See docs/how-to/production.md.
    patience
        In seconds, until the answer is there to its end.

    Raises
    ------
    PredAwareError
        Nobody listens there, there is no answer in time, or the answer is an error, or none.
    """
    line = _exchange(place, msgspec.json.encode(request) + b"\n", time.monotonic() + patience)
    try:
        error = msgspec.json.decode(line, type=_Answer).error
        answer: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        why = in_words(wrong)
        raise PredAwareError(f"{place}: what answers there is no such service: {why}") from wrong
    if error is not None:
        raise PredAwareError(f"{place}: {error}")
    return answer


def ask_health(place: Path) -> Healthy:
    """Ask the service at a Unix socket how it is.

    Raises
    ------
    PredAwareError
        As of `ask`.
    """
    answer = ask(place, {"ask": "health"})
    try:
        return msgspec.convert(answer, Healthy)
    except msgspec.ValidationError as wrong:
        why = in_words(wrong)
        raise PredAwareError(f"{place}: what answers there is no such service: {why}") from wrong


def _exchange(place: Path, line: bytes, end: float) -> bytes:
    """Send a line, and return the one that is answered by a date of the monotonic clock."""
    received = b""
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(_left(end))
            asking.connect(str(place))
            asking.sendall(line)
            while b"\n" not in received and len(received) <= LONGEST:
                asking.settimeout(_left(end))
                part = asking.recv(LONGEST)
                if not part:
                    break
                received += part
    except OSError as error:
        raise PredAwareError(
            f"{place}: no service answers there: {error.strerror or error}"
        ) from error
    if len(received) > LONGEST:
        raise PredAwareError(
            f"{place}: what answers there is no such service: over {LONGEST:,} bytes"
        )
    if not received.endswith(b"\n"):
        raise PredAwareError(f"{place}: the service has hung up without an answer")
    return received


def _left(end: float) -> float:
    """Return how many seconds are left; none would mean to wait for ever, or not at all."""
    left = end - time.monotonic()
    if left <= 0.0:
        raise TimeoutError("timed out")
    return left
