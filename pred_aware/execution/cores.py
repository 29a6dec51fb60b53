"""The number of processes that can compute at once."""

import os


def cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # not Linux
        return os.cpu_count() or 1
