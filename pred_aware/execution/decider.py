"""The decision process of a run: a scheduler of this package under pybatsim, or any command."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pred_aware.errors import PredAwareError
from pred_aware.execution.children import Child
from pred_aware.execution.pybatsim import notes_files, pybatsim
from pred_aware.runs.provenance import command_provenance, scheduler_provenance
from schedulers import make_policy
from schedulers.decisions import notes_of


@dataclass(frozen=True, slots=True)
class Decider:
    """The decision process: a scheduler of this package under pybatsim, or any command."""

    scheduler: str | None = None
    options: Mapping[str, Any] | None = None
    """The scheduler's options, as in `schedulers.make_policy`."""
    command: str | None = None
    """Instead of a scheduler: the program and its arguments, in shell syntax.

    The socket's address replaces ``{endpoint}``, or is appended as ``-s ADDRESS``.
    """
    notes: tuple[str, ...] = ()
    """Kinds of additional files that the scheduler writes (`schedulers.decisions`)."""

    @classmethod
    def of(
        cls, scheduler: str | None, options: Mapping[str, Any], command: str | None
    ) -> "Decider":
        """Create a decider from the user's scheduler and options, or from a command.

        Raises
        ------
        PredictorError, SchedulerError
            The scheduler is unknown, or cannot be created with these options.
        """
        if scheduler is None:
            return cls(command=command)
        return cls(scheduler, options, notes=tuple(notes_of(make_policy(scheduler, options))))

    @property
    def name(self) -> str:
        """Name of the run."""
        return self.scheduler or shlex.split(self.command or "")[0]

    def provenance(self) -> dict[str, Any]:
        """Return the provenance of the decisions, for ``PREFIX_run.json``."""
        if self.scheduler is None:
            return command_provenance(self.command)
        return scheduler_provenance(self.scheduler, self.options or {})

    def start(self, endpoint: str, log: Path, folder: Path) -> Child:
        """Start the process; a scheduler's additional files are written into the folder.

        Raises
        ------
        PredAwareError
            The process cannot be started.
        """
        if self.command is None:
            assert self.scheduler is not None
            options = {**(self.options or {}), **notes_files(self.notes, folder)}
            return pybatsim(self.scheduler, options, endpoint, log)
        return Child("the decision process", arguments_of(self.command, endpoint), log)


def arguments_of(command: str, endpoint: str) -> list[str]:
    """Split a command into arguments, including the socket's address.

    Examples
    --------
    >>> arguments_of("batsched -v easy_bf", "tcp://127.0.0.1:28000")
    ['batsched', '-v', 'easy_bf', '-s', 'tcp://127.0.0.1:28000']
    >>> arguments_of("mine --at {endpoint}", "tcp://127.0.0.1:28000")
    ['mine', '--at', 'tcp://127.0.0.1:28000']
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise PredAwareError(f"--decision-process {command!r}: {error}") from error
    if not arguments:
        raise PredAwareError("--decision-process is empty; give a command such as 'batsched'")
    if not any("{endpoint}" in argument for argument in arguments):
        return [*arguments, "-s", endpoint]
    return [argument.replace("{endpoint}", endpoint) for argument in arguments]
