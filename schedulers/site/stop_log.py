"""The log of a site's gate: which jobs a rule kept from starting, and when."""

from collections.abc import Iterator
from typing import Any

from schedulers.job import Job

COLUMNS = ("job_id", "rule", "begin", "end")
"""The columns of ``PREFIX_stops.csv``; dates in seconds."""

_ROWS_AT_ONCE = 2000


class StopLog:
    """The times in which a rule stopped a waiting job, one after another, in the order of ends.

    Examples
    --------
    >>> log, job = StopLog(), Job("w0!1", 0.0, 2, 60.0, number=1)
    >>> log.note(job, "10 jobs a user", 5.0)
    >>> log.note(job, None, 9.0)
    >>> print("".join(log.text()), end="")
    job_id,rule,begin,end
    1,10 jobs a user,5.000000,9.000000
    """

    def __init__(self) -> None:
        self._values: list[Any] = []
        self._open: dict[int, tuple[str, float]] = {}

    def note(self, job: Job, rule: str | None, now: float) -> None:
        """Note what stops a job from now on; ``None``: nothing."""
        known = self._open.get(job.number)
        if known is not None:
            if known[0] == rule:
                return
            del self._open[job.number]
            if known[1] < now:
                self._values += (job.id, known[0], known[1], now)
        if rule is not None:
            self._open[job.number] = (rule, now)

    def rows(self) -> Iterator[tuple[str, str, float, float]]:
        """Return the rows; the ids are the full ones, such as ``w0!15``."""
        return zip(*[iter(self._values)] * len(COLUMNS), strict=True)

    def text(self) -> Iterator[str]:
        """Return the content of ``PREFIX_stops.csv``, piece by piece."""
        yield ",".join(COLUMNS) + "\n"
        lines: list[str] = []
        for name, rule, begin, end in self.rows():
            said = f'"{rule.replace(chr(34), chr(34) * 2)}"' if "," in rule else rule
            lines.append(f"{name.removeprefix('w0!')},{said},{begin:f},{end:f}\n")
            if len(lines) == _ROWS_AT_ONCE:
                yield "".join(lines)
                lines.clear()
        yield "".join(lines)
