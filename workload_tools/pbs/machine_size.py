"""The least size of a machine that its log shows."""

from array import array

from workload_tools.pbs.ended import PbsRun


class MachineSize:
    """Watches the jobs of a log, which does not tell the machine's size.

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
        """Take a job into account.

        Parameters
        ----------
        run
            When and where it ran.
        """
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
        """Sum of the hosts' highest slots; 0 where the log has no numbers of slots."""
        return sum(self._highest.values())

    def peak(self) -> int:
        """Return how many processors were busy at most; ends go before starts of the same date."""
        import numpy as np

        if not self._starts:
            return 0
        processors = np.frombuffer(self._processors, dtype=np.int64)
        dates = np.concatenate((np.frombuffer(self._ends), np.frombuffer(self._starts)))
        changes = np.concatenate((-processors, processors))
        # The sort is stable: what stands first of one date, the ends, stays first. A job of 0 s
        # ends before it starts, but adds what it took away.
        return max(0, int(changes[np.argsort(dates, kind="stable")].cumsum().max()))

    def processors(self) -> int | None:
        """Return the size that the machine has at least; None if no job tells it."""
        return max(self.slots, self.peak()) or None
