"""The schedulers as pybatsim classes: ``pybatsim NAME -o OPTIONS``.

pybatsim loads the modules of all entry points until the name fits, so this one imports little. A
class needs no base class: pybatsim calls the ``on...`` methods, and gives it itself as ``bs``.
"""

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeAlias

from predictors.errors import PredictorError
from schedulers.core.job import Job
from schedulers.decisions import Request
from schedulers.errors import SchedulerError
from schedulers.factory import make_policy
from schedulers.notes import KINDS, Notes, notes_of
from schedulers.pybatsim.addresses import WARNING, stays_here
from schedulers.pybatsim.requests import RequestError, Requests
from workload_tools.batsim.decisions import CallLater, Execute, Reject
from workload_tools.batsim.fields import forget_what_came
from workload_tools.batsim.intervals import format_intervals
from workload_tools.printable import on_one_line

logger = logging.getLogger(__name__)

Untyped: TypeAlias = Any
"""An object of pybatsim, which publishes no types."""


def _stop(message: object) -> NoReturn:
    """End the decision process with one line; pybatsim would end it with a traceback."""
    sys.stderr.write(f"pybatsim: error: {on_one_line(str(message))}\n")
    sys.exit(2)


def _write(notes: Notes, path: Path) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            file.writelines(notes.text())
        temporary.replace(path)
    except OSError as error:
        _stop(f"can't write {path}: {error.strerror}")
    finally:
        temporary.unlink(missing_ok=True)


class PolicyScheduler:
    """Any combination: ``pybatsim policy -o '{"order": "sjf", "backfilling": "easy"}'``.

    Or a policy of one's own: ``pybatsim policy -o '{"policy": "site_policy:Class", "option": 3}'``.

    The options are those of `schedulers.factory.make_policy`, and files that are written at the
    end: ``estimates_file`` (see `schedulers.journal.COLUMNS`), on a machine of blocks
    ``blocks_file`` (see `schedulers.machine.block_log.COLUMNS`), and with ``trust`` ``trust_file``
    (see `schedulers.backfilling.trust_log.COLUMNS`).
    """

    name: ClassVar[str] = "policy"

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        files: dict[str, Any] = {}
        scheduler = self.name
        if isinstance(options, Mapping):
            options = dict(options)
            files = {kind: options.pop(f"{kind}_file", None) for kind in KINDS}
            if scheduler == "policy":
                scheduler = options.pop("policy", scheduler)
        try:
            self._policy = make_policy(scheduler, options)
        except (PredictorError, SchedulerError) as error:
            _stop(error)
        notes = notes_of(self._policy)
        self._files: dict[Path, Notes] = {}
        for kind, file in files.items():
            if file is None:
                continue
            if not isinstance(file, str):
                _stop(f"{kind}_file is {file!r}; it must be the name of a file")
            if kind not in notes:
                _stop(f"scheduler '{scheduler}' writes no {kind}_file")
            self._files[Path(file)] = notes[kind]
        self._request = Request(0.0)
        self._last_event = 0.0
        self._bs: Untyped = None
        self._requests = Requests()

    @property
    def bs(self) -> Untyped:
        """The pybatsim object that calls this scheduler."""
        return self._bs

    @bs.setter
    def bs(self, bs: Untyped) -> None:
        self._bs = bs
        network = bs.network
        if not stays_here(network.socket_endpoint):
            warning = WARNING.format(
                endpoint=network.socket_endpoint, instead="-s tcp://127.0.0.1:28000"
            )
            sys.stderr.write(f"pybatsim: warning: {warning}\n")
        receive = network.recv_string

        def recv(*, blocking: bool = False) -> Untyped:
            try:
                text = receive(blocking=blocking)
                if text is None:
                    return None
                message = self._requests.read(text)
            except UnicodeDecodeError as error:
                _stop(f"Batsim sent what is not a message of its protocol: {error}")
            except RequestError as error:
                _stop(error)
            # pybatsim does not tell the dates of the events, which batsched's easy_bf answers with
            if message["events"]:
                self._last_event = message["events"][-1]["timestamp"]
            return message

        network.recv = recv

    def onBeforeEvents(self) -> None:  # noqa: N802 - pybatsim's name
        """Begin a request."""
        now = self._bs.time()
        self._request = Request(now, last_event=self._last_event)

    def onSimulationBegins(self) -> None:  # noqa: N802
        """Take over the machine."""
        try:
            self._policy.begin(self._bs.nb_compute_resources)
        except (PredictorError, SchedulerError) as error:
            _stop(error)

    def onJobSubmission(self, job: Untyped) -> None:  # noqa: N802
        """Note a submission."""
        walltime = job.requested_time
        self._request.submitted.append(
            Job(
                job.id,
                job.submit_time,
                job.requested_resources,
                None if walltime is None or walltime <= 0 else walltime,
                fields=forget_what_came({**job.json_dict}),
                delay=job.profile_dict.get("delay"),
            )
        )

    def onJobCompletion(self, job: Untyped) -> None:  # noqa: N802
        """Note an end."""
        self._request.ended.append(job.id)

    def onRequestedCall(self) -> None:  # noqa: N802
        """Note that a call is due."""
        self._request.called = True

    def onNoMoreEvents(self) -> None:  # noqa: N802
        """Decide, and hand the decisions to pybatsim in their order."""
        request = self._request
        if not (request.submitted or request.ended or request.called):
            return
        try:
            decisions = self._policy.decide(request)
        except (PredictorError, SchedulerError) as error:
            _stop(error)
        requests = self._requests
        messages = self._bs._events_to_send  # noqa: SLF001 - execute_jobs would build ProcSets anew
        for decision in decisions:
            if type(decision) is Execute:
                alloc = format_intervals(decision.intervals)
                data: dict[str, Any] = {"job_id": decision.job_id, "alloc": alloc}
                kind = "EXECUTE_JOB"
                requests.started(decision.job_id)
                self._bs.nb_jobs_scheduled += 1
            elif type(decision) is Reject:
                logger.warning("job %s is rejected: it %s", decision.job_id, decision.reason)
                data = {"job_id": decision.job_id}
                kind = "REJECT_JOB"
                requests.rejected(decision.job_id)
                self._bs.nb_jobs_rejected += 1
            else:
                assert type(decision) is CallLater
                data = {"timestamp": decision.at}
                kind = "CALL_ME_LATER"
                requests.asked_for_call()
            messages.append({"timestamp": decision.date, "type": kind, "data": data})

    def onDeadlock(self) -> None:  # noqa: N802
        """End when Batsim is silent for longer than pybatsim's ``--timeout``."""
        _stop("Batsim does not answer any more; its own messages say why, such as a deadlock")

    def onAfterBatsimInit(self) -> None:  # noqa: N802
        """Do nothing."""

    def onSimulationEnds(self) -> None:  # noqa: N802
        """Write the files that were asked for."""
        for path, notes in self._files.items():
            _write(notes, path)

    def onJobsKilled(self, jobs: Untyped) -> None:  # noqa: N802
        """Do nothing: no policy kills, and a killed job's end is told as well."""

    def onNoMoreJobsInWorkloads(self) -> None:  # noqa: N802
        """Do nothing."""

    def onNoMoreExternalEvents(self) -> None:  # noqa: N802
        """Do nothing."""
