"""The report of a reader: how many records it kept, dropped and repaired."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class LeftOut:
    """Requests and events of jobs that are in the log but that a workload cannot contain.

    Examples
    --------
    >>> left_out = LeftOut()
    >>> for wait, what in ((30.0, ["topology: switches"]), (None, []), (90.0, [])):
    ...     left_out.add(wait, what)
    >>> list(left_out.shares())
    [(1, 'topology: switches (33.3 % of the jobs, 25.0 % of their waiting)')]
    """

    jobs: Counter[str] = field(default_factory=Counter)
    """Number of affected jobs for each kind of request or event that is left out."""
    waiting: Counter[str] = field(default_factory=Counter)
    """Sum of the waits of the affected jobs for each kind, in milliseconds."""
    all_jobs: int = 0
    all_waiting: int = 0
    """Number of all kept jobs, affected or not, and the sum of their waits in milliseconds."""

    def add(self, wait: float | None, what: Iterable[str]) -> None:
        """Count a kept job, with its wait in seconds and its kinds of left-out requests."""
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
        """Yield for each kind the number of affected jobs, and a text with shares in percent."""
        for what, count in sorted(self.jobs.items()):
            of_jobs = 100.0 * count / self.all_jobs
            of_waiting = 100.0 * self.waiting[what] / (self.all_waiting or 1)
            yield (
                count,
                f"{what} ({of_jobs:.1f} % of the jobs, {of_waiting:.1f} % of their waiting)",
            )


@dataclass(slots=True)
class Report:
    """Counts of a log's records. Each record is either kept or dropped; repaired ones are kept.

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
    """Numbers of dropped and of repaired records by reason."""
    marked: Counter[str] = field(default_factory=Counter)
    """Numbers of kept records by mark, such as ``warm-up``."""
    lost: Counter[str] = field(default_factory=Counter)
    """Numbers of kept records with a value that the output file cannot store, by kind."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """Requests and events of kept records that a workload cannot contain."""
    notes: list[str] = field(default_factory=list)
    """Other remarks about the log, one per line. JSON omits them, because it has only counts."""

    def to_dict(self) -> dict[str, object]:
        """Return the report for JSON, without empty counters except `dropped` and `repaired`."""
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
