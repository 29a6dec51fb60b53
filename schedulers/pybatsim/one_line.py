"""Errors as one line, whatever stands in the data that they quote."""

LONGEST = 2000
"""How many characters of an error are told."""


def on_one_line(text: str) -> str:
    r"""Write control characters as Python does, and cut what is longer than `LONGEST`.

    A job's name may hold line breaks, or the codes with which a terminal is told to do things.

    Examples
    --------
    >>> print(on_one_line("job 'a\nb\x1b[2J' is unknown"))
    job 'a\nb\x1b[2J' is unknown
    """
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return "".join([sign if sign.isprintable() else repr(sign)[1:-1] for sign in cut])
