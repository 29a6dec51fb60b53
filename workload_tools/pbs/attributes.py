"""The attributes of one record, each read as what it is."""

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
    """Their texts by their names."""
    repaired: Counter[str]
    """Where those are counted that can't be understood."""

    def value(self, name: str, read: Callable[[str], _Value | None]) -> _Value | None:
        """Return an attribute as `read` understands it; None if it is missing or not understood.

        Parameters
        ----------
        name
            The attribute.
        read
            Returns None for a text that it does not understand.
        """
        text = self.values.get(name)
        if not text:
            return None
        value = read(text)
        if value is None:
            self.repaired[f"{name} not understood: left out"] += 1
        return value

    def name(self, *names: str) -> str | None:
        """Return the first of some attributes that the record has, as text.

        Parameters
        ----------
        names
            The attributes, the best first.
        """
        text = next((text for name in names if (text := self.values.get(name))), None)
        if text is None:
            return None
        if not text.isascii():
            # Lines are read as latin-1, which never fails, but most are UTF-8.
            with suppress(UnicodeDecodeError):
                text = text.encode("latin-1").decode()
        return intern(text)
