"""Escape texts from logs and files for a terminal, a page or a picture."""

import json

LONGEST = 1000
"""Longest error message, in characters."""


def printable(text: str) -> str:
    r"""Escape all characters that are not printable, as Python does.

    A name in a log may contain line breaks, terminal control codes, and marks that change the
    direction of text.

    Examples
    --------
    >>> print(printable("a\nb\x1b[2J \u202e c"))
    a\nb\x1b[2J \u202e c
    """
    if text.isprintable():
        return text
    return "".join([sign if sign.isprintable() else repr(sign)[1:-1] for sign in text])


def on_one_line(text: str) -> str:
    r"""Escape an error message for a terminal.

    If the message is longer than `LONGEST`, its middle is cut out. Its end stays, because the end
    says what is wrong with a long value.

    Examples
    --------
    >>> print(on_one_line("job 'a\nb' is unknown"))
    job 'a\nb' is unknown
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return printable(text)


def in_json(value: object) -> str:
    """Return a value as JSON for messages, but a text in single quotes.

    Examples
    --------
    >>> in_json("x"), in_json({"file": None})
    ("'x'", '{"file": null}')
    """
    if isinstance(value, str | float):
        return f"'{value}'" if isinstance(value, str) else str(value)
    return json.dumps(value, ensure_ascii=False, default=str)
