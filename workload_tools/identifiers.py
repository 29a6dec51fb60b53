"""Sets that need little memory for numbers and for names that are numbered."""

_PAGE_BITS = 8
_PAGE_MASK = (1 << _PAGE_BITS) - 1
_MOST_DIGITS = 18


class NumberSet:
    """A set of whole numbers, in pages of 256 of which each is a number of as many bits.

    Ten million numbers in a row need 10 MB, where a ``set`` needs 800 MB; numbers far from each
    other need about as much as in a ``set``.

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
        """Add a number; say whether it is new."""
        page = number >> _PAGE_BITS
        bit = 1 << (number & _PAGE_MASK)
        bits = self._pages.get(page, 0)
        if bits & bit:
            return False
        self._pages[page] = bits | bit
        return True

    def __contains__(self, number: int) -> bool:
        """Say whether a number is there."""
        bits = self._pages.get(number >> _PAGE_BITS, 0)
        return bool(bits >> (number & _PAGE_MASK) & 1)


class IdentifierSet:
    """A set of names, such as job ids, that is small where they end or begin with a number.

    Names such as ``17``, ``17_3``, ``17.server`` need a few bytes each if their numbers follow each
    other; others need as much as in a ``set``.

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
        """Add a name; say whether it is new."""
        # nearly all names: as `is_number`, and in half the time
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
        """Say whether a name is there."""
        if is_number(name):
            return int(name) in self._plain
        parts = numbered(name)
        if parts is None:
            return name in self._others
        head, number, tail = parts
        return (head, tail) in self._numbered and number in self._numbered[head, tail]


def is_number(text: str) -> bool:
    """Say whether a text is a whole number as Python writes it, so that no two are the same one."""
    return (
        text.isdecimal()
        and text.isascii()
        and len(text) <= _MOST_DIGITS
        and (text[0] != "0" or text == "0")
    )


def numbered(name: str) -> tuple[str, int, str] | None:
    """Split a name into what stands before its number, the number, and what stands behind.

    Returns
    -------
    tuple or None
        None for a name that neither ends nor begins with a number as Python writes it.

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
