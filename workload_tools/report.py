"""What a reader did with the records of a log."""

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

    def to_dict(self) -> dict[str, object]:
        """Return the report as it is written to JSON."""
        return {
            "read": self.read,
            "kept": self.kept,
            "dropped": dict(sorted(self.dropped.items())),
            "repaired": dict(sorted(self.repaired.items())),
        }
