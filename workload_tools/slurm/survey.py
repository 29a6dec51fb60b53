"""A first pass over a dump: what must be known before its jobs are made."""

from array import array
from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Survey:
    """What a first reading tells, in eight bytes a job."""

    records: int = 0
    jobs: int = 0
    """How many there are, with and without the steps."""
    keys: "array[int]" = field(default_factory=lambda: array("q"))
    """The key of each record of a job."""
    clusters: Counter[str] = field(default_factory=Counter)
    """How many records each cluster has."""
    array_limits: dict[str, int] = field(default_factory=dict)
    """How many tasks of an array may run at a time, by the array's number."""
    has_gpus: bool = False
    """Whether any record tells of gpus, without which a job that has none can't be told from a
    site that does not count them."""

    def repeated(self) -> dict[int, int]:
        """Return how many records there are of each job that has more than one.

        Examples
        --------
        >>> Survey(keys=array("q", [7, 5, 7])).repeated()
        {7: 2}
        """
        import numpy as np

        keys = np.frombuffer(self.keys, dtype=np.int64) if self.keys else np.empty(0, np.int64)
        keys = np.sort(keys)
        again = np.unique(keys[1:][keys[1:] == keys[:-1]])
        first = np.searchsorted(keys, again, side="left")
        last = np.searchsorted(keys, again, side="right")
        return dict(zip(again.tolist(), (last - first).tolist(), strict=True))
