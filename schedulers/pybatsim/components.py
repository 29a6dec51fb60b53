"""The schedulers as components of pybatsim 4.0.0b0, which uses the protocol of Batsim 5.

pybatsim finds them by entry point, except ``fcfs``, because pybatsim has its own ``fcfs``.
"""

import os
from functools import cache
from typing import Any, ClassVar, TypeAlias

from schedulers.combinations import COMBINATIONS
from schedulers.pybatsim.addresses import warn_of
from schedulers.pybatsim.conversation import Conversation, stop

Untyped: TypeAlias = Any
"""An object of pybatsim."""


class _Event:
    """An event as pybatsim sends it."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content

    def to_protocol_dict(self) -> dict[str, Any]:
        return self._content


class PolicyComponent:
    """Any combination: the options are those of `schedulers.pybatsim.adapter.PolicyScheduler`."""

    name: ClassVar[str] = "policy"

    def __init__(self, batsim: Untyped, options: object = None) -> None:
        from pybatsim.batsim import EDCHelloEvent, SimulationFeatures

        self._batsim = batsim
        self._conversation = conversation = Conversation(self.name, options)
        warn_of(os.fsdecode(batsim._endpoint))  # noqa: SLF001 - nothing else tells
        # pybatsim has already received Batsim's first frame
        conversation.greeting(b"\0\0\0\0")
        metadata = batsim.simulation_metadata
        metadata.requested_features |= SimulationFeatures.FORWARD_PROFILES_ON_JOB_SUBMISSION
        name, version = conversation.who
        batsim.append_event(EDCHelloEvent(batsim.time, metadata, name, version, ""))
        batsim.recv_msg = self._receive

    def _receive(self) -> None:
        """Receive a message. pybatsim's own method prints it without a check."""
        import json

        import zmq

        try:
            frame = self._batsim._zmq_socket.recv()  # noqa: SLF001
        except zmq.Again:
            stop("Batsim no longer answers; its own messages may show why, such as a deadlock")
        self._conversation.read(frame)
        self._batsim.deserialize_msg(json.loads(frame.removesuffix(b"\0")))

    def handle_msg(self, _message: Untyped) -> None:
        """Decide, and pass the decisions to pybatsim, sorted by date."""
        events = self._conversation.decide()
        # a reply must have its events in the order of their dates
        for event in sorted(events, key=lambda event: event["timestamp"]):
            self._batsim.append_event(_Event(event))

    def finalize(self) -> None:
        """Do nothing: the files were written at the end of the simulation."""


@cache
def __getattr__(name: str) -> type[PolicyComponent]:
    """Return the class of a scheduler when its entry point is loaded."""
    if name not in COMBINATIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    described = {"name": name, "__module__": __name__, "__doc__": f"The scheduler {name}."}
    return type(name, (PolicyComponent,), described)
