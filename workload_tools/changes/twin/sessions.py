"""Sessions: jobs that a user submitted one after the other."""

from collections.abc import Iterable
from dataclasses import dataclass

from workload_tools.job import Job

PAUSE = 1200.0
"""Seconds between two submissions of a user, above which another session begins."""


@dataclass(frozen=True, slots=True)
class Session:
    """Jobs of one user, none submitted long after the one before."""

    user: str | None
    """The user's name; ``None`` stands for all jobs without one."""
    jobs: tuple[Job, ...]
    """By submission."""

    @property
    def start_time(self) -> float:
        """Submission of the first job, in the log's seconds."""
        return self.jobs[0].submit_time


def sessions_of(jobs: Iterable[Job], *, pause: float) -> dict[str | None, list[Session]]:
    """Cut each user's jobs into sessions.

    Parameters
    ----------
    jobs
        By submission.
    pause
        Seconds from one submission of a user to the next, above which a new session begins.

    Returns
    -------
    dict
        By user, in the order in which users come first; each user's sessions by their start.

    Notes
    -----
    After J. Zilber, O. Amit and D. Talby, "What is worth learning from parallel workloads? A user
    and session based analysis" (ICS 2005), who break sessions at pauses of 20 minutes.

    Examples
    --------
    >>> jobs = [Job(id=str(n), submit_time=t, processors=1, run_time=1.0, user="ann")
    ...         for n, t in enumerate((0.0, 100.0, 2000.0))]
    >>> [len(session.jobs) for session in sessions_of(jobs, pause=1200)["ann"]]
    [2, 1]
    """
    by_user: dict[str | None, list[list[Job]]] = {}
    for job in jobs:
        pieces = by_user.setdefault(job.user, [])
        if pieces and job.submit_time - pieces[-1][-1].submit_time <= pause:
            pieces[-1].append(job)
        else:
            pieces.append([job])
    return {
        user: [Session(user, tuple(piece)) for piece in pieces] for user, pieces in by_user.items()
    }
