"""An asymmetric loss: squared when over, absolute when under (Gaussier et al. 2015)."""

import math
from dataclasses import dataclass

from predictors.checks import require_choice, require_number

BRANCHES = ("squared", "absolute")
WEIGHTS = ("area", "none")


@dataclass(frozen=True, slots=True)
class AsymmetricLoss:
    """The loss of a prediction e of a run time r: weight x ((e - r) / unit)^2 or |e - r| / unit.

    Examples
    --------
    The derivative is 2 for a prediction that is an hour too long, -1 for one that is too short.

    >>> loss = AsymmetricLoss(weight="none")
    >>> loss.derivative(7200.0, 3600.0, processors=4), loss.derivative(0.0, 3600.0, processors=4)
    (2.0, -1.0)
    """

    over: str = "squared"
    """The loss of a prediction above the run time, ``squared`` or ``absolute``."""
    under: str = "absolute"
    """The loss of one below."""
    unit: float = 3600.0
    """The error in seconds at which both count the same."""
    weight: str = "area"
    """``area``: 1 + ln(processors x run time), at least 1; ``none``: 1."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_choice("over", self.over, BRANCHES)
        require_choice("under", self.under, BRANCHES)
        require_number("unit", self.unit, open_ends=True)
        require_choice("weight", self.weight, WEIGHTS)

    def derivative(self, predicted: float, run_time: float, *, processors: int) -> float:
        """Return the derivative by the prediction, in losses for each `unit` of seconds."""
        error = (predicted - run_time) / self.unit
        weight = 1.0
        if self.weight == "area":
            weight += math.log(max(processors * run_time, 1.0))
        if (self.over if error > 0 else self.under) == "squared":
            return weight * 2.0 * error
        return weight * (error > 0) - weight * (error < 0)
