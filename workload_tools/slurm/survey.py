"""A first pass over a dump, for facts that are needed before its jobs."""

from array import array
from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Survey:
    """Facts from the first pass, in eight bytes per job."""

    records: int = 0
    jobs: int = 0
    """Numbers of records, with and without those of steps."""
    keys: "array[int]" = field(default_factory=lambda: array("q"))
    """The key of each job record."""
    clusters: Counter[str] = field(default_factory=Counter)
    """Number of records of each cluster."""
    array_limits: dict[str, int] = field(default_factory=dict)
    """Limit of simultaneous tasks of a job array, by the array's number."""
    has_gpus: bool = False
    """True if any record has GPUs.

    Otherwise a job without GPUs cannot be distinguished from a site that does not count them.
    """

    def repeated(self) -> dict[int, int]:
        """Return the number of records of each job that has more than one.

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
