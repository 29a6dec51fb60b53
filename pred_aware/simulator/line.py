"""A line to a decision process, on which nothing comes unasked."""

import sys
from typing import Self

import zmq

LARGEST_REPLY = 64 << 20
"""The largest reply, in bytes; enough for half a million decisions."""

LARGEST_REQUEST = 1 << 30
"""The largest request, in bytes; the first one holds all profiles of all workloads."""

_BACK_AGAIN = 500
"""The time that a peer which still listens may take to answer another call, in milliseconds."""

_READABLE = int(zmq.POLLIN)
_HANDSHAKE = int(zmq.EVENT_HANDSHAKE_SUCCEEDED)
_DISCONNECTED = int(zmq.EVENT_DISCONNECTED)


class UnaskedError(Exception):
    """A message came that is no reply to a request; the text says which, in half a sentence."""


class Line:
    """Sends requests to somebody who listens with a REP socket, and takes the replies.

    A REQ socket would do, but for one thing: it throws away a second reply to a request without a
    word, or takes it as the reply to the next. So this is a DEALER that puts before each request
    the empty frame that a REQ puts there, which is the same on the wire. ZeroMQ cuts the line when
    a reply has more than `largest` bytes, and raises a `zmq.ZMQError` when the endpoint is no
    address. What comes unasked is an `UnaskedError`.
    """

    def __init__(self, endpoint: str, *, largest: int = LARGEST_REPLY) -> None:
        self.largest = largest
        self._endpoint = endpoint
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, largest)
        # made once: a socket's own `poll` makes one each time
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._monitor = self._socket.get_monitor_socket(_HANDSHAKE | _DISCONNECTED)
        try:
            self._socket.connect(endpoint)
        except zmq.ZMQError:
            self.close()
            raise

    def somebody_listens(self, milliseconds: int) -> bool:
        """Wait for so long until somebody who speaks ZeroMQ is there."""
        return bool(self._monitor.poll(milliseconds)) and self._heard() == _HANDSHAKE

    def send(self, request: bytes) -> None:
        """Send a request, where nothing has come since the last reply was taken."""
        self.expect_nothing()
        self._socket.send_multipart((b"", request))

    def expect_nothing(self) -> None:
        """Check that nothing has come that was not asked for."""
        # cheaper than to poll
        if self._socket.get(zmq.EVENTS) & _READABLE:  # type: ignore[operator] # it is a number
            raise UnaskedError("sent a second reply to one request")

    def poll(self, milliseconds: int) -> bool:
        """Wait for so long for the reply, and say whether it is there."""
        return bool(self._poller.poll(milliseconds))

    def poll_or_cut(self, milliseconds: int) -> tuple[bool, bool]:
        """Wait for so long, and say whether the reply is there, and whether the line was cut."""
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._monitor, zmq.POLLIN)
        ready = dict(poller.poll(milliseconds))
        there = self._socket in ready
        cut = not there and self._monitor in ready and self._heard() == _DISCONNECTED
        # who replies and ends at once may have done both between the two looks
        return there or (cut and self.poll(0)), cut

    def is_back(self) -> bool:
        """Say whether somebody still listens, or again, after the line was cut.

        Who has died does not; who sent a reply that is too large, whereupon ZeroMQ cuts the line
        and leaves it cut, does.
        """
        with Line(self._endpoint) as another:
            return another.somebody_listens(_BACK_AGAIN)

    def receive(self) -> bytes:
        """Take the reply, which must have the frames of one."""
        frames = self._socket.recv_multipart()
        if len(frames) != 2 or frames[0]:  # noqa: PLR2004 - the empty one, and the reply
            raise UnaskedError(
                f"sent a message of {len(frames)} frames, which is no reply of a REP socket"
            )
        return frames[1]

    def _heard(self) -> int:
        """Return the next event of the connection; libzmq writes its number in two bytes."""
        return int.from_bytes(self._monitor.recv_multipart()[0][:2], sys.byteorder)

    def close(self) -> None:
        """Close the sockets."""
        self._socket.disable_monitor()
        self._monitor.close(linger=0)
        self._socket.close(linger=0)
        self._context.term()

    def __enter__(self) -> Self:
        """Use the line as a context: it is closed at the end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the sockets."""
        self.close()
