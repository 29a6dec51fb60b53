"""A text in UTF-8, without its comments, and with one space where it has any number of them."""

import io
import re
from typing import Any

_SPACES = re.compile(rb"[ \t\r]+")
_AT_ENDS = re.compile(rb"^ | $", re.MULTILINE)
_BLOCK = 1 << 20
_LONGEST = 1 << 21


class LongLineError(ValueError):
    """A line is of over 2 MB."""


class PlainLines(io.RawIOBase):
    r"""Reads a text, whole lines at a time; what is not in UTF-8 is replaced.

    Parameters
    ----------
    source
        The text, as bytes to be read.
    comment
        How lines begin that are left out; None for none.
    spaces
        Whether cells are parted by spaces and tabs, however many.

    Raises
    ------
    LongLineError
        While it is read: a line is of over 2 MB.

    Examples
    --------
    >>> text = io.BytesIO(b"; a log\n  1   2\n3 4  \n")
    >>> PlainLines(text, ";", spaces=True).read()
    b'1 2\n3 4\n'
    """

    def __init__(self, source: Any, comment: str | None, *, spaces: bool) -> None:  # noqa: ANN401 - any file
        self._source = source
        pattern = None if comment is None else rb"^[ \t]*%b.*\n?" % re.escape(comment.encode())
        self._comment = None if pattern is None else re.compile(pattern, re.MULTILINE)
        self._spaces = spaces
        self._rest = b""
        self._ready = b""
        self._ended = False
        self._given = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def close(self) -> None:
        """Close the text."""
        if not self.closed:
            self._source.close()
        super().close()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # it is given one
        """Put the next bytes into a buffer, and return how many."""
        while self._given == len(self._ready) and not self._ended:
            self._fill()
        part = self._ready[self._given : self._given + len(buffer)]
        self._given += len(part)
        buffer[: len(part)] = part
        return len(part)

    def _fill(self) -> None:
        """Make some more lines plain."""
        block = self._source.read(_BLOCK)
        self._ended = not block
        text = self._rest + block
        whole = len(text) if self._ended else text.rfind(b"\n") + 1
        text, self._rest = text[:whole], text[whole:]
        if len(self._rest) > _LONGEST:
            raise LongLineError
        if not text.isascii():
            text = text.decode(errors="replace").encode()
        if self._comment is not None:
            text = self._comment.sub(b"", text)
        if self._spaces:
            text = _AT_ENDS.sub(b"", _SPACES.sub(b" ", text))
        self._ready, self._given = text, 0
