"""Text of logs and files, made fit for a terminal, a page or a picture."""

import json

LONGEST = 1000
"""How many characters of an error are told."""


def printable(text: str) -> str:
    r"""Write what is no sign to be seen as Python does.

    A name in a log may hold line breaks, the codes with which a terminal is told to do things, and
    marks that turn the direction of reading.

    Examples
    --------
    >>> print(printable("a\nb\x1b[2J \u202e c"))
    a\nb\x1b[2J \u202e c
    """
    if text.isprintable():
        return text
    return "".join([sign if sign.isprintable() else repr(sign)[1:-1] for sign in text])


def on_one_line(text: str) -> str:
    r"""Make an error fit for a terminal; of what is longer than `LONGEST`, the middle is left out.

    What is wrong with a long value stands behind it.

    Examples
    --------
    >>> print(on_one_line("job 'a\nb' is unknown"))
    job 'a\nb' is unknown
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return printable(text)


def in_json(value: object) -> str:
    """Return a value as a file or an option has it, for messages; a text in single quotes.

    Examples
    --------
    >>> in_json("x"), in_json({"file": None})
    ("'x'", '{"file": null}')
    """
    if isinstance(value, str | float):
        return f"'{value}'" if isinstance(value, str) else str(value)
    return json.dumps(value, ensure_ascii=False, default=str)
