"""The base of regressions on trees: the options that they have in common."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from predictors.checks import LARGEST_SEED, require_choice, require_count, require_number
from predictors.regression.regression import Regression

_CHECKS: Mapping[str, Callable[[str, object], object]] = {
    "trees": require_count,
    "learning_rate": partial(require_number, open_ends=True),
    "max_depth": require_count,
    "max_leaves": partial(require_count, least=2),
    "min_samples_leaf": require_count,
    "quantile": partial(require_number, most=1.0, open_ends=True),
    "seed": partial(require_count, least=0, most=LARGEST_SEED),
}
"""The checks of the options, in those that have them."""


@dataclass(kw_only=True, eq=False)
class OnTrees(Regression):
    """Predicts with trees that are fitted to past jobs; see `Regression`."""

    losses: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"squared": "squared_error", "absolute": "absolute_error"}
    )
    """The losses, with scikit-learn's names of them."""

    loss: str = "squared"
    """The error that is minimised: the ``squared`` one (a leaf has the mean of its jobs), the
    ``absolute`` one (it has the median; fits of single trees and forests take many times longer)
    or, where trees are boosted, that of a ``quantile``."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_choice("loss", self.loss, tuple(self.losses))
        for option, check in _CHECKS.items():
            value = getattr(self, option, None)
            # there may be no limit only where there is none by default
            if value is not None or getattr(type(self), option, None) is not None:
                check(option, value)
