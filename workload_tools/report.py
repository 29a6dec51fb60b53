"""The report of a reader: records kept, dropped and repaired."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class LeftOut:
    """Requests and events of jobs that a workload does not contain, with their shares.

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
    """Milliseconds that these jobs waited."""
    all_jobs: int = 0
    all_waiting: int = 0
    """Numbers of all kept jobs, also those that lack nothing, and their milliseconds of waiting."""

    def add(self, wait: float | None, what: Iterable[str]) -> None:
        """Count a kept job, with its wait in seconds and what is left out of it."""
        waited = round(1e3 * (wait or 0.0))
        self.all_jobs += 1
        self.all_waiting += waited
        for one in what:
            self.jobs[one] += 1
            self.waiting[one] += waited

    def update(self, other: "LeftOut") -> None:
        """Add the counts of another log."""
        self.jobs.update(other.jobs)
        self.waiting.update(other.waiting)
        self.all_jobs += other.all_jobs
        self.all_waiting += other.all_waiting

    def shares(self) -> Iterator[tuple[int, str]]:
        """Yield each number of jobs with what is left out, as text with shares."""
        for what, count in sorted(self.jobs.items()):
            of_jobs = 100.0 * count / self.all_jobs
            of_waiting = 100.0 * self.waiting[what] / (self.all_waiting or 1)
            yield (
                count,
                f"{what} ({of_jobs:.1f} % of the jobs, {of_waiting:.1f} % of their waiting)",
            )


@dataclass(slots=True)
class Report:
    """Every record read is either kept or dropped. A repaired record is kept.

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
    """Numbers of records by reason."""
    marked: Counter[str] = field(default_factory=Counter)
    """Numbers of kept records by their mark, such as ``warm-up``."""
    lost: Counter[str] = field(default_factory=Counter)
    """Numbers of kept records by values that the written file cannot store."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """Requests and events of kept records that a workload does not contain."""
    notes: list[str] = field(default_factory=list)
    """Other remarks about the log, one per line; not in JSON, which has counts."""

    def to_dict(self) -> dict[str, object]:
        """Return the report for JSON. Empty counters are left out, except dropped and repaired."""
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
