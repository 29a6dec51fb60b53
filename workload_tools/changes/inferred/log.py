"""A log with inferred nodes and tasks (paper 000, section 5.2)."""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from workload_tools.changes.inferred.model import NodesAndTasks
from workload_tools.changes.inferred.training import input_row
from workload_tools.job import Job
from workload_tools.log import Log

CEILING = "inferred nodes too few for the processors: raised"

_JOBS_A_BLOCK = 4096


class Inferred:
    """A log whose jobs get inferred nodes and tasks, with a mark in the field ``inferred``.

    Values in the log are kept. The number of nodes from the tree is limited: a job gets at least
    the nodes that its processors need (paper 000's ceiling rule, for machines with smaller nodes
    than in the training log), at most one node per processor, and at most the machine's nodes. Its
    tasks are between its nodes and its processors.

    Parameters
    ----------
    log
        The log, which has not been read yet. Both share one report.
    model
        The model, trained on another log.
    node_processors
        Processors per node of this log's machine. None for no ceiling rule.

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
        """Yield the jobs with inferred values; see `workload_tools.log.Log`."""
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
