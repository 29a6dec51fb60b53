"""A decision process at the other end of a ZeroMQ socket."""

import sys
from collections.abc import Callable
from time import monotonic, perf_counter, sleep
from types import TracebackType
from typing import IO, Self

import zmq

from pred_aware.simulator.errors import PeerError
from pred_aware.simulator.messages import Begins, Decision, Event
from pred_aware.simulator.protocol import decode_reply, encode_request

LOOK_EVERY = 100
"""How often one looks whether the process at the other end still lives, in milliseconds."""

LAST_WORDS = 2.0
"""How long a process of ours that hung up may take to end, in seconds."""

_HANDSHAKE = int(zmq.EVENT_HANDSHAKE_SUCCEEDED)
_DISCONNECTED = int(zmq.EVENT_DISCONNECTED)


class SocketPeer:
    """Speaks Batsim's protocol with a decision process: REQ, it connects, the other binds.

    Parameters
    ----------
    endpoint
        Where the decision process listens, such as ``tcp://localhost:28000``.
    connect_timeout
        How long it may take until somebody is there, in seconds.
    answer_timeout
        How long an answer may take, in seconds.
    why_dead
        Says why the decision process, started by us, is no longer there; ``None`` while it lives.
        Left out for one that somebody else started.
    forward_profiles, scheduler_configuration
        As for `encode_request`.
    transcript
        Where every message is written as it passes, a JSON object a line with ``from`` (``batsim``
        or ``decision_process``) and ``message``.

    Attributes
    ----------
    scheduling_time : float
        Seconds between requests and replies so far, transport included.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        connect_timeout: float = 30.0,
        answer_timeout: float = 600.0,
        why_dead: Callable[[], str | None] | None = None,
        forward_profiles: bool = False,
        scheduler_configuration: str = "",
        transcript: IO[bytes] | None = None,
    ) -> None:
        self.scheduling_time = 0.0
        self._endpoint = endpoint
        self._connect_timeout = connect_timeout
        self._answer_timeout = answer_timeout
        self._why_dead = why_dead
        self._forward_profiles = forward_profiles
        self._scheduler_configuration = scheduler_configuration
        self._transcript = transcript
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.REQ)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._monitor = self._socket.get_monitor_socket(_HANDSHAKE | _DISCONNECTED)
        self._connected = False

    def connect(self) -> None:
        """Wait until somebody listens at the endpoint.

        Raises
        ------
        PeerError
            Nobody does in time, or it is not an address.
        """
        try:
            self._socket.connect(self._endpoint)
        except zmq.ZMQError as error:
            raise PeerError(
                f"{self._endpoint!r} is not an address to connect to ({error}); give one such as "
                "tcp://localhost:28000 or ipc:///tmp/socket with -s"
            ) from error
        deadline = monotonic() + self._connect_timeout
        while not (self._monitor.poll(LOOK_EVERY) and self._heard() == _HANDSHAKE):
            self._check_alive("before it listened")
            if monotonic() > deadline:
                raise PeerError(
                    f"nobody answers at {self._endpoint} after {self._connect_timeout:g} s; start "
                    "the decision process, such as `pybatsim easy_bf`, or give its address with -s"
                )
        self._connected = True

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Send a request and wait for its reply; see `DecisionProcess`.

        Raises
        ------
        PeerError
            The decision process is gone or silent, or its reply can't be understood.
        """
        if not self._connected:
            self.connect()
        request = encode_request(
            now,
            events,
            forward_profiles=self._forward_profiles,
            scheduler_configuration=self._scheduler_configuration
            if type(events[0]) is Begins
            else "",
        )
        began = perf_counter()
        self._socket.send(request)
        if not self._socket.poll(LOOK_EVERY):
            self._wait(now)
        reply = self._socket.recv()
        self.scheduling_time += perf_counter() - began
        if self._transcript is not None:
            self._transcript.write(b'{"from":"batsim","message":%b}\n' % request)
            self._transcript.write(b'{"from":"decision_process","message":%b}\n' % reply)
        return decode_reply(reply, now)

    def _wait(self, now: float) -> None:
        deadline = monotonic() + self._answer_timeout
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._monitor, zmq.POLLIN)
        while True:
            ready = dict(poller.poll(LOOK_EVERY))
            if self._socket in ready:
                return
            if self._monitor in ready:
                if self._heard() == _DISCONNECTED:
                    self._check_alive(f"at {now} s of the simulation", patience=LAST_WORDS)
                    raise PeerError(
                        f"the decision process at {self._endpoint} hung up at {now} s of the "
                        "simulation without an answer; its own messages say why"
                    )
                continue
            self._check_alive(f"at {now} s of the simulation")
            if monotonic() > deadline:
                raise PeerError(
                    f"the decision process at {self._endpoint} has not answered the request of "
                    f"{now} s for {self._answer_timeout:g} s"
                )

    def _heard(self) -> int:
        """Return the next event of the connection; libzmq writes its number in two bytes."""
        return int.from_bytes(self._monitor.recv_multipart()[0][:2], sys.byteorder)

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
        self._socket.disable_monitor()
        self._monitor.close(linger=0)
        self._socket.close(linger=0)
        self._context.term()

    def __enter__(self) -> Self:
        """Use the peer as a context: the socket is closed at the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the socket."""
        self.close()
