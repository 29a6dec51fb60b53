"""The service's sockets, and messages to systemd."""

import os
import resource
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pred_aware.errors import PredAwareError

WAITING = 1024
"""Largest number of clients, such as simultaneous submissions, that wait to be accepted."""

MOST_TRUSTED = 1000
"""Largest number of clients connected to the Unix socket; further clients are rejected."""

MOST_OTHERS = 200
"""Largest number of clients connected to the port, which anyone on the machine can use."""

_OWN_FILES = 64
"""Number of files that the service itself may open, in addition to its clients' connections."""

_OURS_ALONE = 0o177
_LOOPBACK = "127.0.0.1"


class ClientLimits(NamedTuple):
    """Largest numbers of clients that are connected at the same time."""

    trusted: int
    others: int
    """Limits for the Unix socket, and for the port."""


def client_limits() -> ClientLimits:
    """Return the limits of clients; each needs one open file.

    The limit of open files is raised as far as needed and allowed.
    """
    wanted = MOST_TRUSTED + MOST_OTHERS + _OWN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return ClientLimits(MOST_TRUSTED, MOST_OTHERS)
    share = max(0, soft - _OWN_FILES) / (MOST_TRUSTED + MOST_OTHERS)
    return ClientLimits(max(1, int(share * MOST_TRUSTED)), max(1, int(share * MOST_OTHERS)))


@contextmanager
def listening_at(path: Path, group: str | None = None) -> Iterator[socket.socket]:
    """Listen at a Unix socket as `listen_at` does, and remove it when the block ends.

    A socket that another process has created there meanwhile is not removed.

    Raises
    ------
    PredAwareError
        As in `listen_at`.
    """
    listening = listen_at(path, group)
    ours = path.stat()
    try:
        yield listening
    finally:
        # close the socket first, so that a service that starts now finds no listener
        listening.close()
        with suppress(OSError):
            if os.path.samestat(path.lstat(), ours):
                path.unlink()


def listen_at(path: Path, group: str | None = None) -> socket.socket:
    """Listen at a Unix socket that only its owner, root, and the members of a group may open.

    The socket of a killed service is replaced.

    Raises
    ------
    PredAwareError
        Another service listens there, the path exists as something else, or the socket cannot be
        created or given to the group.
    """
    _clear(path)
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(_OURS_ALONE)
    try:
        listening.bind(str(path))
    except OSError as error:
        listening.close()
        raise PredAwareError(f"{path}: cannot listen there: {error.strerror or error}") from error
    finally:
        os.umask(before)
    if group is not None:
        try:
            shutil.chown(path, group=group)
            path.chmod(0o660)
        except (LookupError, OSError) as error:
            listening.close()
            path.unlink(missing_ok=True)
            why = getattr(error, "strerror", None) or "this group does not exist"
            raise PredAwareError(
                f"--group {group}: cannot give {path} to this group: {why}"
            ) from error
    listening.listen(WAITING)
    return listening


def listen_on(port: int) -> socket.socket:
    """Listen at a TCP port that is reachable only from this machine.

    Raises
    ------
    PredAwareError
        The port is in use.
    """
    try:
        return socket.create_server((_LOOPBACK, port), backlog=WAITING)
    except OSError as error:
        raise PredAwareError(
            f"{_LOOPBACK}:{port}: cannot listen there: {error.strerror}"
        ) from error


def _clear(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_socket():
        raise PredAwareError(f"{path}: exists and is not a socket; give another path")
    with socket.socket(socket.AF_UNIX) as trying:
        trying.settimeout(1.0)
        try:
            trying.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            raise PredAwareError(f"{path}: cannot be used: {error.strerror or error}") from error
    raise PredAwareError(f"{path}: another service is listening there")


def tell_systemd(state: str) -> None:
    """Report the state of the service to systemd, if systemd started it (``Type=notify``).

    Parameters
    ----------
    state
        The state, such as ``READY=1``; see sd_notify(3).
    """
    name = os.environ.get("NOTIFY_SOCKET")
    if not name:
        return
    address = f"\0{name[1:]}" if name.startswith("@") else name
    # errors are ignored: systemd itself reports a missing message
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling:
        telling.sendto(state.encode(), address)
