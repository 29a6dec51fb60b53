"""Where the service listens, and how the one who started it is told."""

import os
import socket
from contextlib import suppress
from pathlib import Path

from pred_aware.errors import PredAwareError

WAITING = 1024
"""How many may wait to be connected, as all do who submit at the same moment."""

_OURS_ALONE = 0o177
_LOOPBACK = "127.0.0.1"


def listen_at(path: Path) -> socket.socket:
    """Listen at a Unix socket that only its owner, and root, may open.

    What a killed service left there is taken away.

    Raises
    ------
    PredAwareError
        Another service listens there, something else has the name, or it can't be made.
    """
    _clear(path)
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(_OURS_ALONE)
    try:
        listening.bind(str(path))
    except OSError as error:
        listening.close()
        raise PredAwareError(f"{path}: can't listen there: {error.strerror or error}") from error
    finally:
        os.umask(before)
    listening.listen(WAITING)
    return listening


def listen_on(port: int) -> socket.socket:
    """Listen at a TCP port that this machine alone can reach.

    Raises
    ------
    PredAwareError
        It is taken.
    """
    try:
        return socket.create_server((_LOOPBACK, port), backlog=WAITING)
    except OSError as error:
        raise PredAwareError(f"{_LOOPBACK}:{port}: can't listen there: {error.strerror}") from error


def _clear(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_socket():
        raise PredAwareError(f"{path}: is there, and is no socket; name another one")
    with socket.socket(socket.AF_UNIX) as trying:
        trying.settimeout(1.0)
        try:
            trying.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            raise PredAwareError(f"{path}: can't be used: {error.strerror or error}") from error
    raise PredAwareError(f"{path}: another service listens there")


def tell_systemd(state: str) -> None:
    """Tell systemd how far we are, where it has started us (``Type=notify``).

    Parameters
    ----------
    state
        Such as ``READY=1``; see sd_notify(3).
    """
    name = os.environ.get("NOTIFY_SOCKET")
    if not name:
        return
    address = f"\0{name[1:]}" if name.startswith("@") else name
    # nothing depends on it here, and systemd says itself that it has heard nothing
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling:
        telling.sendto(state.encode(), address)
