"""The scheduler's side of the conversation with Batsim, for both versions of the protocol."""

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from predictors.errors import PredictorError
from schedulers.core.job import Job
from schedulers.decisions import KINDS, Decision, Notes, Request, notes_of
from schedulers.errors import SchedulerError
from schedulers.factory import make_policy
from schedulers.pybatsim.batprotocol import event_of, first_frame
from schedulers.pybatsim.requests import Requests
from workload_tools.batsim.decisions import CallLater, Execute, Reject
from workload_tools.batsim.fields import forget_what_came
from workload_tools.batsim.intervals import format_intervals
from workload_tools.batsim.protocol import is_init_frame
from workload_tools.printable import on_one_line

logger = logging.getLogger(__name__)


def stop(message: object) -> NoReturn:
    """End the decision process with a one-line message instead of pybatsim's traceback."""
    sys.stderr.write(f"pybatsim: error: {on_one_line(str(message))}\n")
    sys.exit(2)


def _write(notes: Notes, path: Path) -> None:
    """Write a complete file, or none if writing fails."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            file.writelines(notes.text())
        temporary.replace(path)
    except OSError as error:
        stop(f"cannot write {path}: {error.strerror}")
    finally:
        temporary.unlink(missing_ok=True)


class Conversation:
    """Checks Batsim's messages, lets a policy decide, and writes the policy's files at the end.

    The first frame determines the protocol version. Any error ends the process with a one-line
    message. `scheduler` is the name of a scheduler, or ``policy`` for any combination. `options`
    are the options of `schedulers.factory.make_policy`, file names such as ``estimates_file`` (see
    `KINDS`), and with the scheduler ``policy`` also ``policy``: a scheduler's name or class.
    """

    def __init__(self, scheduler: str, options: object) -> None:
        files: dict[str, Any] = {}
        if isinstance(options, Mapping):
            options = dict(options)
            files = {kind: options.pop(f"{kind}_file", None) for kind in KINDS}
            if scheduler == "policy":
                scheduler = options.pop("policy", scheduler)
        try:
            self._policy = make_policy(scheduler, options)  # type: ignore[arg-type] # it checks
        except (PredictorError, SchedulerError) as error:
            stop(error)
        self.name = scheduler
        notes = notes_of(self._policy)
        self._files: dict[Path, Notes] = {}
        for kind, file in files.items():
            if file is None:
                continue
            if not isinstance(file, str):
                stop(f"{kind}_file is {file!r}; it must be the name of a file")
            if kind not in notes:
                stop(f"scheduler '{scheduler}' writes no {kind}_file")
            self._files[Path(file)] = notes[kind]
        self._requests = Requests()
        self._request = Request(0.0)
        self._profiles: dict[str, dict[str, Any]] = {}

    def greeting(self, frame: bytes) -> bytes | None:
        """Return the answer to Batsim 5's first frame, or ``None`` for any other frame."""
        if self._requests.begun or not is_init_frame(frame):
            return None
        self._requests.version = 5
        return first_frame(*self.who)

    @property
    def who(self) -> tuple[str, str]:
        """The name and version of the decision process."""
        from importlib.metadata import version

        return "pred-aware", version("pred-aware")

    @property
    def is_version_5(self) -> bool:
        """Whether Batsim uses version 5 of the protocol."""
        return self._requests.version == 5  # noqa: PLR2004

    def read(self, frame: bytes) -> dict[str, Any]:
        """Check and record a message, and return it in the form of version 4."""
        try:
            message = self._requests.read(frame)
            events = message["events"]
            last = events[-1]["timestamp"] if events else self._request.last_event
            self._request = Request(message["now"], last_event=last)
            for event in events:
                self._handle(event["type"], event["data"])
        except (PredictorError, SchedulerError) as error:
            stop(error)
        return message

    def decide(self) -> list[dict[str, Any]]:
        """Return the events of the answer, in the order of the decisions."""
        request = self._request
        if not (request.submitted or request.ended or request.called):
            return []
        try:
            decisions = self._policy.decide(request)
        except (PredictorError, SchedulerError) as error:
            stop(error)
        return [self._event(decision) for decision in decisions]

    def _handle(self, kind: str, data: dict[str, Any]) -> None:
        request = self._request
        if kind == "SIMULATION_BEGINS":
            self._profiles = data["profiles"]
            self._policy.begin(data["nb_compute_resources"])
        elif kind == "JOB_SUBMITTED":
            request.submitted.append(self._job(data))
        elif kind == "JOB_COMPLETED":
            request.ended.append(data["job_id"])
        elif kind == "REQUESTED_CALL":
            request.called = True
        elif kind == "SIMULATION_ENDS":
            # write the files before the answer, because Batsim's side may read them after it
            for path, notes in self._files.items():
                _write(notes, path)

    def _job(self, data: dict[str, Any]) -> Job:
        job = data["job"]
        walltime = job.get("walltime")
        known = self._profiles.setdefault(job["id"].partition("!")[0], {})
        if data.get("profile") is not None:
            known.setdefault(job["profile"], data["profile"])
        return Job(
            job["id"],
            job["subtime"],
            job["res"],
            None if walltime is None or walltime <= 0 else walltime,
            fields=forget_what_came({**job}),
            delay=known[job["profile"]].get("delay"),
        )

    def _event(self, decision: Decision) -> dict[str, Any]:
        requests, name = self._requests, ""
        data: dict[str, Any]
        match decision:
            case Execute(job_id=job_id, intervals=intervals):
                requests.started(job_id)
                kind, data = "EXECUTE_JOB", {"job_id": job_id, "alloc": format_intervals(intervals)}
            case Reject(job_id=job_id, reason=reason):
                logger.warning("job %s is rejected: it %s", job_id, reason)
                requests.rejected(job_id)
                kind, data = "REJECT_JOB", {"job_id": job_id}
            case CallLater(at=at):
                name = requests.register_call(at)
                kind, data = "CALL_ME_LATER", {"timestamp": at}
        if self.is_version_5:
            return event_of(decision, name)
        return {"timestamp": decision.date, "type": kind, "data": data}
