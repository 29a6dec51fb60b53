"""Which jobs of a table were seen and when each was submitted, in little memory."""

import math
from array import array

_PAGE = 32
_MOST_DIGITS = 18


class Submissions:
    """Dates of submission by job id; ids that are numbers stand in pages of 32.

    Where the numbers follow each other a job needs about 15 bytes, where a ``dict`` needs 200.

    Examples
    --------
    >>> seen = Submissions()
    >>> seen.put("7", 100.0)
    >>> seen.put("7.2", 200.0)
    >>> seen.date("7"), seen.date("7.2"), seen.date("8"), seen.date("07")
    (100.0, 200.0, None, None)
    """

    __slots__ = ("_others", "_pages")

    def __init__(self) -> None:
        self._pages: dict[int, array[float]] = {}
        self._others: dict[str, float] = {}

    def date(self, name: str) -> float | None:
        """Return when the job was submitted; None if it was not seen."""
        if not _is_number(name):
            return self._others.get(name)
        page, place = divmod(int(name), _PAGE)
        dates = self._pages.get(page)
        return None if dates is None or math.isnan(dates[place]) else dates[place]

    def put(self, name: str, date: float) -> None:
        """Note when a job was submitted."""
        if not _is_number(name):
            self._others[name] = date
            return
        page, place = divmod(int(name), _PAGE)
        dates = self._pages.get(page)
        if dates is None:
            dates = self._pages[page] = array("d", [math.nan]) * _PAGE
        dates[place] = date


def _is_number(name: str) -> bool:
    """Say whether a name is a number as Python writes it, so that no two are the same one."""
    return (
        name.isdecimal()
        and name.isascii()
        and len(name) <= _MOST_DIGITS
        and (name[0] != "0" or name == "0")
    )
