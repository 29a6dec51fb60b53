"""A relay between Batsim and a decision process, which passes messages and enforces time limits."""

import math
from collections.abc import Callable
from time import monotonic
from typing import IO, Self

import zmq

from pred_aware.errors import PredAwareError
from pred_aware.simulator.peer import LARGEST_REQUEST, Line, UnexpectedMessageError
from workload_tools.batsim.protocol import (
    Heads,
    Heads5,
    ProtocolError,
    hello_of,
    is_init_frame,
    read,
)

LOOK_EVERY = 50
"""Milliseconds between checks that both processes are alive."""


class Party:
    """One of the two processes that the relay connects.

    Parameters
    ----------
    name
        Name in messages.
    why_dead
        Returns why the process has ended; ``None`` while it runs.
    """

    def __init__(self, name: str, why_dead: Callable[[], str | None]) -> None:
        self.name = name
        self.why_dead = why_dead


class Relay:
    """Passes messages between Batsim, which connects to the relay, and a decision process.

    The real Batsim waits for ever for a decision process that has died, and many decision processes
    wait for ever for Batsim. If one process is silent for too long, or ends before the simulation,
    the relay raises an error that names this process.

    Parameters
    ----------
    batsim, decision_process
        The two processes.
    batsim_endpoint, decision_endpoint
        Address for Batsim's connection, and address of the decision process.
    connect_timeout
        Longest wait for Batsim's first message, in seconds.
    answer_timeout
        Longest wait for each further message, in seconds.
    transcript
        File to which each message is written, as by `SocketPeer`.
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
        # ROUTER, because a REP socket reports the arrival of a message that lacks a REQ socket's
        # empty frame, and then drops this message
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
                f"{batsim_endpoint} cannot be used, or {decision_endpoint} is not an address: "
                f"{error}"
            ) from error

    def run(self, progress: Callable[[int], None] | None = None) -> None:
        """Pass messages until the simulation has ended.

        Parameters
        ----------
        progress
            Called after each message with the number of ended jobs.

        Raises
        ------
        PredAwareError
            One of the two processes has ended, is silent, or sent something that is not a message.
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
        """Pass on Batsim 5's first message, and its reply."""
        self._protocol = 5
        reply = self._answered(frame, when)
        try:
            hello_of(reply)
        except ProtocolError as error:
            raise PredAwareError(
                f"{self._decision_process.name} answered Batsim 5's first message without a "
                f"valid hello: {error}"
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
        except UnexpectedMessageError as error:
            raise PredAwareError(f"{self._decision_process.name} {error}, {when}") from error

    def _received(self, when: str) -> tuple[bytes, bytes]:
        """Return the sender's ZeroMQ identity, and its request."""
        sender, *frames = self._front.recv_multipart()
        if len(frames) != 2 or frames[0]:  # noqa: PLR2004 - an empty frame, and the request
            raise PredAwareError(
                f"{self._batsim.name} sent a message of {len(frames)} frames {when}, which is not "
                "a "
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
                # the last message of the ended process may have arrived meanwhile
                if reason is not None and not line.poll(0):
                    raise PredAwareError(f"{party.name} ended {when}: {reason}")
            if monotonic() > deadline:
                raise PredAwareError(f"{awaited.name} has sent nothing for {patience:g} s, {when}")

    def _decoded(self, message: bytes, sender: Party, reached: float) -> Heads | Heads5:
        """Decode the dates and event types of a message, and check them."""
        try:
            decoded: Heads | Heads5 = (
                read(message, Heads) if self._protocol == 4 else read(message, Heads5)  # noqa: PLR2004
            )
        except ProtocolError as error:
            raise PredAwareError(
                f"{sender.name} sent an invalid message of Batsim's protocol: {error}"
            ) from error
        if decoded.now < reached:
            raise PredAwareError(f"{sender.name} sent the date {decoded.now} s after {reached} s")
        latest = -math.inf
        for event in decoded.events:
            if not latest <= event.timestamp <= decoded.now:
                raise PredAwareError(
                    f"{sender.name} sent a {event.type} at {event.timestamp} s, in a message at "
                    f"{decoded.now} s after an event at {latest} s; events must be sorted by date"
                )
            latest = event.timestamp
        return decoded

    def close(self) -> None:
        """Close the sockets."""
        self._front.close(linger=0)
        self._back.close()
        self._context.term()

    def __enter__(self) -> Self:
        """Return the relay; its sockets are closed when the block ends."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        """Close the sockets, after sending the last message."""
        if kind is None:
            self._front.setsockopt(zmq.LINGER, 1000)
            self._front.close()
        self.close()
