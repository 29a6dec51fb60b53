"""The predictors of papers 002 and 004, written from the papers alone, for the package to ask."""

from bisect import insort
from collections import defaultdict, deque
from typing import Any

import numpy as np

THETA = 0.001
"""How far a neighbour may be, in squared distance (paper 002)."""


class MinDiff:
    """Paper 002: the walltime by the largest usage of the user's last five jobs."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.usages: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=5))

    def predict(self, submission: Any, now: float) -> float | None:  # noqa: ANN401
        """Return the estimate in seconds."""
        usages = self.usages.get(submission.user)
        return max(usages) * submission.walltime if usages else None

    def learn(self, submission: Any, run_time: float, now: float) -> None:  # noqa: ANN401
        """Take note of a job that has ended."""
        self.usages[submission.user].append(run_time / submission.walltime)


class Neighbours:
    """Paper 002: the walltime by the mean usage of the five nearest of the last 1000 jobs."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.users: dict[str, int] = {}
        # one row per job, the latest first: size, walltime, user, usage
        self.past = np.empty((0, 4))

    def predict(self, submission: Any, now: float) -> float | None:  # noqa: ANN401
        """Return the estimate in seconds; none without a neighbour."""
        if not len(self.past):
            return None
        squared = np.where(self.past[:, 2] == self.users.get(submission.user, -1), 0.0, THETA / 4)
        for column, mine in enumerate((submission.processors, submission.walltime)):
            values = self.past[:, column]
            span = max(values.max(), mine) - min(values.min(), mine)
            if span:
                squared += ((values - mine) / span) ** 2
        near = np.flatnonzero(squared <= THETA)
        near = near[np.argsort(squared[near], kind="stable")[:5]]
        if not len(near):
            return None
        weights = np.exp(-np.sqrt(squared[near]))
        return float((weights * self.past[near, 3]).sum() / weights.sum() * submission.walltime)

    def learn(self, submission: Any, run_time: float, now: float) -> None:  # noqa: ANN401
        """Take note of a job that has ended."""
        user = self.users.setdefault(submission.user, len(self.users))
        usage = run_time / submission.walltime
        row = (submission.processors, submission.walltime, user, usage)
        self.past = np.vstack([row, self.past[:999]])


class UsersRatio:
    """Paper 004: the walltime by the 80th percentile of the usages of the user's past jobs."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.usages: dict[str, list[float]] = defaultdict(list)

    def predict(self, submission: Any, now: float) -> float | None:  # noqa: ANN401
        """Return the estimate in seconds; none with fewer than 50 jobs."""
        usages = self.usages.get(submission.user, [])
        if len(usages) < 50:  # noqa: PLR2004 - the paper's
            return None
        rank = 0.8 * (len(usages) - 1)
        low = int(rank)
        high = min(low + 1, len(usages) - 1)
        usage = usages[low] + (rank - low) * (usages[high] - usages[low])
        return min(usage, 1.0) * submission.walltime

    def learn(self, submission: Any, run_time: float, now: float) -> None:  # noqa: ANN401
        """Take note of a job that has ended."""
        self.know(submission.user, run_time / submission.walltime)

    def know(self, user: str, usage: float) -> None:
        """Take note of what a job of a user used of its walltime."""
        insort(self.usages[user], usage)
