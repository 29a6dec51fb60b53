"""Where the service listens, and how the one who started it is told."""

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
"""How many may wait to be connected, as all do who submit at the same moment."""

MOST_TRUSTED = 1000
"""How many may be connected at once at the Unix socket; any further one is turned away."""

MOST_OTHERS = 200
"""How many may be at the port, where anybody on the machine can connect."""

_OWN_FILES = 64
"""How many files the service itself may have open, beside its clients."""

_OURS_ALONE = 0o177
_LOOPBACK = "127.0.0.1"


class ClientLimits(NamedTuple):
    """How many clients may be connected at once."""

    trusted: int
    others: int
    """At sockets of either kind."""


def client_limits() -> ClientLimits:
    """Return how many clients there is room for; each takes one of the files that may be open.

    How many may be is raised as far as we may, and as it is wanted.
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
    """Listen at a Unix socket as `listen_at` does, and take it away when the block ends.

    One that somebody else has put there meanwhile stays.

    Raises
    ------
    PredAwareError
        As of `listen_at`.
    """
    listening = listen_at(path, group)
    ours = path.stat()
    try:
        yield listening
    finally:
        # first, so that whoever starts meanwhile sees that nobody listens
        listening.close()
        with suppress(OSError):
            if os.path.samestat(path.lstat(), ours):
                path.unlink()


def listen_at(path: Path, group: str | None = None) -> socket.socket:
    """Listen at a Unix socket that only its owner, root, and the members of a group may open.

    What a killed service left there is taken away.

    Raises
    ------
    PredAwareError
        Another service listens there, another file has the name, it cannot be made, or it cannot be
        given to the group.
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
            why = getattr(error, "strerror", None) or "there is no such group"
            raise PredAwareError(f"--group {group}: cannot open {path} to it: {why}") from error
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
        raise PredAwareError(
            f"{_LOOPBACK}:{port}: cannot listen there: {error.strerror}"
        ) from error


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
            raise PredAwareError(f"{path}: cannot be used: {error.strerror or error}") from error
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
