"""Online gradient descent that needs no scaled inputs (Ross, Mineiro and Langford 2013)."""

import math
from collections.abc import Callable

from predictors.regression.model import Array

# what a sum of squares begins with, so that 0 / 0 is 0; smaller than any square that matters
TINY = 1e-200


class NormalisedGradient:
    """A linear model that is changed with each example, by normalised adaptive gradients (NAG).

    Each input has a scale of its own, the largest size that it has had, and an adaptive rate; when
    a scale grows, the coefficient shrinks with it, so that one huge value does no harm [1]_.

    Its learning `rate` is in the unit of the predictions.

    References
    ----------
    .. [1] S. Ross, P. Mineiro, J. Langford, "Normalized online learning", UAI 2013, algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> model, inputs = NormalisedGradient(1, rate=10.0), np.array([2.0])
    >>> for _ in range(200):
    ...     model.learn(inputs, lambda predicted: 2.0 * (predicted - 30.0))
    >>> round(model.predict(inputs), 3)
    30.0
    """

    __slots__ = (
        "_coefficients", "_examples", "_inverse_scales", "_norm", "_rate", "_scales", "_squares",
    )  # fmt: skip

    def __init__(self, size: int, *, rate: float) -> None:
        import numpy as np

        self._rate = rate
        self._coefficients: Array = np.zeros(size)
        self._scales: Array = np.zeros(size)
        # 0 where the scale is
        self._inverse_scales: Array = np.zeros(size)
        self._squares: Array = np.full(size, TINY)
        self._norm = 0.0
        self._examples = 0

    def predict(self, inputs: Array) -> float:
        """Return the sum of the inputs, each times its coefficient."""
        # not a product of BLAS, whose last bits differ from machine to machine
        return float((self._coefficients * inputs).sum())

    def learn(self, inputs: Array, slope: Callable[[float], float]) -> None:
        """Learn an example: inputs of shape (size), and the loss's derivative by the prediction."""
        import numpy as np

        self._take_up_sizes(np.abs(inputs))
        self._examples += 1
        shares = inputs * self._inverse_scales
        self._norm += float((shares * shares).sum())
        gradient = slope(self.predict(inputs)) * inputs
        self._squares += gradient * gradient
        steps = gradient * self._inverse_scales / np.sqrt(self._squares)
        if self._norm:
            self._coefficients -= self._rate * math.sqrt(self._examples / self._norm) * steps

    def _take_up_sizes(self, sizes: Array) -> None:
        grown = sizes > self._scales
        if grown.any():
            self._coefficients[grown] *= self._scales[grown] / sizes[grown]
            self._scales[grown] = sizes[grown]
            self._inverse_scales[grown] = 1.0 / sizes[grown]
