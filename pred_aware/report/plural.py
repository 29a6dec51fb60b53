"""Write numbers of things."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun.

    Parameters
    ----------
    number
        The number.
    one, many
        The noun in singular and plural. By default the plural has an s.

    Examples
    --------
    >>> counted(1, "job"), counted(1478, "job"), counted(2, "flurry", "flurries")
    ('1 job', '1,478 jobs', '2 flurries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
