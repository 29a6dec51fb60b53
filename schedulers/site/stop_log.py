"""The log of a site's gate: how long each rule kept each job from starting."""

from collections.abc import Iterator, Mapping
from typing import Any

from schedulers.core.job import Job
from schedulers.machine.block_log import quoted

COLUMNS = ("job_id", "rule", "seconds")
"""The columns of ``PREFIX_stops.csv``."""

_ROWS_AT_ONCE = 2000


class StopLog:
    """How long each rule stopped each waiting job, in the order of the jobs' ends.

    Examples
    --------
    >>> log = StopLog()
    >>> log.add(Job("w0!1", 0.0, 2, 60.0), {"10 jobs per user": 4.0})
    >>> print("".join(log.text()), end="")
    job_id,rule,seconds
    1,10 jobs per user,4.000000
    """

    def __init__(self) -> None:
        self._values: list[Any] = []

    def add(self, job: Job, seconds: Mapping[str, float]) -> None:
        """Add how long each rule stopped a job, in seconds."""
        for rule, time in seconds.items():
            if time > 0.0:
                self._values += (job.id, rule, time)

    def rows(self) -> Iterator[tuple[str, str, float]]:
        """Return the rows. The job ids are complete, such as ``w0!15``."""
        return zip(*[iter(self._values)] * len(COLUMNS), strict=True)

    def text(self) -> Iterator[str]:
        """Return the content of ``PREFIX_stops.csv``, piece by piece."""
        yield ",".join(COLUMNS) + "\n"
        lines: list[str] = []
        for name, rule, seconds in self.rows():
            lines.append(f"{name.removeprefix('w0!')},{quoted(rule)},{seconds:f}\n")
            if len(lines) == _ROWS_AT_ONCE:
                yield "".join(lines)
                lines.clear()
        yield "".join(lines)
