"""Numbers of things as people say them."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Say how many there are of something.

    Parameters
    ----------
    number
        How many.
    one, many
        What one is called, and several; by default with an s.

    Examples
    --------
    >>> counted(1, "job"), counted(1478, "job"), counted(2, "flurry", "flurries")
    ('1 job', '1,478 jobs', '2 flurries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
