"""Numbers rounded as in the files of a run, and the range of a simulation's numbers."""

import io
from typing import TYPE_CHECKING

from workload_tools.batsim.workload import LATEST

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_A_SECOND = 1e6
"""Factor that makes a number with six decimals whole."""

_EXACT = 2.0**53 / _A_SECOND
"""Whole numbers of millionths below this are exact in a double."""


def reachable(values: "NDArray[np.float64]") -> bool:
    """Return True if all numbers are within the range of a simulation."""
    return not _largest(values) > LATEST


def _largest(values: "NDArray[np.float64]") -> float:
    """Return the largest magnitude, ignoring NaN."""
    import numpy as np

    return float(max(np.fmax.reduce(values, initial=0.0), -np.fmin.reduce(values, initial=0.0)))


def rounded_as_in_csv(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Round numbers to six decimals, exactly as if they were written to a file and read.

    Parameters
    ----------
    values
        Seconds or stretches; NaN for an empty cell.

    Examples
    --------
    >>> import numpy as np
    >>> rounded_as_in_csv(np.array([1.0, 1 / 3, 0.1 + 0.2, 2.5e-7]))
    array([1.      , 0.333333, 0.3     , 0.      ])
    """
    import numpy as np

    with np.errstate(over="ignore", invalid="ignore"):
        whole = np.rint(values)
        if ((values == whole) | np.isnan(values)).all() and _largest(whole) < _EXACT:
            return whole
        millionths = values * _A_SECOND
        whole = np.rint(millionths)
        written: NDArray[np.float64] = whole / _A_SECOND
        # next to a half, the product's own rounding error could decide
        from_half = np.abs(np.abs(millionths - whole) - 0.5)
        unsure = ~(from_half > np.spacing(np.abs(millionths))) & np.isfinite(values)
    if unsure.any():
        written[unsure] = _parse_numbers([f"{value:f}" for value in values[unsure].tolist()])
    return written


def _parse_numbers(texts: list[str]) -> "NDArray[np.float64]":
    """Read numbers with six decimals, in the same way as pandas."""
    import numpy as np

    millionths = np.array([float(text.replace(".", "")) for text in texts])
    if _largest(millionths) < _EXACT * _A_SECOND:
        return millionths / _A_SECOND
    import pandas as pd

    read = pd.read_csv(io.StringIO("\n".join(texts)), header=None, dtype="float64")
    return read[0].to_numpy()
