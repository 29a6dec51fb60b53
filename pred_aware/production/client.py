"""Asking the service, for commands; the PBS hook has its own few lines."""

import socket
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.errors import PredAwareError


def ask(place: Path, request: dict[str, Any], *, patience: float = 10.0) -> dict[str, Any]:
    """Ask the service at a Unix socket one thing.

    Parameters
    ----------
    place
        The socket.
    request
        See docs/production.md.
    patience
        In seconds.

    Raises
    ------
    PredAwareError
        Nobody listens there, there is no answer in time, or the answer is an error.
    """
    received = b""
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(patience)
            asking.connect(str(place))
            asking.sendall(msgspec.json.encode(request) + b"\n")
            while not received.endswith(b"\n"):
                part = asking.recv(1 << 16)
                if not part:
                    break
                received += part
    except OSError as error:
        raise PredAwareError(
            f"{place}: no service answers there: {error.strerror or error}"
        ) from error
    if not received.endswith(b"\n"):
        raise PredAwareError(f"{place}: the service has hung up without an answer")
    answer: dict[str, Any] = msgspec.json.decode(received)
    if "error" in answer:
        raise PredAwareError(f"{place}: {answer['error']}")
    return answer
