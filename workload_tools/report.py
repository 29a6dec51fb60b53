"""The report of a reader: records kept, dropped and repaired."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class LeftOut:
    """What jobs asked for, or met, that a workload does not carry, with how much depends on it.

    Examples
    --------
    >>> left_out = LeftOut()
    >>> for wait, what in ((30.0, ["topology: switches"]), (None, []), (90.0, [])):
    ...     left_out.add(wait, what)
    >>> list(left_out.shares())
    [(1, 'topology: switches (33.3 % of the jobs, 25.0 % of their waiting)')]
    """

    jobs: Counter[str] = field(default_factory=Counter)
    """Numbers of jobs by what is left out."""
    waiting: Counter[str] = field(default_factory=Counter)
    """Milliseconds that they waited."""
    all_jobs: int = 0
    all_waiting: int = 0
    """Of all jobs that were kept, those that lack nothing included."""

    def add(self, wait: float | None, what: Iterable[str]) -> None:
        """Count a job that is kept: how long it waited, in seconds, and what of it is left out."""
        waited = round(1e3 * (wait or 0.0))
        self.all_jobs += 1
        self.all_waiting += waited
        for one in what:
            self.jobs[one] += 1
            self.waiting[one] += waited

    def update(self, other: "LeftOut") -> None:
        """Add what another log's jobs lack."""
        self.jobs.update(other.jobs)
        self.waiting.update(other.waiting)
        self.all_jobs += other.all_jobs
        self.all_waiting += other.all_waiting

    def shares(self) -> Iterator[tuple[int, str]]:
        """Yield each number of jobs with what of them is left out, and their shares."""
        for what, count in sorted(self.jobs.items()):
            of_jobs = 100.0 * count / self.all_jobs
            of_waiting = 100.0 * self.waiting[what] / (self.all_waiting or 1)
            yield (
                count,
                f"{what} ({of_jobs:.1f} % of the jobs, {of_waiting:.1f} % of their waiting)",
            )


@dataclass(slots=True)
class Report:
    """How many records were read, kept, dropped and repaired, and why.

    Every record read is either kept or dropped; a repaired one is kept.

    Examples
    --------
    >>> report = Report(read=3, kept=2)
    >>> report.dropped["no size"] += 1
    >>> report.to_dict()
    {'read': 3, 'kept': 2, 'dropped': {'no size': 1}, 'repaired': {}}
    """

    read: int = 0
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    """Numbers of records by the reason."""
    marked: Counter[str] = field(default_factory=Counter)
    """Numbers of kept records by the mark that they were given, such as ``warm-up``."""
    lost: Counter[str] = field(default_factory=Counter)
    """Numbers of kept records by what they have that the written file can't hold."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """What kept records asked for, or met, that a workload does not carry."""
    notes: list[str] = field(default_factory=list)
    """What else is to be said of the log, a line each; not in JSON, which has counts."""

    def to_dict(self) -> dict[str, object]:
        """Return the report as it is written to JSON; what else where there is any."""
        counts = {
            "dropped": self.dropped,
            "repaired": self.repaired,
            "marked": self.marked,
            "lost": self.lost,
            "left_out": self.left_out.jobs,
        }
        return {
            "read": self.read,
            "kept": self.kept,
            **{
                name: dict(sorted(counter.items()))
                for name, counter in counts.items()
                if counter or name in ("dropped", "repaired")
            },
        }
