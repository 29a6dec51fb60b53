"""Past jobs as arrays, for scikit-learn."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.prediction.past_table import PastTable
from predictors.regression.encoding import NUMBERS, SubmissionEncoder

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PastColumns:
    """Past jobs as arrays.

    Parameters
    ----------
    table
        The jobs.

    Attributes
    ----------
    features : tuple of str
        The fields that are looked at.
    run_times, walltimes : numpy.ndarray
        In seconds, shape (n,).
    users : numpy.ndarray
        Numbers that stand for users, -1 for none, shape (n,).
    """

    def __init__(self, table: PastTable) -> None:
        self.table = table
        self.features = table.features
        self.run_times = np.array(table.run_times, float)
        self.walltimes = np.array([job.walltime for job in table.submissions], float)
        numbers: dict[str, int] = {}
        self.users = np.array(
            [
                -1 if job.user is None else numbers.setdefault(job.user, len(numbers))
                for job in table.submissions
            ],
            np.intp,
        )

    def encoded(self, learned: "NDArray[np.intp]") -> "NDArray[np.float32]":
        """Return all jobs as rows, shape (n, features).

        Parameters
        ----------
        learned
            The training part, in which texts get their numbers: those it does not have are alike.
        """
        encoder = SubmissionEncoder(self.features)
        jobs = self.table.submissions
        for place in learned.tolist():
            encoder.learn(jobs[place])
        rows: NDArray[np.float32] = np.array([encoder.encode(job) for job in jobs], np.float32)
        return rows

    def averages(
        self, learned: "NDArray[np.intp]"
    ) -> tuple[tuple[str, ...], "NDArray[np.float32]"]:
        """Return what each job's user asked for on average (paper 001, experiment 3).

        Parameters
        ----------
        learned
            The training part, of which the averages are made.

        Returns
        -------
        tuple of str, numpy.ndarray
            The columns' names, and shape (n, columns); -1 where nothing is known.
        """
        names = [name for name in NUMBERS if name in self.features]
        size = int(self.users.max()) + 1
        found = []
        for name in names:
            values = np.array([getattr(job, name) for job in self.table.submissions], float)
            known = learned[~np.isnan(values[learned])]
            sums = np.bincount(self.users[known], values[known], size)
            counts = np.bincount(self.users[known], minlength=size)
            means = np.full(size, -1.0)
            np.divide(sums, counts, out=means, where=counts > 0)
            found.append(means[self.users])
        columns = tuple(f"average {name} of the user" for name in names)
        return columns, np.array(found, np.float32).reshape(len(names), -1).T
