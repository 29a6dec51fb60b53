"""Requests to the service, for commands; the PBS hook has its own code."""

import socket
import time
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.production.monitoring import Healthy
from workload_tools.expected import in_words

LONGEST = 1 << 16
"""Largest size of an answer, in bytes."""


class _Answer(msgspec.Struct):
    """The field that every answer may have; callers check the other fields."""

    error: str | None = None


def ask(place: Path, request: dict[str, Any], *, patience: float = 10.0) -> dict[str, Any]:
    """Send a request to the service at a Unix socket, and return its answer.

    Parameters
    ----------
    place
        The socket.
    request
        See docs/how-to/production.md.
    patience
        Longest time until the complete answer, in seconds.

    Raises
    ------
    PredAwareError
        No service listens, no answer arrives in time, or the answer is an error or invalid.
    """
    line = _exchange(place, msgspec.json.encode(request) + b"\n", time.monotonic() + patience)
    try:
        error = msgspec.json.decode(line, type=_Answer).error
        answer: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        why = in_words(wrong)
        raise PredAwareError(
            f"{place}: the answer is not from a prediction service: {why}"
        ) from wrong
    if error is not None:
        raise PredAwareError(f"{place}: {error}")
    return answer


def ask_health(place: Path) -> Healthy:
    """Return the health report of the service at a Unix socket.

    Raises
    ------
    PredAwareError
        As in `ask`.
    """
    answer = ask(place, {"ask": "health"})
    try:
        return msgspec.convert(answer, Healthy)
    except msgspec.ValidationError as wrong:
        why = in_words(wrong)
        raise PredAwareError(
            f"{place}: the answer is not from a prediction service: {why}"
        ) from wrong


def _exchange(place: Path, line: bytes, end: float) -> bytes:
    """Send a line and return the answer, which must arrive before `end` (`time.monotonic`)."""
    received = b""
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(_seconds_left(end))
            asking.connect(str(place))
            asking.sendall(line)
            while b"\n" not in received and len(received) <= LONGEST:
                asking.settimeout(_seconds_left(end))
                part = asking.recv(LONGEST)
                if not part:
                    break
                received += part
    except OSError as error:
        raise PredAwareError(f"{place}: no service answers: {error.strerror or error}") from error
    if len(received) > LONGEST:
        raise PredAwareError(
            f"{place}: the answer is not from a prediction service: over {LONGEST:,} bytes"
        )
    if not received.endswith(b"\n"):
        raise PredAwareError(f"{place}: the service closed the connection without an answer")
    return received


def _seconds_left(end: float) -> float:
    """Return the remaining seconds; raise TimeoutError if none remain."""
    left = end - time.monotonic()
    if left <= 0.0:
        raise TimeoutError("timed out")
    return left
