"""Giving a log the nodes and tasks that it does not tell (paper 000, section 5.2)."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Log

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FEATURES = ("processors", "memory", "walltime")
RUN_TIME = "run_time"
TARGETS = ("nodes", "tasks")

FEWEST_JOBS = 10


@dataclass(frozen=True, slots=True)
class Training:
    """The jobs of a log, a row each, in the log's order."""

    features: tuple[str, ...]
    """Names of the columns of `inputs`."""
    inputs: "NDArray[np.float64]"
    """Shape (jobs, features): processors, memory in GiB, walltime and run time in seconds; NaN
    where the log does not tell."""
    targets: "dict[str, NDArray[np.float64]]"
    """For ``nodes`` and ``tasks``, as far as enough jobs have them, numbers; NaN where the log
    does not tell."""

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return len(self.inputs)


def learn_from(log: Log, *, path: object, with_run_time: bool = False) -> Training:
    """Read a log to learn from.

    Parameters
    ----------
    log
        A log of which nothing was read yet.
    path
        What errors name.
    with_run_time
        Whether the run time is among the inputs, as in paper 000. Then the inferred numbers tell
        of the run time, which no scheduler may know, and whoever predicts from them looks ahead.

    Raises
    ------
    LogError
        The log can't be read, or fewer than 10 of its jobs have a number of nodes or of tasks.
    """
    import numpy as np

    features = (*FEATURES, RUN_TIME) if with_run_time else FEATURES
    inputs = array("d")
    targets = {name: array("d") for name in TARGETS}
    for job in log.jobs():
        if job.nodes is None and job.tasks is None:
            continue
        inputs.extend(input_row(job, features))
        for name, values in targets.items():
            value = getattr(job, name)
            values.append(np.nan if value is None or name in job.inferred else value)
    known = {name: np.array(values) for name, values in targets.items()}
    known = {
        name: values
        for name, values in known.items()
        if np.count_nonzero(~np.isnan(values)) >= FEWEST_JOBS
    }
    if not known:
        raise LogError(
            path,
            f"fewer than {FEWEST_JOBS} of its jobs have a number of nodes or tasks; learn from a "
            "log that has them, such as PBS or Slurm accounting",
        )
    return Training(features, np.array(inputs).reshape(-1, len(features)), known)


def input_row(job: Job, features: Sequence[str]) -> list[float]:
    """Return what is known of a job; NaN where it is not.

    Parameters
    ----------
    features
        Which of its fields.

    Examples
    --------
    >>> job = Job(id="1", submit_time=0.0, processors=4, run_time=9.0, walltime=60.0)
    >>> input_row(job, FEATURES)
    [4.0, nan, 60.0]
    """
    values = (getattr(job, name) for name in features)
    return [float("nan") if value is None else float(value) for value in values]


_JOBS_A_LEAF = 5
_LAST_PART = 0.2


class ModelAccuracy(NamedTuple):
    """How well a number is inferred of jobs that were not learned from."""

    jobs: int
    """How many were inferred."""
    exact: float
    """Share that came out as the log has it."""
    mean_error: float
    """Mean absolute error."""
    usual: int
    """The most frequent number of the jobs that were learned from."""
    usual_exact: float
    """Share that has it: what a constant would reach."""


class NodesAndTasks:
    """Trees that tell a job's nodes and tasks from its other fields.

    A job that lacks a field is told by a tree that was made without it.

    Parameters
    ----------
    training
        What to learn from.

    Examples
    --------
    >>> import numpy as np
    >>> inputs = np.array([[8.0, np.nan, 60.0]] * 20 + [[64.0, np.nan, 60.0]] * 20)
    >>> nodes = np.array([1.0] * 20 + [4.0] * 20)
    >>> model = NodesAndTasks(
    ...     Training(("processors", "memory", "walltime"), inputs, {"nodes": nodes})
    ... )
    >>> model.infer("nodes", np.array([[4.0, 2.0, 60.0], [100.0, np.nan, np.nan]]))
    array([1., 4.])
    """

    def __init__(self, training: Training) -> None:
        self.training = training
        self._trees: dict[tuple[str, tuple[bool, ...]], Any] = {}

    @property
    def targets(self) -> tuple[str, ...]:
        """What can be inferred."""
        return tuple(self.training.targets)

    def infer(self, target: str, inputs: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return the numbers that the trees give to some jobs, rounded, at least 1.

        Parameters
        ----------
        target
            ``nodes`` or ``tasks``.
        inputs
            Shape (jobs, features), the features those of the training, NaN for unknown.

        Returns
        -------
        numpy.ndarray
            Shape (jobs,).
        """
        import numpy as np

        known = ~np.isnan(inputs)
        result = np.ones(len(inputs))
        for pattern in np.unique(known, axis=0):
            rows = (known == pattern).all(axis=1)
            columns, tree = self._tree(target, tuple(pattern.tolist()))
            result[rows] = tree.predict(inputs[rows][:, columns])
        # Not numpy's rint, for which 2.5 is 2 and 3.5 is 4.
        return np.maximum(1.0, np.floor(result + 0.5))

    def accuracy(self, target: str) -> ModelAccuracy:
        """Learn from the first four fifths of the jobs and infer the last.

        Parameters
        ----------
        target
            ``nodes`` or ``tasks``.
        """
        import numpy as np

        truth = self.training.targets[target]
        rows = np.flatnonzero(~np.isnan(truth))
        cut = len(rows) - max(1, int(len(rows) * _LAST_PART))
        first, last = rows[:cut], rows[cut:]
        model = NodesAndTasks(
            Training(self.training.features, self.training.inputs[first], {target: truth[first]})
        )
        inferred = model.infer(target, self.training.inputs[last])
        values, counts = np.unique(truth[first], return_counts=True)
        usual = values[np.argmax(counts)]
        return ModelAccuracy(
            jobs=len(last),
            exact=float(np.mean(inferred == truth[last])),
            mean_error=float(np.mean(np.abs(inferred - truth[last]))),
            usual=int(usual),
            usual_exact=float(np.mean(usual == truth[last])),
        )

    def _tree(self, target: str, pattern: tuple[bool, ...]) -> tuple[list[int], Any]:
        """Return the tree for jobs of which these fields are known, and which it looks at."""
        if (target, pattern) not in self._trees:
            self._trees[target, pattern] = self._grown(target, pattern)
        tree: tuple[list[int], Any] = self._trees[target, pattern]
        return tree

    def _grown(self, target: str, pattern: tuple[bool, ...]) -> tuple[list[int], Any]:
        import numpy as np
        from sklearn.tree import DecisionTreeRegressor

        inputs, truth = self.training.inputs, self.training.targets[target]
        has_truth = ~np.isnan(truth)
        fewest = min(FEWEST_JOBS, int(has_truth.sum()))
        columns: list[int] = []
        usable = has_truth
        for column, wanted in enumerate(pattern):
            # A field that hardly a job to learn from has tells nothing.
            both = usable & ~np.isnan(inputs[:, column])
            if wanted and int(both.sum()) >= fewest:
                columns.append(column)
                usable = both
        tree = DecisionTreeRegressor(min_samples_leaf=_JOBS_A_LEAF, random_state=0)
        tree.fit(inputs[usable][:, columns], truth[usable])
        return columns, tree


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
    >>> from workload_tools.changes.inferred_nodes import learn_from
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
