"""Text of logs in a page."""

from html import escape

from workload_tools.printable import printable


def escaped(text: str) -> str:
    r"""Write text so that a page shows it and does nothing with it.

    Marks that turn the direction of reading would reorder what stands beside them.

    Examples
    --------
    >>> print(escaped("<b>a\u202eb"))
    &lt;b&gt;a\u202eb
    """
    return escape(printable(text))
