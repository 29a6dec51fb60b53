"""CPU seconds and memory of the processes that a benchmark starts."""

import resource
import subprocess
import sys


def cpu_seconds() -> float:
    """Return the CPU seconds of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def megabytes() -> int:
    """Return the largest memory of any of these processes, in MB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def seconds_of(*arguments: object, python: str = sys.executable) -> float:
    """Run ``pred-aware`` with the interpreter `python`, and return its CPU seconds."""
    before = cpu_seconds()
    command = [python, "-P", "-m", "pred_aware", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    return cpu_seconds() - before
