"""Unique names of jobs, for tables that contain an id more than once."""

import math
from array import array

from workload_tools.identifiers import numbered

_PAGE = 32
_EMPTY = array("d", [math.nan]) * _PAGE


class Submissions:
    """Submission dates by job id. Ids with numbers are stored in pages of 32.

    With consecutive numbers a job needs about 15 bytes, compared with 200 in a ``dict``.

    Examples
    --------
    >>> seen = Submissions()
    >>> seen.put("7", 100.0), seen.put("7_2", 200.0), seen.put("7", 300.0)
    (None, None, 100.0)
    >>> seen.date("7"), seen.date("7_2"), seen.date("8"), seen.date("07")
    (100.0, 200.0, None, None)
    """

    __slots__ = ("_others", "_pages")

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str, int], array[float]] = {}
        self._others: dict[str, float] = {}

    def date(self, name: str) -> float | None:
        """Return a job's submission date, or None if the job is unknown."""
        parts = numbered(name)
        if parts is None:
            return self._others.get(name)
        head, number, tail = parts
        page, place = divmod(number, _PAGE)
        dates = self._pages.get((head, tail, page))
        return None if dates is None or math.isnan(dates[place]) else dates[place]

    def put(self, name: str, date: float) -> float | None:
        """Store a job's submission date, unless there is one; return the earlier date, or None."""
        parts = numbered(name)
        if parts is None:
            seen = self._others.get(name)
            if seen is None:
                self._others[name] = date
            return seen
        head, number, tail = parts
        key = (head, tail, number // _PAGE)
        dates = self._pages.get(key)
        if dates is None:
            dates = self._pages[key] = array("d", _EMPTY)
        place = number % _PAGE
        earlier = dates[place]
        if earlier == earlier:  # noqa: PLR0124 - NaN stands for none
            return earlier
        dates[place] = date
        return None


class JobNames:
    """Gives each job a unique name.

    A job with a known id but another submission date gets a suffix. With the same date it is the
    same job.

    Examples
    --------
    >>> names = JobNames()
    >>> [names.name(*job) for job in (("7", 100.0), ("7", 100.0), ("7", 200.0), ("8", 100.0))]
    ['7', None, '7.2', '8']
    """

    __slots__ = ("_next_suffix", "_seen")

    def __init__(self) -> None:
        self._seen = Submissions()
        self._next_suffix: dict[str, int] = {}

    def name(self, job_id: str, submit_time: float) -> str | None:
        """Return the name of a job, or None if it is a known job."""
        seen = self._seen.put(job_id, submit_time)
        if seen is None:
            return job_id
        return None if seen == submit_time else self.other(job_id, submit_time)

    def other(self, job_id: str, submit_time: float) -> str:
        """Return the job's id, with a suffix if the id is known, whatever its date."""
        name = job_id
        again = self._next_suffix.get(job_id, 2)
        while self._seen.date(name) is not None:
            name = f"{job_id}.{again}"
            again += 1
        self._seen.put(name, submit_time)
        if name != job_id:
            self._next_suffix[job_id] = again
        return name
