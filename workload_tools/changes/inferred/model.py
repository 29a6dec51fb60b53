"""Regression trees that infer nodes and tasks from the requested resources."""

from typing import TYPE_CHECKING, Any, NamedTuple

from workload_tools.changes.inferred.training import FEWEST_JOBS, Training

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_JOBS_A_LEAF = 5
_LAST_PART = 0.2


class ModelAccuracy(NamedTuple):
    """Accuracy of inferred values on jobs outside the training set."""

    jobs: int
    """Number of test jobs."""
    exact: float
    """Share of jobs whose inferred value equals that of the log."""
    mean_error: float
    """Mean absolute error."""
    usual: int
    """The most frequent value in the training set."""
    usual_exact: float
    """Share of test jobs with this value: the accuracy of a constant."""


class NodesAndTasks:
    """Trees that infer a job's nodes and tasks from its other fields.

    For jobs that lack a field, a tree is trained without this field.

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
            Shape (jobs, features), with the features of the training set; NaN for unknown.

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
        # NumPy's rint would round 2.5 to 2 and 3.5 to 4
        return np.maximum(1.0, np.floor(result + 0.5))

    def accuracy(self, target: str) -> ModelAccuracy:
        """Train on the first four fifths of the jobs, and test on the others.

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
        """Return the columns and the tree for jobs whose known fields have this pattern."""
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
            # a field that is known for hardly any training job is useless
            both = usable & ~np.isnan(inputs[:, column])
            if wanted and int(both.sum()) >= fewest:
                columns.append(column)
                usable = both
        tree = DecisionTreeRegressor(min_samples_leaf=_JOBS_A_LEAF, random_state=0)
        tree.fit(inputs[usable][:, columns], truth[usable])
        return columns, tree
