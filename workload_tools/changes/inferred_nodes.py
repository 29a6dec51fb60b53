"""Infer the missing numbers of nodes and tasks of jobs.

The method is from section 5.2 of paper 000 (see docs/evidence/index.md).
"""

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
    """A training set: the jobs of a log, one per row, in the log's order."""

    features: tuple[str, ...]
    """Names of the columns of `inputs`, such as ``processors``."""
    inputs: "NDArray[np.float64]"
    """Processors, memory in GiB, walltime in s and perhaps run time in s; NaN if unknown.

    Shape (jobs, features)."""
    targets: "dict[str, NDArray[np.float64]]"
    """True values of ``nodes`` and ``tasks``, if enough jobs have the value; NaN if unknown."""

    @property
    def jobs(self) -> int:
        """Number of jobs in the training set."""
        return len(self.inputs)


def learn_from(log: Log, *, path: object, with_run_time: bool = False) -> Training:
    """Read the training set from a log.

    Parameters
    ----------
    log
        The log, which has not been read yet.
    path
        Path of the log, for error messages.
    with_run_time
        True to add the run time to the inputs, as in paper 000. Then the inferred values reveal
        something about the run time, so a predictor that uses these values looks ahead.

    Raises
    ------
    LogError
        The log cannot be read, or fewer than 10 of its jobs have nodes or tasks.
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
            f"fewer than {FEWEST_JOBS} of its jobs state their nodes or tasks; train with a log "
            "whose jobs state them, such as PBS or Slurm accounting",
        )
    return Training(features, np.array(inputs).reshape(-1, len(features)), known)


def input_row(job: Job, features: Sequence[str]) -> list[float]:
    """Return the values of some fields of a job; NaN for an unknown value.

    Parameters
    ----------
    features
        Names of the fields.

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
    """Accuracy of inferred values for jobs outside the training set."""

    jobs: int
    """Number of test jobs."""
    exact: float
    """Share of test jobs whose inferred value equals the log's value."""
    mean_error: float
    """Mean absolute error of the inferred values, in nodes or tasks."""
    usual: int
    """The most frequent value in the training set."""
    usual_exact: float
    """Share of test jobs with the value `usual`: how accurate this constant guess would be."""


class NodesAndTasks:
    """Decision trees that infer a job's nodes and tasks from its other fields.

    For jobs that lack an input field, a separate tree is trained without this field.

    Parameters
    ----------
    training
        The training set.

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
        """Return the fields that can be inferred."""
        return tuple(self.training.targets)

    def infer(self, target: str, inputs: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return inferred values for some jobs, rounded and at least 1.

        Parameters
        ----------
        target
            ``nodes`` or ``tasks``.
        inputs
            Array of shape (jobs, features), with the features of the training set; NaN if unknown.

        Returns
        -------
        numpy.ndarray
            Array of shape (jobs,).
        """
        import numpy as np

        known = ~np.isnan(inputs)
        result = np.ones(len(inputs))
        for pattern in np.unique(known, axis=0):
            rows = (known == pattern).all(axis=1)
            columns, tree = self._tree(target, tuple(pattern.tolist()))
            result[rows] = tree.predict(inputs[rows][:, columns])
        # not NumPy's rint, which would round 2.5 down to 2 but 3.5 up to 4
        return np.maximum(1.0, np.floor(result + 0.5))

    def accuracy(self, target: str) -> ModelAccuracy:
        """Train with the first four fifths of the jobs, and test with the other jobs.

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
        """Return the columns and the tree for jobs that know exactly the fields in `pattern`."""
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
            # leave out a field that too few training jobs have
            both = usable & ~np.isnan(inputs[:, column])
            if wanted and int(both.sum()) >= fewest:
                columns.append(column)
                usable = both
        tree = DecisionTreeRegressor(min_samples_leaf=_JOBS_A_LEAF, random_state=0)
        tree.fit(inputs[usable][:, columns], truth[usable])
        return columns, tree


CEILING = "inferred nodes too few for the processors: raised"

_JOBS_A_BLOCK = 4096


class Inferred:
    """A log whose jobs get inferred nodes and tasks. The field ``inferred`` marks these values.

    Values that the log contains are kept. The inferred number of nodes has three limits. It is at
    least the number of nodes that the job's processors need (paper 000's ceiling rule, for machines
    with smaller nodes than in the training log). It is at most one node per processor, and at most
    the machine's nodes. The inferred number of tasks is between the job's nodes and processors.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report and machine.
    model
        The model, which was trained with another log.
    node_processors
        Processors per node of this log's machine. If None, the ceiling rule is not used.

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
        """Yield the jobs with inferred values; see `workload_tools.log.Log`."""
        for block in _blocks(self.log.jobs()):
            yield from self._with_nodes(block)

    def _with_nodes(self, block: list[Job]) -> Iterator[Job]:
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
