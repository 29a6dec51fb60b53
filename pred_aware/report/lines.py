"""Print lines on standard output or standard error."""

import sys

from workload_tools.printable import printable


def say(line: object = "", *, error: bool = False) -> None:
    r"""Print a line immediately. Invisible characters are escaped as in Python.

    Examples
    --------
    >>> say("Page: kth\x1b[2J.html")
    Page: kth\x1b[2J.html
    """
    stream = sys.stderr if error else sys.stdout
    stream.write(f"{printable(str(line))}\n")
    stream.flush()
