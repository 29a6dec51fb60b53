"""The report of a reader: records kept, dropped and repaired."""

from collections import Counter
from dataclasses import dataclass, field


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
    notes: list[str] = field(default_factory=list)
    """What else is to be said of the log, a line each; not in JSON, which has counts."""

    def to_dict(self) -> dict[str, object]:
        """Return the report as it is written to JSON; marks and losses where there are any."""
        counts = {
            "dropped": self.dropped,
            "repaired": self.repaired,
            "marked": self.marked,
            "lost": self.lost,
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
