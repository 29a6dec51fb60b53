"""The precision of scikit-learn's trees."""

from predictors.regression.model import Array


def to_single_precision(table: Array) -> Array:
    """Round a table to 32 bits, as scikit-learn's trees do; what is too large for them is cut.

    Examples
    --------
    >>> import numpy as np
    >>> to_single_precision(np.array([1e300, 0.5])).tolist()
    [3.4028234663852886e+38, 0.5]
    """
    import numpy as np

    largest = np.finfo(np.float32).max
    return np.clip(table, -largest, largest).astype(np.float32)
