"""The classes of a table, for several models that are fitted to it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from predictors.regression.histograms.classes import Classes
    from predictors.regression.histograms.values import Floats


class LastClasses:
    """The classes of the table that was asked for last."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: Classes | None = None

    def of(self, rows: "Floats") -> "Classes":
        """Return the classes of a table; shape (jobs, columns)."""
        import numpy as np

        from predictors.regression.histograms.classes import Classes

        last = self._last
        if last is None or not np.array_equal(last.rows, rows):
            last = self._last = Classes.of(rows)
        return last
