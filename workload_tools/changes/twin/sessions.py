"""Sessions: jobs that a user submitted one after the other."""

from collections.abc import Iterable
from dataclasses import dataclass

from workload_tools.job import Job

PAUSE = 1200.0
"""Pause between two submissions of a user, in seconds, after which a new session begins."""


@dataclass(frozen=True, slots=True)
class Session:
    """Jobs of one user, without a long pause between submissions."""

    user: str | None
    """The user's name; ``None`` for all jobs without a user."""
    jobs: tuple[Job, ...]
    """By submission."""

    @property
    def start_time(self) -> float:
        """Return the submission time of the first job, in the log's seconds."""
        return self.jobs[0].submit_time


def sessions_of(jobs: Iterable[Job], *, pause: float) -> dict[str | None, list[Session]]:
    """Split each user's jobs into sessions.

    Parameters
    ----------
    jobs
        The jobs, sorted by submission.
    pause
        Pause between two submissions of a user, in seconds, after which a new session begins.

    Returns
    -------
    dict
        By user, in the order of the users' first jobs; each user's sessions by start.

    Notes
    -----
    After J. Zilber, O. Amit and D. Talby, "What is worth learning from parallel workloads? A user
    and session based analysis" (ICS 2005), who split sessions at pauses of 20 minutes.

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
