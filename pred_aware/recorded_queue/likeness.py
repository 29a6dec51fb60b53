"""How like the recorded queue a simulated one is."""

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from pred_aware.recorded_queue.waits import distance, rank_correlation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Simulated waits beside recorded ones, of the same jobs."""

    jobs: int
    recorded: float
    """Mean of the recorded waits, in seconds."""
    ratio: float | None
    """Mean simulated wait by mean recorded wait; ``None`` where nobody waited in the record."""
    correlation: float
    """Of the ranks (Spearman); 0 where all waits of one side are the same."""
    distance: float
    """Largest difference of the two distributions (Kolmogorov and Smirnov)."""

    @property
    def simulated(self) -> float | None:
        """Mean of the simulated waits, in seconds; ``None`` where nobody waited in the record."""
        return None if self.ratio is None else self.ratio * self.recorded

    @property
    def unlikeness(self) -> float:
        """What selection makes as small as it can: ``(1 - correlation) + |ln ratio| / 2 + D``."""
        return 1.0 - self.correlation + abs(log(max(self.ratio or 0.0, 1e-9))) / 2.0 + self.distance


def likeness(recorded: "NDArray[np.float64]", simulated: "NDArray[np.float64]") -> Likeness:
    """Compare waits in seconds, both of shape (jobs,).

    Examples
    --------
    >>> import numpy as np
    >>> found = likeness(np.array([0.0, 1000.0, 4000.0]), np.array([0.0, 500.0, 4400.0]))
    >>> round(found.ratio, 2), found.correlation, round(found.distance, 2)
    (0.98, 1.0, 0.33)
    """
    mean = float(recorded.mean())
    return Likeness(
        jobs=len(recorded),
        recorded=mean,
        ratio=float(simulated.mean()) / mean if mean else None,
        correlation=rank_correlation(recorded, simulated) or 0.0,
        distance=distance(recorded, simulated),
    )
