"""CPU time and memory that making a run takes: measured, kept by itself, compared with nothing."""

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
    """Measures from its making on: CPU and other seconds, and the process's most memory.

    Where the system cannot forget how much memory the process had before, that counts, too.
    """

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        with suppress(OSError):
            _CLEAR.write_text(_FORGET_PEAK)

    def read(self) -> dict[str, Any]:
        """Return what it took so far, where and when."""
        return {
            "cpu_seconds": time.process_time() - self._cpu,
            "seconds": time.perf_counter() - self._wall,
            "memory_bytes": _most_memory(),
            **where_and_when(),
        }


def where_and_when() -> dict[str, Any]:
    """Return host, process, date and version."""
    return {
        "host": socket.gethostname(),
        "process": os.getpid(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "pred_aware": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def memory_of(process: int) -> int:
    """Return the bytes of memory of a process; 0 where that is not to be had."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


def memory_of_machine() -> int:
    """Return the bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _most_memory() -> int:
    with suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB
