"""Read a Batsim workload like a job log."""

import re
from collections.abc import Iterator
from pathlib import Path

from workload_tools.batsim.writer import read_workload
from workload_tools.errors import WorkloadError
from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.report import Report

_OWN_KEY = re.compile(rb'"(subtime|profiles|nb_res)"\s*:')


class BatsimLog:
    """A Batsim workload that is read like a log. All its jobs are kept.

    Parameters
    ----------
    path
        The workload file, plain or gzipped.

    Examples
    --------
    >>> BatsimLog.recognises(Path("kth.json"), b'{"nb_res": 4, "jobs": []}')
    True
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.report = Report()
        self.machine = Machine()

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:  # noqa: ARG004 - as the protocol has it
        """Return True if a file looks like a Batsim workload."""
        # Slurm's JSON has a key "jobs" too, but none of the keys in _OWN_KEY
        return head.lstrip().startswith(b"{") and _OWN_KEY.search(head) is not None

    def jobs(self) -> Iterator[Job]:
        """Yield the workload's jobs in order of submission."""
        workload = read_workload(self.path)
        if not workload.jobs:
            raise WorkloadError(self.path, "has no jobs")
        self.report.read = self.report.kept = len(workload.jobs)
        self.machine.processors = workload.processors
        self.machine.nodes, self.machine.guessed = workload.nodes, workload.guessed
        self.machine.start_time = workload.start_time
        self.machine.time_zone = workload.time_zone
        yield from workload.jobs
