"""A decision process at the other end of a ZeroMQ socket."""

import re
import sys
from collections.abc import Callable
from functools import cached_property
from time import monotonic, perf_counter, sleep
from typing import IO, NoReturn, Self

import zmq

from pred_aware.simulator import batprotocol
from pred_aware.simulator.errors import PeerError
from pred_aware.simulator.messages import Begins, Ends, Event
from pred_aware.simulator.protocol import decode_reply, encode_request
from workload_tools.batsim.batprotocol import Features
from workload_tools.batsim.decisions import Decision
from workload_tools.batsim.protocol import init_frame

LARGEST_REPLY = 64 << 20
"""The largest reply in bytes, enough for half a million decisions."""

LARGEST_REQUEST = 1 << 30
"""The largest request in bytes. The first request has all profiles of all workloads."""

_BACK_AGAIN = 500
"""Longest wait for a peer to listen again after the connection was cut, in milliseconds."""

_READABLE = int(zmq.POLLIN)
_HANDSHAKE = int(zmq.EVENT_HANDSHAKE_SUCCEEDED)
_DISCONNECTED = int(zmq.EVENT_DISCONNECTED)


class UnexpectedMessageError(Exception):
    """A message arrived that is not a reply to a request. The text describes it."""


class Line:
    """Sends requests to a peer with a REP socket, and receives the replies.

    A REQ socket has one fault: it silently drops a second reply to a request, or treats this reply
    as the answer to the next request. So a DEALER socket sends the same frames as a REQ socket.
    ZeroMQ cuts the connection if a reply has more than `largest` bytes. An endpoint that is not an
    address raises a `zmq.ZMQError`. An unexpected message raises an `UnexpectedMessageError`.
    """

    def __init__(self, endpoint: str, *, largest: int = LARGEST_REPLY) -> None:
        self.largest = largest
        self._endpoint = endpoint
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, largest)
        # created once, because a socket's own `poll` creates a poller each time
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
        # this is cheaper than a poll
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
        """Return whether a peer listens after the connection was cut.

        A peer whose reply was too large still listens, because ZeroMQ only cut the connection.
        """
        with Line(self._endpoint) as another:
            return another.wait_for_peer(_BACK_AGAIN)

    def receive(self) -> bytes:
        """Receive the reply and check its frames."""
        frames = self._socket.recv_multipart()
        if len(frames) != 2 or frames[0]:  # noqa: PLR2004 - an empty frame, and the reply
            raise UnexpectedMessageError(
                f"sent a message of {len(frames)} frames, which is not a reply of a REP socket"
            )
        return frames[1]

    def _next_event(self) -> int:
        """Return the number of the connection's next event, which libzmq writes in two bytes."""
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


LOOK_EVERY = 100
"""The time between two checks that the peer is alive, in milliseconds."""

LAST_WORDS = 2.0
"""How long a process that closed the connection may take to end, in seconds."""

_PORT = re.compile(r"tcp://.*:0*(\d+)", re.ASCII)
_LAST_PORT = 65535


def _check_port(endpoint: str) -> None:
    """Refuse an invalid port, which ZeroMQ would try to reach for ever."""
    match = _PORT.fullmatch(endpoint)
    if match and not (len(match[1]) <= len(str(_LAST_PORT)) and 1 <= int(match[1]) <= _LAST_PORT):
        raise ValueError(f"ports are from 1 to {_LAST_PORT}")


class SocketPeer:
    """Uses Batsim's protocol with a decision process, which binds the address; this side connects.

    `endpoint` is the address at which the decision process listens, such as
    ``tcp://localhost:28000``. The timeouts are the longest waits for a connection and for an
    answer, in seconds. `why_dead` returns why a decision process that this program started has
    ended, or ``None`` while it runs. For `forward_profiles` and `scheduler_configuration` see
    `encode_request`. `transcript` receives every message, as one JSON object per line with ``from``
    (``batsim`` or ``decision_process``) and ``message``. `largest_reply` is a limit in bytes.
    `protocol` is the version of Batsim's protocol, 4 or 5.
    """

    def __init__(  # noqa: PLR0913 - options of a connection
        self,
        endpoint: str,
        *,
        connect_timeout: float = 30.0,
        answer_timeout: float = 600.0,
        why_dead: Callable[[], str | None] | None = None,
        forward_profiles: bool = False,
        scheduler_configuration: str = "",
        transcript: IO[bytes] | None = None,
        largest_reply: int = LARGEST_REPLY,
        protocol: int = 4,
    ) -> None:
        self.scheduling_time = 0.0
        """Seconds between requests and replies so far, transport included."""
        self._endpoint = endpoint
        self._connect_timeout = connect_timeout
        self._answer_timeout = answer_timeout
        self._why_dead = why_dead
        self._forward_profiles = forward_profiles
        self._scheduler_configuration = scheduler_configuration
        self._transcript = transcript
        self._largest_reply = largest_reply
        self._line: Line | None = None
        self._decimals: int | None = None
        self._protocol = protocol

    @cached_property
    def features(self) -> Features | None:
        """The features that a decision process of version 5 requests in its first message."""
        if self._protocol == 4:  # noqa: PLR2004 - the version number
            return None
        frame = init_frame(self._scheduler_configuration)
        return batprotocol.decode_hello(self._send_and_receive(frame, 0.0, last=False))

    def connect(self) -> Line:
        """Wait until a process listens at the endpoint. Raise a `PeerError` after the timeout."""
        try:
            _check_port(self._endpoint)
            self._line = line = Line(self._endpoint, largest=self._largest_reply)
        except (zmq.ZMQError, ValueError) as error:
            raise PeerError(
                f"{self._endpoint!r} is not an address to connect to ({error}); give one such as "
                "tcp://localhost:28000 or ipc:///tmp/socket with -s"
            ) from error
        deadline = monotonic() + self._connect_timeout
        while not line.wait_for_peer(LOOK_EVERY):
            self._check_alive("before it listened")
            if monotonic() > deadline:
                raise PeerError(
                    f"no decision process answers at {self._endpoint} after "
                    f"{self._connect_timeout:g} s; start the decision process, such as "
                    "`pybatsim easy_bf`, or give its address with -s"
                )
        return line

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Send a request and wait for its reply; see `DecisionProcess`.

        Raise a `PeerError` if the decision process is gone, silent, or sends an invalid message.
        """
        first = events[0]
        if type(first) is Begins:
            self._decimals = first.decimals
        features = self.features
        if features is None:
            configuration = self._scheduler_configuration if type(first) is Begins else ""
            request = encode_request(
                now,
                events,
                forward_profiles=self._forward_profiles,
                scheduler_configuration=configuration,
                decimals=self._decimals,
            )
        else:
            request = batprotocol.encode_request(now, events, features, decimals=self._decimals)
        reply = self._send_and_receive(request, now, last=type(events[-1]) is Ends)
        if self._transcript is not None:
            for who, message in (("batsim", request), ("decision_process", reply)):
                said = message.removesuffix(b"\0")
                self._transcript.write(b'{"from":"%b","message":%b}\n' % (who.encode(), said))
        if features is None:
            return decode_reply(reply, now, earliest=first.date)
        return batprotocol.decode_reply(reply, now, earliest=first.date)

    def _send_and_receive(self, request: bytes, now: float, *, last: bool) -> bytes:
        line = self._line or self.connect()
        began = perf_counter()
        try:
            line.send(request)
            if not line.poll(LOOK_EVERY):
                self._wait(line, now)
            reply = line.receive()
            if last:
                line.expect_nothing()
        except UnexpectedMessageError as error:
            raise PeerError(
                f"the decision process at {self._endpoint} {error}, noticed at {now} s of the "
                "simulation"
            ) from error
        self.scheduling_time += perf_counter() - began
        return reply

    def _wait(self, line: Line, now: float) -> None:
        when = f"at {now} s of the simulation"
        deadline = monotonic() + self._answer_timeout
        while True:
            # check the process first, because it may reply and then end
            reason = None if self._why_dead is None else self._why_dead()
            there, cut = line.poll_or_cut(LOOK_EVERY)
            if there:
                return
            if cut:
                self._tell_why_cut(line, when)
            if reason is not None:
                raise PeerError(f"the decision process ended {when}: {reason}")
            if monotonic() > deadline:
                raise PeerError(
                    f"the decision process at {self._endpoint} has not answered the request of "
                    f"{now} s for {self._answer_timeout:g} s"
                )

    def _tell_why_cut(self, line: Line, when: str) -> NoReturn:
        if line.is_back():
            raise PeerError(
                f"the connection to the decision process at {self._endpoint} broke {when}, and it "
                "listens again: either its reply had more than the "
                f"{line.largest >> 20} MiB that are accepted, or it was restarted"
            )
        self._check_alive(when, patience=LAST_WORDS)
        raise PeerError(
            f"the decision process at {self._endpoint} closed the connection {when} without an "
            "answer; see its own messages"
        )

    def _check_alive(self, when: str, *, patience: float = 0.0) -> None:
        if self._why_dead is None:
            return
        deadline = monotonic() + patience
        while True:
            reason = self._why_dead()
            if reason is not None:
                raise PeerError(f"the decision process ended {when}: {reason}")
            if monotonic() >= deadline:
                return
            sleep(0.01)

    def close(self) -> None:
        """Close the socket."""
        if self._line is not None:
            self._line.close()

    def __enter__(self) -> Self:
        """Enter a context that closes the socket at its end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the socket."""
        self.close()
