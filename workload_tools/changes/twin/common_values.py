"""Common numbers that replace rare ones, because a rare number may identify a user."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping

from workload_tools.job import Job

FIELDS = (
    *("processors", "walltime", "nodes", "gpus", "tasks", "memory"),
    *("tasks_per_node", "memory_per_node", "gpus_per_node"),
)
"""Numbers that users choose."""


def replacements(
    jobs: Iterable[Job], field: str, *, users: int
) -> Mapping[float | None, float | None]:
    """Return a common number for each rare one.

    A number is common if enough users request it. A rare walltime becomes the next longer common
    one, so that no additional job is killed. Any other rare number becomes the common number with
    the smallest factor between them. If no number is common, none is replaced.

    Parameters
    ----------
    jobs
        The jobs of a log.
    users
        Smallest number of users that makes a number common.

    Returns
    -------
    mapping
        A common number for each rare one.

    Examples
    --------
    >>> asked = {"ann": (4, 7), "bob": (4, 16), "eve": (16,)}
    >>> jobs = [Job(id=f"{user}{n}", submit_time=0.0, processors=n, run_time=1.0, user=user)
    ...         for user, sizes in asked.items() for n in sizes]
    >>> dict(replacements(jobs, "processors", users=2))
    {7: 4}
    """
    who: dict[float, set[str | None]] = {}
    for job in jobs:
        number: float | None = getattr(job, field)
        if number is not None:
            # counting up to `users` is enough, and takes less memory
            asking = who.setdefault(number, set())
            if len(asking) < users:
                asking.add(job.user)
    common = sorted(number for number, asking in who.items() if len(asking) >= users)
    if not common:
        return {}
    choose = _next_longer if field == "walltime" else _nearest
    rare = (number for number, asking in who.items() if len(asking) < users)
    return _table(rare, common, choose)


def _table(
    rare: Iterable[float], common: list[float], choose: Callable[[float, list[float]], float]
) -> dict[float | None, float | None]:
    return {number: choose(number, common) for number in rare}


def _next_longer(number: float, common: list[float]) -> float:
    place = bisect_left(common, number)
    return common[min(place, len(common) - 1)]


def _nearest(number: float, common: list[float]) -> float:
    return min(common, key=lambda other: (abs(math.log((other or 0.5) / (number or 0.5))), other))
