"""The connection to a decision process. It accepts only replies to requests."""

import sys
from typing import Self

import zmq

LARGEST_REPLY = 64 << 20
"""The largest reply in bytes, enough for half a million decisions."""

LARGEST_REQUEST = 1 << 30
"""The largest request in bytes. The first request has all profiles of all workloads."""

_BACK_AGAIN = 500
"""How long to wait for a peer to listen again after the connection was cut, in milliseconds."""

_READABLE = int(zmq.POLLIN)
_HANDSHAKE = int(zmq.EVENT_HANDSHAKE_SUCCEEDED)
_DISCONNECTED = int(zmq.EVENT_DISCONNECTED)


class UnexpectedMessageError(Exception):
    """A message arrived that is not a reply to a request. The text describes it."""


class Line:
    """Sends requests to a peer with a REP socket, and receives the replies.

    A REQ socket has one fault: it silently drops a second reply to a request, or takes it as the
    reply to the next one. So this is a DEALER socket that sends the same frames as a REQ socket.
    ZeroMQ cuts the connection if a reply has more than `largest` bytes. It raises a `zmq.ZMQError`
    if the endpoint is not an address. An unexpected message raises an `UnexpectedMessageError`.
    """

    def __init__(self, endpoint: str, *, largest: int = LARGEST_REPLY) -> None:
        self.largest = largest
        self._endpoint = endpoint
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, largest)
        # made once, because a socket's own `poll` makes a poller each time
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._monitor = self._socket.get_monitor_socket(_HANDSHAKE | _DISCONNECTED)
        try:
            self._socket.connect(endpoint)
        except zmq.ZMQError:
            self.close()
            raise

    def wait_for_peer(self, milliseconds: int) -> bool:
        """Wait until a ZeroMQ peer listens; return whether it does in time."""
        return bool(self._monitor.poll(milliseconds)) and self._next_event() == _HANDSHAKE

    def send(self, request: bytes) -> None:
        """Send a request. No message may have arrived since the last reply."""
        self.expect_nothing()
        self._socket.send_multipart((b"", request))

    def expect_nothing(self) -> None:
        """Raise an `UnexpectedMessageError` if an unexpected message has arrived."""
        # cheaper than a poll
        if self._socket.get(zmq.EVENTS) & _READABLE:  # type: ignore[operator] # it is a number
            raise UnexpectedMessageError("sent a second reply to one request")

    def poll(self, milliseconds: int) -> bool:
        """Wait for the reply; return whether it has arrived in time."""
        return bool(self._poller.poll(milliseconds))

    def poll_or_cut(self, milliseconds: int) -> tuple[bool, bool]:
        """Wait for the reply; return whether it has arrived, and whether the connection was cut."""
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._monitor, zmq.POLLIN)
        ready = dict(poller.poll(milliseconds))
        there = self._socket in ready
        cut = not there and self._monitor in ready and self._next_event() == _DISCONNECTED
        # a peer may have replied and ended between the two checks
        return there or (cut and self.poll(0)), cut

    def is_back(self) -> bool:
        """Say whether a peer listens after the connection was cut.

        A dead peer does not. A peer whose reply was too large does: ZeroMQ only cut the connection.
        """
        with Line(self._endpoint) as another:
            return another.wait_for_peer(_BACK_AGAIN)

    def receive(self) -> bytes:
        """Receive the reply and check its frames."""
        frames = self._socket.recv_multipart()
        if len(frames) != 2 or frames[0]:  # noqa: PLR2004 - the empty one, and the reply
            raise UnexpectedMessageError(
                f"sent a message of {len(frames)} frames, which is no reply of a REP socket"
            )
        return frames[1]

    def _next_event(self) -> int:
        """Return the number of the connection's next event. libzmq writes it in two bytes."""
        return int.from_bytes(self._monitor.recv_multipart()[0][:2], sys.byteorder)

    def close(self) -> None:
        """Close the sockets."""
        self._socket.disable_monitor()
        self._monitor.close(linger=0)
        self._socket.close(linger=0)
        self._context.term()

    def __enter__(self) -> Self:
        """Enter a context that closes the connection at its end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the sockets."""
        self.close()
