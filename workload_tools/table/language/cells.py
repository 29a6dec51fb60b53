"""The cells of a batch of rows as texts and as numbers, and what is missing or unreadable in it."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

MISSING = (
    *("", "-1", "-1.0", "nan", "none", "null", "nil", "nat", "na", "n/a", "<na>", "(null)"),
    *("unknown", "\\n", "?"),
)
"""What stands for no value in any column, whatever its case."""

LARGEST = 2.0**53
"""The largest number of a table: above it doubles leave whole numbers out."""

_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$"
# what a table makes of whole numbers that stand in a column of numbers with gaps
_WHOLE = re.compile(r"(-?[0-9]+)\.0*")
_SCIENTIFIC = re.compile(r"[0-9]\.[0-9]+[eE]\+[0-9]{1,2}")


@dataclass
class Missing:
    """What stands for no value: `MISSING` and what a map adds.

    Parameters
    ----------
    more
        What a map adds, as text.
    """

    more: tuple[str, ...] = ()
    texts: frozenset[str] = field(init=False)
    numbers: frozenset[float] = field(init=False)

    def __post_init__(self) -> None:
        """Write the texts out in lower case, and those that are numbers as numbers."""
        self.texts = frozenset({*MISSING, *(text.strip().lower() for text in self.more)})
        self.numbers = frozenset(_numbers(self.texts))

    @cached_property
    def values(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """The texts in the cases in which they are found, to be looked up at once."""
        import pyarrow as pa

        cases = sorted(
            {case for text in self.texts for case in (text, text.upper(), text.title())}
            | {"NaN", "NaT", *self.more}
        )
        return pa.array(cases, pa.string())


def _numbers(texts: Iterable[str]) -> Iterable[float]:
    for text in texts:
        try:
            yield float(text)
        except ValueError:
            continue


NOTHING_MORE = Missing()


def texts_of(column: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return a column of any type as an array of texts, cells that are no text included.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts_of(pa.array([1.0, None, 2.5])).to_pylist()
    ['1', None, '2.5']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        return texts_of(column.dictionary_decode())
    if pa.types.is_string(kind):
        return column
    if pa.types.is_floating(kind):
        return _written(column, lambda cell: None if math.isnan(cell) else _number_text(cell))
    try:
        return pc.cast(column, pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return _written(column, _cell_text)


def _written(column: Any, write: Callable[[Any], str | None]) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    cells = [None if cell is None else write(cell) for cell in column.to_pylist()]
    return pa.array(cells, pa.string())


def _cell_text(cell: object) -> str:
    return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)


def _number_text(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) <= LARGEST else repr(number)


def names_of(column: Any, missing: Missing = NOTHING_MORE) -> list[str | None]:  # noqa: ANN401 - pyarrow has no types
    """Return the names that stand in a column; None for what is missing.

    Whole numbers that a table turned to ``12.0`` or ``1.2345678e+13`` are whole again.

    Examples
    --------
    >>> import pyarrow as pa
    >>> names_of(pa.array(["ann", "12.0", " bob ", "NaN", None, "3.5012e+4"]))
    ['ann', '12', 'bob', None, None, '35012']
    """
    encoded = texts_of(column).dictionary_encode()
    names = [_name(text, missing) for text in encoded.dictionary.to_pylist()]
    names.append(None)
    last = len(names) - 1
    return [names[index] for index in encoded.indices.fill_null(last).to_pylist()]


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
    column: Any,  # noqa: ANN401 - pyarrow has no types
    missing: Missing = NOTHING_MORE,
    *,
    decimal: str = ".",
) -> tuple[Numbers, Truths | None]:
    """Return the numbers of a column.

    Parameters
    ----------
    column
        An arrow array of numbers or texts.
    missing
        What stands for no value.
    decimal
        What stands before a fraction.

    Returns
    -------
    tuple
        The numbers, NaN where there is none, and which cells have something that is no number;
        None where all are understood.

    Examples
    --------
    >>> import pyarrow as pa
    >>> numbers_of(pa.array(["1.5", "-1", "many", None]))
    (array([1.5, nan, nan, nan]), array([False, False,  True, False]))
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_duration(kind):
        return _doubles(column.cast(pa.duration("us"), safe=False).cast(pa.int64())) / 1e6, None
    unreadable: Truths | None = None
    if _is_number(kind):
        values = _doubles(column)
    else:
        texts = texts_of(column)
        if decimal != ".":
            texts = pc.replace_substring(texts, decimal, ".")
        texts = _without(texts, pc.is_in(texts, value_set=missing.values))
        try:
            values = _doubles(texts.cast(pa.float64()))
        except pa.ArrowInvalid:
            values, unreadable = _screened(texts, missing)
    for number in missing.numbers:
        at = values == number
        if at.any():
            values = np.where(at, np.nan, values)
    too_large = np.abs(values) > LARGEST
    if too_large.any():
        # 2**64 - 2 and the like are how Slurm writes that there is no value
        values = np.where(too_large, np.nan, values)
        unreadable = too_large if unreadable is None else unreadable | too_large
    return values, unreadable


def _is_number(kind: Any) -> bool:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_boolean(kind)
    )


def _doubles(column: Any) -> Numbers:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    doubles = column.cast(pa.float64(), safe=False)
    values: Numbers = doubles.fill_null(np.nan).to_numpy(zero_copy_only=False)
    return values


def _without(texts: Any, absent: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(absent, pa.scalar(None, pa.string()), texts)


def _screened(texts: Any, missing: Missing) -> tuple[Numbers, Truths]:  # noqa: ANN401 - pyarrow has no types
    """Return the numbers of texts of which some are none, and which."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.utf8_trim_whitespace(texts)
    texts = _without(texts, pc.is_in(pc.utf8_lower(texts), value_set=missing.values))
    readable = pc.match_substring_regex(texts, _NUMBER).fill_null(False)
    numbers = pc.utf8_ltrim(_without(texts, pc.invert(readable)), "+")
    there = texts.is_valid().to_numpy(zero_copy_only=False)
    values = _doubles(numbers.cast(pa.float64()))
    return values, there & ~readable.to_numpy(zero_copy_only=False)
