"""CPU time and memory of making a run, for information only."""

import os
import resource
import socket
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pred_aware.version import __version__

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_FORGET_PEAK = "5"
_KIB = 1024


class Meter:
    """Measures from its creation on: CPU time, wall time, and the process's largest memory.

    If the system cannot reset the memory peak, the largest memory includes earlier use.
    """

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        with suppress(OSError):
            _CLEAR.write_text(_FORGET_PEAK)

    def read(self) -> dict[str, Any]:
        """Return the values so far, with host and date."""
        return {
            "cpu_seconds": time.process_time() - self._cpu,
            "seconds": time.perf_counter() - self._wall,
            "memory_bytes": _most_memory(),
            **where_and_when(),
        }


def where_and_when() -> dict[str, Any]:
    """Return host, process, date and versions."""
    return {
        "host": socket.gethostname(),
        "process": os.getpid(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "pred_aware": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def memory_of(process: int) -> int:
    """Return a process's memory in bytes; 0 if unknown."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


def memory_of_machine() -> int:
    """Return this machine's memory in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _most_memory() -> int:
    with suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB
