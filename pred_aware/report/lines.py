"""Lines for people, on standard output or standard error."""

import sys

from workload_tools.printable import printable


def say(line: object = "", *, error: bool = False) -> None:
    r"""Write a line at once; what is no sign to be seen is written as Python does.

    Examples
    --------
    >>> say("Page: kth\x1b[2J.html")
    Page: kth\x1b[2J.html
    """
    stream = sys.stderr if error else sys.stdout
    stream.write(f"{printable(str(line))}\n")
    stream.flush()
