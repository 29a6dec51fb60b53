"""Memory-efficient sets of numbers and of numbered names."""

_PAGE_BITS = 8
_PAGE_MASK = (1 << _PAGE_BITS) - 1
_MOST_DIGITS = 18


class NumberSet:
    """A set of whole numbers, stored as pages of 256 bits.

    Ten million consecutive numbers need 10 MB, compared with 800 MB in a ``set``. Scattered numbers
    need about as much as in a ``set``.

    Examples
    --------
    >>> numbers = NumberSet()
    >>> numbers.add(7), numbers.add(7), 7 in numbers, 8 in numbers
    (True, False, True, False)
    """

    __slots__ = ("_pages",)

    def __init__(self) -> None:
        self._pages: dict[int, int] = {}

    def add(self, number: int) -> bool:
        """Add a number, and return True if it is new."""
        page = number >> _PAGE_BITS
        bit = 1 << (number & _PAGE_MASK)
        bits = self._pages.get(page, 0)
        if bits & bit:
            return False
        self._pages[page] = bits | bit
        return True

    def __contains__(self, number: int) -> bool:
        """Return True if the set contains a number."""
        bits = self._pages.get(number >> _PAGE_BITS, 0)
        return bool(bits >> (number & _PAGE_MASK) & 1)


class IdentifierSet:
    """A set of names, such as job ids, that is small if they begin or end with a number.

    Names such as ``17``, ``17_3`` and ``17.server`` need a few bytes each if their numbers are
    consecutive. Other names need as much as in a ``set``.

    Examples
    --------
    >>> seen = IdentifierSet()
    >>> [seen.add(name) for name in ("17", "017", "17_3", "17", "17.server")]
    [True, True, True, False, True]
    >>> "17_3" in seen, "17_4" in seen
    (True, False)
    """

    __slots__ = ("_numbered", "_others", "_plain")

    def __init__(self) -> None:
        self._plain = NumberSet()
        self._numbered: dict[tuple[str, str], NumberSet] = {}
        self._others: set[str] = set()

    def add(self, name: str) -> bool:
        """Add a name, and return True if it is new."""
        # the same test as `is_number`, in half the time, for nearly all names
        if name.isdecimal() and name.isascii() and len(name) <= _MOST_DIGITS and name[0] != "0":
            return self._plain.add(int(name))
        if is_number(name):
            return self._plain.add(int(name))
        parts = numbered(name)
        if parts is not None:
            head, number, tail = parts
            numbers = self._numbered.get((head, tail))
            if numbers is None:
                numbers = self._numbered[head, tail] = NumberSet()
            return numbers.add(number)
        if name in self._others:
            return False
        self._others.add(name)
        return True

    def __contains__(self, name: str) -> bool:
        """Return True if the set contains a name."""
        if is_number(name):
            return int(name) in self._plain
        parts = numbered(name)
        if parts is None:
            return name in self._others
        head, number, tail = parts
        return (head, tail) in self._numbered and number in self._numbered[head, tail]


def is_number(text: str) -> bool:
    """Return True if a text is a whole number in Python's notation, without leading zeros."""
    return (
        text.isdecimal()
        and text.isascii()
        and len(text) <= _MOST_DIGITS
        and (text[0] != "0" or text == "0")
    )


def numbered(name: str) -> tuple[str, int, str] | None:
    """Split a name into the text before its number, the number, and the text after it.

    Returns
    -------
    tuple or None
        None for a name that neither begins nor ends with a number in Python's notation.

    Examples
    --------
    >>> numbered("17"), numbered("17_3"), numbered("17.server"), numbered("007")
    (('', 17, ''), ('17_', 3, ''), ('', 17, '.server'), None)
    """
    if is_number(name):
        return "", int(name), ""
    head = name.rstrip("0123456789")
    if len(head) < len(name):
        digits, tail = name[len(head) :], ""
    else:
        tail = name.lstrip("0123456789")
        head, digits = "", name[: len(name) - len(tail)]
    return (head, int(digits), tail) if is_number(digits) else None
