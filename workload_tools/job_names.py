"""Unique names of jobs, for logs with repeated ids."""


class JobNames:
    """Gives each job a unique name: its id, with a suffix if necessary.

    If two records have the same id and submission date, they are the same job. If only the ids are
    equal, the later record is another job and gets a suffix.

    Examples
    --------
    >>> names = JobNames()
    >>> [names.name(*job) for job in (("7", 100.0), ("7", 100.0), ("7", 200.0), ("8", 100.0))]
    ['7', None, '7.2', '8']
    >>> names.other("8"), names.add("9"), names.add("9"), "8.2" in names
    ('8.2', True, False, True)
    """

    __slots__ = ("_dates", "_next_suffix")

    def __init__(self) -> None:
        self._dates: dict[str, float | None] = {}
        self._next_suffix: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        """Return True if a name is in use."""
        return name in self._dates

    def add(self, name: str) -> bool:
        """Reserve a name; return False if it is already in use."""
        if name in self._dates:
            return False
        self._dates[name] = None
        return True

    def name(self, job_id: str, submit_time: float) -> str | None:
        """Return a unique name for a job, or None if the job already has a name."""
        if job_id in self._dates and self._dates[job_id] == submit_time:
            return None
        return self.other(job_id, submit_time)

    def other(self, job_id: str, submit_time: float | None = None) -> str:
        """Return the job's id, with a suffix if the id is in use with any submission date."""
        name = job_id
        again = self._next_suffix.get(job_id, 2)
        while name in self._dates:
            name = f"{job_id}.{again}"
            again += 1
        self._dates[name] = submit_time
        if name != job_id:
            self._next_suffix[job_id] = again
        return name
