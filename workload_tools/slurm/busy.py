"""The largest number of simultaneously busy processors, a lower bound of a machine's size."""

from array import array
from dataclasses import dataclass, field


@dataclass(slots=True)
class Busy:
    """Start, end and size of jobs' runs, in 24 bytes per job."""

    starts: "array[float]" = field(default_factory=lambda: array("d"))
    ends: "array[float]" = field(default_factory=lambda: array("d"))
    sizes: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, start: float, end: float, *, processors: int) -> None:
        """Add a job's run."""
        self.starts.append(start)
        self.ends.append(end)
        self.sizes.append(processors)

    def peak(self) -> int:
        """Return the largest number of simultaneously busy processors; 0 without jobs.

        Examples
        --------
        >>> busy = Busy()
        >>> busy.add(0.0, 10.0, processors=4)
        >>> busy.add(10.0, 20.0, processors=5)
        >>> busy.add(15.0, 30.0, processors=2)
        >>> busy.peak()
        7
        """
        import numpy as np

        if not self.starts:
            return 0
        sizes = np.frombuffer(self.sizes, dtype=np.int64)
        dates = np.concatenate([np.frombuffer(self.ends), np.frombuffer(self.starts)])
        changes = np.concatenate([-sizes, sizes])
        # stable, so that at equal dates the ends come first
        return int(changes[np.argsort(dates, kind="stable")].cumsum().max())
