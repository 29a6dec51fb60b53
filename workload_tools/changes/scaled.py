"""Change a log's load: change the times between submissions, or the machine's size."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from workload_tools.errors import InputError
from workload_tools.job import Job, later
from workload_tools.log import LONGEST_SPAN, Machine

if TYPE_CHECKING:
    from workload_tools.log import Log
    from workload_tools.report import Report


ScaleBy = Literal["arrivals", "machine"]


class ScalingError(InputError):
    """A log's load cannot be changed as requested."""


class ScaledLog:
    """A log whose load is multiplied by a factor.

    Jobs keep their sizes, run times and walltimes. Recorded waits are removed, because they belong
    to the original load.

    Parameters
    ----------
    log
        The log, which has not been read yet.
    factor
        Factor for the load, above 0.
    by
        ``arrivals`` divides the times between submissions by the factor, rounded to whole seconds.
        So the daily cycle becomes shorter or longer too. ``machine`` divides the machine's
        processors and nodes. Schedulers then reject jobs that are larger than the new machine.
    path
        The log's name, for error messages.
    processors
        The size of the original machine, if the log lacks it or states a wrong size.

    Raises
    ------
    ScalingError
        The factor is not above 0. While the log is read: the machine's size is unknown, the new
        machine has no processor, or submissions span more than a century.
    """

    def __init__(
        self,
        log: "Log",
        factor: float,
        *,
        by: ScaleBy,
        path: object,
        processors: int | None = None,
    ) -> None:
        if not 0.0 < factor < math.inf:
            raise ScalingError(
                path, f"a load cannot be multiplied by {factor:g}; give a factor above 0"
            )
        self.log = log
        self.factor = factor
        self.by = by
        self.path = path
        self.processors = processors
        self.report: Report = log.report
        self.machine = Machine()

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs; see `workload_tools.log.Log`."""
        first = None
        for job in self.log.jobs():
            if first is None:
                first = job.submit_time
                self._tell_machine()
            submit_time = job.submit_time
            if self.by == "arrivals":
                # times are scaled from the first submission, which keeps its date
                submit_time = first + float(round(self._scaled_time(submit_time - first)))
            moved = later(job, submit_time - job.submit_time)
            yield replace(moved, submit_time=submit_time, wait_time=None)
        self._tell_machine()
        if self.by == "machine":
            self._check_machine()

    def _scaled_time(self, seconds: float) -> float:
        scaled = seconds / self.factor
        if abs(scaled) > LONGEST_SPAN:
            raise ScalingError(
                self.path,
                f"with a load factor of {self.factor:g}, the log would span over 100 years",
            )
        return scaled

    def _tell_machine(self) -> None:
        original, machine = self.log.machine, self.machine
        machine.processors = self.processors or original.processors
        machine.nodes = original.nodes
        machine.guessed = original.guessed and self.processors is None
        machine.start_time, machine.time_zone = original.start_time, original.time_zone
        machine.origin = [*original.origin, f"Note: load multiplied by {self.factor:g}"]
        if self.by == "machine":
            machine.processors = self._scaled(machine.processors)
            machine.nodes = self._scaled(machine.nodes)

    def _scaled(self, size: int | None) -> int | None:
        return None if size is None else round(size / self.factor)

    def _check_machine(self) -> None:
        size = self.processors or self.log.machine.processors
        if size is None:
            raise ScalingError(
                self.path,
                "does not contain the machine's size: give --processors N",
            )
        if not self._scaled(size):
            raise ScalingError(
                self.path, f"{size} processors divided by {self.factor:g} is less than 1 processor"
            )
