"""Write numbers of things."""


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Write a number with its noun.

    Parameters
    ----------
    number
        The number.
    singular, plural
        Forms of the noun. By default the plural has an s.

    Examples
    --------
    >>> counted(1, "job"), counted(1478, "job"), counted(2, "flurry", "flurries")
    ('1 job', '1,478 jobs', '2 flurries')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
