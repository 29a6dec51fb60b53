"""Compute a lower bound of a machine's size from its log."""

from array import array

from workload_tools.pbs.ended import PbsRun


class MachineSize:
    """Estimates the machine's size from the jobs of a log.

    Examples
    --------
    >>> from workload_tools.pbs.specifications import Slots
    >>> size = MachineSize()
    >>> size.add(PbsRun(0.0, 10.0, Slots(4, {"n1": 8})))
    >>> size.add(PbsRun(10.0, 20.0, Slots(2, {"n2": 4})))
    >>> size.peak(), size.slots, size.hosts, size.processors()
    (4, 12, 2, 12)
    """

    def __init__(self) -> None:
        self._starts = array("d")
        self._ends = array("d")
        self._processors = array("q")
        self._highest: dict[str, int] = {}

    def add(self, run: PbsRun) -> None:
        """Add the times and processors of a job."""
        self._starts.append(run.start)
        self._ends.append(run.end)
        self._processors.append(run.slots.processors)
        for host, highest in run.slots.highest.items():
            if highest > self._highest.get(host, -1):
                self._highest[host] = highest

    @property
    def hosts(self) -> int:
        """Number of hosts on which jobs ran."""
        return len(self._highest)

    @property
    def slots(self) -> int:
        """Sum of the highest known slot of each host; 0 if the log has no slot numbers."""
        return sum(self._highest.values())

    def peak(self) -> int:
        """Return the largest number of processors that were busy at the same time."""
        import numpy as np

        if not self._starts:
            return 0
        processors = np.frombuffer(self._processors, dtype=np.int64)
        dates = np.concatenate((np.frombuffer(self._ends), np.frombuffer(self._starts)))
        changes = np.concatenate((-processors, processors))
        # The stable sort keeps ends before starts of the same date. So the end of a job of
        # 0 s comes before its start, but after both events the sum is right.
        return max(0, int(changes[np.argsort(dates, kind="stable")].cumsum().max()))

    def processors(self) -> int | None:
        """Return a lower bound of the machine's size, or None if unknown."""
        return max(self.slots, self.peak()) or None
