"""Giving a log the nodes and tasks that it does not tell (paper 000, section 5.2)."""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from workload_tools.changes.inferred.model import NodesAndTasks
from workload_tools.changes.inferred.training import input_row
from workload_tools.job import Job
from workload_tools.log import Log

CEILING = "nodes inferred, too few for the processors: as many taken as these need"

_JOBS_A_BLOCK = 4096


class Inferred:
    """A log of which each job has nodes and tasks; what was inferred is marked.

    What a job has already stays. The trees' number of nodes is not the last word: a job gets at
    least as many as its processors need (paper 000's ceiling rule, for machines whose nodes are
    smaller than those of the log that was learned from), at most one for each processor, and at
    most what the machine has. Its tasks are at least its nodes and at most its processors.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report is this one's.
    model
        What was learned from another log.
    node_processors
        Processors of a node of this log's machine. Without it no ceiling rule.

    Examples
    --------
    >>> from workload_tools.changes.inferred.training import learn_from
    >>> from workload_tools.log import Machine
    >>> from workload_tools.report import Report
    >>> class Made:
    ...     def __init__(self, jobs):
    ...         self.list, self.report, self.machine = jobs, Report(), Machine()
    ...     def jobs(self):
    ...         yield from self.list
    >>> jobs = [Job(id=f"{n}", submit_time=0, processors=96, run_time=1) for n in range(20)]
    >>> model = NodesAndTasks(learn_from(Made([replace(job, nodes=2) for job in jobs]), path="."))
    >>> first = next(Inferred(Made(jobs), model, node_processors=36).jobs())
    >>> first.nodes, first.inferred
    (3, ('nodes',))
    """

    def __init__(
        self, log: Log, model: NodesAndTasks, *, node_processors: int | None = None
    ) -> None:
        self.log = log
        self.model = model
        self.node_processors = node_processors
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs with what was inferred, as `workload_tools.log.Log` has it."""
        for block in _blocks(self.log.jobs()):
            yield from self._told(block)

    def _told(self, block: list[Job]) -> Iterator[Job]:
        import numpy as np

        features = self.model.training.features
        inputs = np.array([input_row(job, features) for job in block])
        numbers = {
            target: self.model.infer(target, inputs).astype(int).tolist()
            for target in self.model.targets
        }
        for index, job in enumerate(block):
            changes = {}
            if job.nodes is None and "nodes" in numbers:
                changes["nodes"] = self._nodes(job, numbers["nodes"][index])
            if job.tasks is None and "tasks" in numbers:
                nodes = changes.get("nodes", job.nodes) or 1
                changes["tasks"] = min(max(numbers["tasks"][index], nodes), job.processors)
            if not changes:
                yield job
                continue
            for name in changes:
                self.report.marked[f"{name} inferred"] += 1
            yield replace(job, **changes, inferred=(*job.inferred, *changes))

    def _nodes(self, job: Job, nodes: int) -> int:
        if self.machine.nodes is not None:
            nodes = min(nodes, self.machine.nodes)
        if self.node_processors is not None:
            needed = -(-job.processors // self.node_processors)
            if nodes < needed:
                self.report.marked[CEILING] += 1
                nodes = needed
        return min(nodes, job.processors)


def _blocks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    jobs = iter(jobs)
    while block := list(islice(jobs, _JOBS_A_BLOCK)):
        yield block
