"""Regression trees from what was asked for to nodes and tasks."""

from typing import TYPE_CHECKING, Any, NamedTuple

from workload_tools.changes.inferred.training import FEWEST_JOBS, Training

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
