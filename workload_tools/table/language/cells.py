"""Read the cells of a batch of rows as texts and numbers, and find missing and invalid cells."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.object_]
"""An array whose items are texts or None."""

MISSING = (
    *("", "-1", "-1.0", "nan", "none", "null", "nil", "nat", "na", "n/a", "<na>", "(null)"),
    *("unknown", "\\n", "?"),
)
"""Texts that mean a missing value in all columns, in upper or lower case."""

LARGEST = 2.0**53
"""The largest valid number in a table; larger doubles cannot represent all whole numbers."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
# programs write whole numbers as 12.0 if their column also has missing values
_WHOLE = re.compile(r"(-?[0-9]+)\.0*")
_SCIENTIFIC = re.compile(r"[0-9]\.[0-9]+[eE]\+[0-9]{1,2}")


class TypedCells(Protocol):
    """Cells of a file whose columns have types, such as Parquet."""

    @property
    def are_durations(self) -> bool:
        """True if the column's type is a duration; its numbers are then in seconds."""

    def texts(self) -> Texts:
        """Return the texts that a CSV file would contain for these cells."""

    def numbers(self) -> Numbers | None:
        """Return the numbers, with NaN for missing cells; None if the type is not numeric."""

    def dates(self) -> tuple[Numbers, bool] | None:
        """Return seconds since 1970, and whether they are in UTC; None if the type is no date."""


Cells: TypeAlias = Texts | TypedCells


@dataclass(frozen=True, slots=True)
class TableRows:
    """Some rows of a file."""

    first: int
    """Number of the first row, from 1; in CSV the line number, if no cell contains a line end."""
    count: int
    columns: dict[str, Cells]
    damaged: int = 0
    """Number of skipped lines before these rows, which had a wrong number of cells."""


@dataclass
class Missing:
    """The texts and numbers that mean a missing value: those of `MISSING` and of a map."""

    more: tuple[str, ...] = ()
    """Texts that the map adds."""
    texts: frozenset[str] = field(init=False)
    """All texts, in lower case."""
    numbers: frozenset[float] = field(init=False)
    """The numbers among the texts."""

    def __post_init__(self) -> None:
        """Compute `texts` and `numbers`."""
        self.texts = frozenset({*MISSING, *(text.strip().lower() for text in self.more)})
        self.numbers = frozenset(_numbers(self.texts))

    def has(self, text: str | None) -> bool:
        """Return True if a text means a missing value."""
        return text is None or text.strip().lower() in self.texts


def _numbers(texts: Iterable[str]) -> Iterable[float]:
    for text in texts:
        try:
            yield float(text)
        except ValueError:
            continue


NOTHING_MORE = Missing()


def texts_of(cells: Cells) -> Texts:
    """Return cells of any type as texts.

    Examples
    --------
    >>> texts_of(np.array(["a", None], object))
    array(['a', None], dtype=object)
    """
    return cells if isinstance(cells, np.ndarray) else cells.texts()


def are_durations(cells: Cells) -> bool:
    """Return True if the cells are numbers of seconds."""
    return not isinstance(cells, np.ndarray) and cells.are_durations


def text_array(texts: Iterable[str | None]) -> Texts:
    """Return an array of texts and None."""
    return np.array(texts if isinstance(texts, list) else [*texts], object)


def written(numbers: Numbers) -> Texts:
    """Return numbers as texts, whole numbers without a decimal point; NaN becomes None.

    Examples
    --------
    >>> written(np.array([1.0, np.nan, 2.5])).tolist()
    ['1', None, '2.5']
    """
    return text_array(None if number != number else _text(number) for number in numbers.tolist())  # noqa: PLR0124 - NaN


def _text(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) <= LARGEST else repr(number)


def where(chosen: Truths, texts: Texts, others: Texts | None = None) -> Texts:
    """Return the chosen texts, and at other positions the texts of `others` or None."""
    either: Texts = np.where(chosen, texts, np.array(None) if others is None else others)
    return either


def are_absent(texts: Texts) -> Truths:
    """Return for each text whether it is None."""
    return np.array([text is None for text in texts.tolist()], np.bool_)


def names_of(cells: Cells, missing: Missing = NOTHING_MORE) -> list[str | None]:
    """Return the names in a column; None for missing names.

    A whole number that is written as ``12.0`` or ``1.2345678e+13`` becomes a text without a point.

    Examples
    --------
    >>> names_of(text_array(["ann", "12.0", " bob ", "NaN", None, "3.5012e+4"]))
    ['ann', '12', 'bob', None, None, '35012']
    """
    texts = texts_of(cells).tolist()
    names = {text: _name(text, missing) for text in set(texts)}
    return [names[text] for text in texts]


def _name(text: str | None, missing: Missing) -> str | None:
    if text is None:
        return None
    name = text.strip()
    if name.lower() in missing.texts:
        return None
    if "." in name:
        whole = _WHOLE.fullmatch(name)
        if whole is not None:
            return whole[1]
        if _SCIENTIFIC.fullmatch(name) and float(name).is_integer():
            return str(int(float(name)))
    return name


def numbers_of(
    cells: Cells, missing: Missing = NOTHING_MORE, *, decimal: str = "."
) -> tuple[Numbers, Truths | None]:
    """Return the numbers of a column.

    Parameters
    ----------
    cells
        Numbers or texts.
    missing
        Texts and numbers that mean a missing value.
    decimal
        The decimal separator.

    Returns
    -------
    tuple
        The numbers, with NaN for missing or invalid cells. And an array that is True for invalid
        cells, or None if no cell is invalid.

    Examples
    --------
    >>> numbers_of(text_array(["1.5", "-1", "many", None]))
    (array([1.5, nan, nan, nan]), array([False, False,  True, False]))
    """
    typed = None if isinstance(cells, np.ndarray) else cells.numbers()
    unreadable: Truths | None = None
    if typed is None:
        values, unreadable = _read(texts_of(cells), missing, decimal)
    elif are_durations(cells):
        return typed, None
    else:
        values = typed
    for number in missing.numbers:
        at = values == number
        if at.any():
            values = np.where(at, np.nan, values)
    too_large = np.abs(values) > LARGEST
    if too_large.any():
        # Slurm writes numbers such as 2**64 - 2 for missing values
        values = np.where(too_large, np.nan, values)
        unreadable = too_large if unreadable is None else unreadable | too_large
    return values, unreadable


def _read(texts: Texts, missing: Missing, decimal: str) -> tuple[Numbers, Truths | None]:
    plain = texts.tolist()
    try:
        whole = "".join(plain)
        if decimal == "." and whole.isascii() and "_" not in whole:
            return np.array([*map(float, plain)], np.float64), None
    except (TypeError, ValueError):
        pass

    def number(text: str) -> float:
        text = text.replace(decimal, ".").strip()
        return float(text) if _NUMBER.fullmatch(text) else np.nan

    return meanings(texts, missing, number)


def meanings(
    texts: Texts, missing: Missing, meaning: Callable[[str], float]
) -> tuple[Numbers, Truths | None]:
    """Convert texts to numbers; return the same as `numbers_of`.

    Parameters
    ----------
    texts, missing
        The texts, and the texts that mean a missing value.
    meaning
        Function that converts a text to a number, or to NaN if the text is invalid. It is called
        once per distinct text.
    """
    cells = texts.tolist()
    values = {text: np.nan if missing.has(text) else meaning(text) for text in set(cells)}
    wrong = {text for text, value in values.items() if value != value and not missing.has(text)}  # noqa: PLR0124 - NaN
    numbers: Numbers = np.array([values[text] for text in cells], np.float64)
    return numbers, np.array([text in wrong for text in cells], np.bool_) if wrong else None
