"""The fields of many records at once, found by the separators between them."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from workload_tools.slurm.layout import Layout

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Marks: TypeAlias = NDArray[np.bool_]

_NINE = 9


class Cells:
    """The fields of those records that have as many separators as their layout.

    Parameters
    ----------
    texts
        The records; of latin-1 alone.
    layout
        That of each.

    Attributes
    ----------
    places
        Which of the records these are; shape (rows,).

    Examples
    --------
    >>> cells = Cells(["7|ann", "8", "9|bob"], Layout(("jobid", "user")))
    >>> cells.places, cells.texts(1), cells.numbers(0, most=10)[0]
    (array([0, 2]), ['ann', 'bob'], array([7, 9]))
    """

    def __init__(self, texts: Sequence[str], layout: Layout) -> None:
        self.text = "\n".join(texts)
        self.letters = np.frombuffer(self.text.encode("latin-1"), np.uint8)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        ends = np.cumsum(lengths + 1) - 1
        begins = ends - lengths
        each = layout.separators
        # several characters may overlap in many ways
        known = len(layout.separator) == 1
        at = np.flatnonzero(self.letters == ord(layout.separator)) if known else ends[:0]
        first = np.searchsorted(at, begins)
        whole = np.diff(np.append(first, len(at))) == each if known else np.zeros(len(ends), bool)
        if layout.trailing:
            whole[whole] = at[first[whole] + each - 1] == ends[whole] - 1
        self.places = np.flatnonzero(whole)
        self._begins, self._ends = begins[whole], ends[whole]
        self._between = at[first[whole] + np.arange(each)[:, np.newaxis]]
        self._columns = len(layout.names)

    def where(self, chosen: Marks) -> None:
        """Keep some of the rows."""
        if not chosen.all():
            self.places, self._between = self.places[chosen], self._between[:, chosen]
            self._begins, self._ends = self._begins[chosen], self._ends[chosen]

    def span(self, first: int, last: int | None = None) -> tuple[Integers, Integers]:
        """Return where a column, or several beside each other, begins and ends in the text."""
        if first == self._columns:  # a field that the dump lacks
            return self._begins, self._begins
        last = first if last is None else last
        begins = self._between[first - 1] + 1 if first else self._begins
        return begins, self._between[last] if last < len(self._between) else self._ends

    def texts(self, first: int, last: int | None = None, rows: Marks | None = None) -> list[str]:
        """Return the texts of a column, or of several with what stands between them."""
        begins, ends = self.span(first, last)
        if rows is not None:
            begins, ends = begins[rows], ends[rows]
        text = self.text
        spans = zip(begins.tolist(), ends.tolist(), strict=True)
        return [text[begin:end] for begin, end in spans]

    def numbers(self, column: int, *, most: int) -> tuple[Integers, Marks]:
        """Return the numbers of a column, and which of its texts are some, of so many digits."""
        begins, ends = self.span(column)
        lengths = ends - begins
        fine = (lengths > 0) & (lengths <= most)
        values = np.zeros(len(ends), np.int64)
        for place in range(int(lengths[fine].max(initial=0))):
            there = fine & (lengths > place)
            # a text that is too short reads what stands before it, and takes nothing of it
            digits = self.letters[ends - 1 - place] - np.uint8(ord("0"))
            fine &= ~there | (digits <= _NINE)
            values += np.where(there, digits, 0).astype(np.int64) * 10**place
        return values, fine
