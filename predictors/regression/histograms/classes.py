"""A table's numbers in classes, as scikit-learn's gradient boosting on histograms makes them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predictors.regression.histograms.kernel import classify
from predictors.regression.histograms.values import Counts, Floats, Integers

MOST_CLASSES = 255
_LARGEST = 1e300


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The numbers of a table in classes, of which a column has at most 255."""

    rows: Floats
    """The table itself; shape (jobs, all columns)."""
    columns: list[int]
    """Those that can part jobs, and the first; of equal ones the first."""
    cuts: list[Floats]
    """For each of these the largest number of each class, but of the last."""
    of_job: NDArray[np.uint16]
    """The class of each number, counted through all columns; shape (jobs, columns)."""
    by_column: NDArray[np.uint16]
    """The same; shape (columns, jobs)."""
    bounds: Integers
    """The first class of each column, and behind them the number of all; shape (columns + 1,)."""
    jobs: Counts
    """How many each class has; shape (classes,)."""

    @classmethod
    def of(cls, rows: Floats) -> "Classes":
        """Find the classes of a table of finite numbers; shape (jobs, columns).

        Examples
        --------
        >>> classes = Classes.of(np.array([[1.0, 5.0, 0.0], [2.0, 5.0, 9.0], [1.0, 5.0, 0.0]]))
        >>> classes.columns, [cuts.tolist() for cuts in classes.cuts], classes.of_job.tolist()
        ([0, 2], [[1.5], [4.5]], [[0, 2], [1, 3], [0, 2]])
        """
        found: dict[bytes, tuple[int, Floats, Floats]] = {}
        for column, numbers in enumerate(np.ascontiguousarray(rows.T)):
            content = numbers.tobytes()
            if content not in found:
                found[content] = (column, numbers, _cuts(numbers))
        # the first one counts, since sums over all jobs are made of its classes
        chosen = [one for one in found.values() if len(one[2]) or one[0] == 0]
        cuts = [cuts for _, _, cuts in chosen]
        bounds = np.cumsum([0, *(len(some) + 1 for some in cuts)])
        by_column = np.empty((len(chosen), len(rows)), np.uint16)
        jobs = np.zeros(bounds[-1], np.int32)
        for place, (_, numbers, some) in enumerate(chosen):
            classify(numbers, some, int(bounds[place]), by_column[place], jobs)
        columns = [column for column, _, _ in chosen]
        return cls(rows, columns, cuts, np.ascontiguousarray(by_column.T), by_column, bounds, jobs)


def _cuts(numbers: Floats) -> Floats:
    """Return where a column is cut: between its numbers, or, of many, at their quantiles."""
    numbers = np.sort(numbers)
    distinct = _distinct(numbers)
    if len(distinct) <= MOST_CLASSES:
        cuts: Floats = (distinct[:-1] + distinct[1:]) / 2
    else:
        # as np.percentile with the method averaged_inverted_cdf, which takes them from any order
        places = len(numbers) * (np.linspace(0, 100, num=MOST_CLASSES + 1)[1:-1] / 100) - 1
        below = np.floor(places).astype(np.int64)
        cuts = numbers[below + 1]
        cuts = _distinct(np.where(places == below, cuts - (cuts - numbers[below]) * 0.5, cuts))
    return np.minimum(cuts, _LARGEST)


def _distinct(in_order: Floats) -> Floats:
    found: Floats = in_order[np.append(True, in_order[1:] != in_order[:-1])]
    return found
