"""Write a number with its noun."""


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Write a number with its noun.

    Parameters
    ----------
    number
        The number of things.
    singular, plural
        The forms of the noun. By default the plural is the singular with an s.

    Examples
    --------
    >>> counted(1, "job"), counted(1478, "job"), counted(2, "flurry", "flurries")
    ('1 job', '1,478 jobs', '2 flurries')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
