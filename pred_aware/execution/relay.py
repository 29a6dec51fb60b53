"""Stands between Batsim and a decision process, passes messages on, and notices who is silent."""

import math
from collections.abc import Callable
from time import monotonic
from typing import IO, Self

import zmq

from pred_aware.errors import PredAwareError
from pred_aware.simulator.line import LARGEST_REQUEST, Line, UnaskedError
from workload_tools.batsim.protocol import (
    Heads,
    Heads5,
    ProtocolError,
    hello_of,
    is_init_frame,
    read,
)

LOOK_EVERY = 50
"""How often one looks whether both still live, in milliseconds."""


class Party:
    """One of the two whom the relay serves.

    Parameters
    ----------
    name
        What it is called in messages.
    why_dead
        Says why it is no longer there; ``None`` while it lives.
    """

    def __init__(self, name: str, why_dead: Callable[[], str | None]) -> None:
        self.name = name
        self.why_dead = why_dead


class Relay:
    """Passes messages between Batsim, which connects to it, and a decision process that listens.

    The real Batsim waits for ever for a decision process that has died, and so does many a decision
    process for Batsim. Whoever of the two keeps the other waiting for too long, or ends before the
    simulation does, is named in an error.

    Parameters
    ----------
    batsim, decision_process
        The two.
    batsim_endpoint, decision_endpoint
        Where Batsim connects to, and where the decision process listens.
    connect_timeout
        How long it may take until Batsim has said something, in seconds.
    answer_timeout
        How long either may keep the other waiting, in seconds.
    transcript
        Where each message is written as it passes, as `SocketPeer` does.
    """

    def __init__(
        self,
        batsim: Party,
        decision_process: Party,
        *,
        batsim_endpoint: str,
        decision_endpoint: str,
        connect_timeout: float,
        answer_timeout: float,
        transcript: IO[bytes] | None = None,
    ) -> None:
        self._protocol = 4
        self._batsim = batsim
        self._decision_process = decision_process
        self._connect_timeout = connect_timeout
        self._answer_timeout = answer_timeout
        self._transcript = transcript
        self._context = zmq.Context()
        # a REP socket would throw away a message without the empty frame that a REQ puts before it,
        # after saying that one has come
        self._front = self._context.socket(zmq.ROUTER)
        self._poller = zmq.Poller()
        self._poller.register(self._front, zmq.POLLIN)
        self._front.setsockopt(zmq.LINGER, 0)
        self._front.setsockopt(zmq.MAXMSGSIZE, LARGEST_REQUEST)
        try:
            self._front.bind(batsim_endpoint)
            self._back = Line(decision_endpoint)
        except zmq.ZMQError as error:
            self._front.close(linger=0)
            self._context.term()
            raise PredAwareError(
                f"{batsim_endpoint} cannot be listened at, or {decision_endpoint} is no address: "
                f"{error}"
            ) from error

    def run(self, progress: Callable[[int], None] | None = None) -> None:
        """Pass messages on until the simulation has ended.

        Parameters
        ----------
        progress
            Called after each message with the number of jobs that have ended.

        Raises
        ------
        PredAwareError
            One of the two is gone, silent, or says what is no message.
        """
        ended = 0
        patience = self._connect_timeout
        when = "before the simulation began"
        reached = 0.0
        while True:
            self._await(self._poller, self._batsim, self._decision_process, patience, when=when)
            sender, request = self._received(when)
            if not reached and self._protocol == 4 and is_init_frame(request):  # noqa: PLR2004
                self._introduce(sender, request, when)
                continue
            message = self._decoded(request, self._batsim, reached)
            patience = self._answer_timeout
            when = f"at {message.now} s of the simulation"
            reply = self._answered(request, when)
            self._decoded(reply, self._decision_process, message.now)
            reached = message.now
            self._front.send_multipart((sender, b"", reply))
            if self._transcript is not None:
                for who, said in ((b"batsim", request), (b"decision_process", reply)):
                    text = said.removesuffix(b"\0")
                    self._transcript.write(b'{"from":"%b","message":%b}\n' % (who, text))
            kinds = [event.type for event in message.events]
            ended += kinds.count("JOB_COMPLETED") + kinds.count("JobCompletedEvent")
            if progress is not None:
                progress(ended)
            if "SIMULATION_ENDS" in kinds or "SimulationEndsEvent" in kinds:
                return

    def _introduce(self, sender: bytes, frame: bytes, when: str) -> None:
        """Pass on how Batsim 5 begins, and how it is answered."""
        self._protocol = 5
        reply = self._answered(frame, when)
        try:
            hello_of(reply)
        except ProtocolError as error:
            raise PredAwareError(
                f"{self._decision_process.name} answered Batsim 5's beginning with what is no "
                f"hello: {error}"
            ) from error
        self._front.send_multipart((sender, b"", reply))

    def _answered(self, request: bytes, when: str) -> bytes:
        """Pass a request on, and return the reply."""
        try:
            self._back.send(request)
            self._await(
                self._back, self._decision_process, self._batsim, self._answer_timeout, when=when
            )
            return self._back.receive()
        except UnaskedError as error:
            raise PredAwareError(f"{self._decision_process.name} {error}, {when}") from error

    def _received(self, when: str) -> tuple[bytes, bytes]:
        """Take a request, and say from whom it is in the words of ZeroMQ."""
        sender, *frames = self._front.recv_multipart()
        if len(frames) != 2 or frames[0]:  # noqa: PLR2004 - the empty one, and the request
            raise PredAwareError(
                f"{self._batsim.name} sent a message of {len(frames)} frames {when}, which is no "
                "request of a REQ socket"
            )
        return sender, frames[1]

    def _await(
        self,
        line: zmq.Poller | Line,
        awaited: Party,
        other: Party,
        patience: float,
        *,
        when: str,
    ) -> None:
        deadline = monotonic() + patience
        while not line.poll(LOOK_EVERY):
            for party in (awaited, other):
                reason = party.why_dead()
                # what it said last may have come meanwhile
                if reason is not None and not line.poll(0):
                    raise PredAwareError(f"{party.name} ended {when}: {reason}")
            if monotonic() > deadline:
                raise PredAwareError(f"{awaited.name} has said nothing for {patience:g} s, {when}")

    def _decoded(self, message: bytes, sender: Party, reached: float) -> Heads | Heads5:
        """Read a message as far as it matters here: its dates, and the types of its events."""
        try:
            decoded: Heads | Heads5 = (
                read(message, Heads) if self._protocol == 4 else read(message, Heads5)  # noqa: PLR2004
            )
        except ProtocolError as error:
            raise PredAwareError(
                f"{sender.name} said what is no message of Batsim's protocol: {error}"
            ) from error
        if decoded.now < reached:
            raise PredAwareError(
                f"{sender.name} said that it is {decoded.now} s, when it was {reached} s already"
            )
        latest = -math.inf
        for event in decoded.events:
            if not latest <= event.timestamp <= decoded.now:
                raise PredAwareError(
                    f"{sender.name} dated a {event.type} {event.timestamp} s, in a message of "
                    f"{decoded.now} s behind an event of {latest} s; events must stand by date"
                )
            latest = event.timestamp
        return decoded

    def close(self) -> None:
        """Close the sockets."""
        self._front.close(linger=0)
        self._back.close()
        self._context.term()

    def __enter__(self) -> Self:
        """Use the relay as a context: its sockets are closed at the end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        """Close the sockets, after the last message has gone."""
        if kind is None:
            self._front.setsockopt(zmq.LINGER, 1000)
            self._front.close()
        self.close()
