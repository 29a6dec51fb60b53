"""The number of processes that can compute in parallel."""

import os


def cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # this system, unlike Linux, does not report the allowed cores
        return os.cpu_count() or 1
