"""The attributes of one record, converted to their types."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from sys import intern
from typing import TypeVar

_Value = TypeVar("_Value")


@dataclass(slots=True)
class Attributes:
    """The attributes of a record.

    Examples
    --------
    >>> from workload_tools.pbs.quantities import seconds
    >>> read = Attributes({"start": "12", "end": "?"}, Counter())
    >>> read.value("start", seconds), read.value("end", seconds), read.repaired
    (12.0, None, Counter({'end not understood: left out': 1}))
    """

    values: Mapping[str, str]
    """Texts by attribute name."""
    repaired: Counter[str]
    """Counts of attributes with invalid text."""

    def value(self, name: str, read: Callable[[str], _Value | None]) -> _Value | None:
        """Return an attribute converted by `read`; None if it is missing or invalid.

        Parameters
        ----------
        name
            The attribute's name.
        read
            Converts a text; returns None if it is invalid.
        """
        text = self.values.get(name)
        if not text:
            return None
        value = read(text)
        if value is None:
            self.repaired[f"{name} not understood: left out"] += 1
        return value

    def name(self, *names: str) -> str | None:
        """Return the text of the first attribute that the record has.

        Parameters
        ----------
        names
            Names of attributes, the preferred one first.
        """
        text = next((text for name in names if (text := self.values.get(name))), None)
        if text is None:
            return None
        if not text.isascii():
            # lines are read as latin-1, which never fails, but most are UTF-8
            with suppress(UnicodeDecodeError):
                text = text.encode("latin-1").decode()
        return intern(text)
