"""The schedulers as classes of pybatsim up to 4.0.0a0: ``pybatsim NAME -o OPTIONS``.

pybatsim loads the modules of the entry points until it finds the name, so this module imports
little. A class needs no base class: pybatsim calls the ``on...`` methods and sets itself as ``bs``.
"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from schedulers.pybatsim.addresses import warn_of
from schedulers.pybatsim.conversation import Conversation, stop

Untyped: TypeAlias = Any
"""An object of pybatsim, which has no type annotations."""


class PolicyScheduler:
    """Any combination: ``pybatsim policy -o '{"order": "sjf", "backfilling": "easy"}'``.

    For your own policy: ``pybatsim policy -o '{"policy": "site_policy:Class", "option": 3}'``.

    The options are those of `schedulers.factory.make_policy`, and names of files that are written
    at the end: ``estimates_file``, ``blocks_file`` (for a machine of blocks), ``trust_file`` (with
    ``min_concordance``) and ``stops_file`` (for a site). See `schedulers.journal` for the columns.
    """

    name: ClassVar[str] = "policy"

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self._conversation = Conversation(self.name, options)
        self._bs: Untyped = None

    @property
    def bs(self) -> Untyped:
        """The pybatsim object that calls this scheduler."""
        return self._bs

    @bs.setter
    def bs(self, bs: Untyped) -> None:
        self._bs = bs
        network = bs.network
        warn_of(network.socket_endpoint)

        def recv(*, blocking: bool = False) -> Untyped:
            # pybatsim's own loop decodes text, and the first frame of Batsim 5 is not text
            patience = network.timeout if not blocking and (network.timeout or 0) > 0 else None
            if not network.connection.poll(patience):
                return None
            frame = network.connection.recv()
            greeting = self._conversation.greeting(frame)
            if greeting is None:
                return self._conversation.read(frame)
            network.connection.send(greeting)
            return recv(blocking=blocking)

        network.recv = recv
        # Batsim 5.0.0-rc1 needs the final NUL; other versions accept it
        network.send = lambda message: network.connection.send(
            json.dumps(message).encode() + b"\0" * self._conversation.is_version_5
        )

    def onNoMoreEvents(self) -> None:  # noqa: N802 - pybatsim's name
        """Decide, and pass the decisions to pybatsim in their order."""
        events = self._conversation.decide()
        self._bs._events_to_send += events  # noqa: SLF001 - execute_jobs would make new ProcSets
        kinds = [event.get("type", event.get("event_type")) for event in events]
        self._bs.nb_jobs_scheduled += kinds.count("EXECUTE_JOB") + kinds.count("ExecuteJobEvent")
        self._bs.nb_jobs_rejected += kinds.count("REJECT_JOB") + kinds.count("RejectJobEvent")

    def onDeadlock(self) -> None:  # noqa: N802
        """End with an error if Batsim is silent for longer than pybatsim's ``--timeout``."""
        stop("Batsim no longer answers; its own messages may show why, such as a deadlock")

    def nothing(self, *_: Untyped) -> None:
        """Do nothing: the conversation has already read the whole message."""

    onAfterBatsimInit = onBeforeEvents = onSimulationBegins = onJobSubmission = nothing  # noqa: N815
    onJobCompletion = onRequestedCall = onJobsKilled = onNoMoreJobsInWorkloads = nothing  # noqa: N815
    onNoMoreExternalEvents = onSimulationEnds = nothing  # noqa: N815
