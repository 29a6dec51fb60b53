"""Fields of a record whose free texts hold the separator itself.

`sacct` escapes nothing: a job may be named ``COMPLETED|0:0``. What is a date, a state or a number
tells where such a text must end.
"""

from workload_tools.slurm.fields import SPANNING_COMMAS, Kind, holds
from workload_tools.slurm.layout import Layout

MOST_EXTRA = 300
"""How many separators too many a record may have; a job's name has at most 255 characters."""


def split_record(text: str, layout: Layout) -> list[str] | None:
    r"""Return a record's fields, or None if there is no way to cut it into them.

    Parameters
    ----------
    text
        The record, which may have line ends in it.
    layout
        The dump's.

    Examples
    --------
    >>> layout = Layout(("jobid", "jobname", "state", "exitcode"))
    >>> split_record("280|COMPLETED|0:0|COMPLETED|0:0", layout)
    ['280', 'COMPLETED|0:0', 'COMPLETED', '0:0']
    """
    if layout.trailing:
        if not text.endswith(layout.separator):
            return None
        text = text[: -len(layout.separator)]
    pieces = text.split(layout.separator)
    extra = len(pieces) - len(layout.names)
    if extra == 0:
        return pieces
    if not 0 < extra <= MOST_EXTRA:
        return None
    return _cut(pieces, extra, layout)


def _cut(pieces: list[str], extra: int, layout: Layout) -> list[str] | None:
    """Give each field as many pieces as it takes for all of them to hold what they may."""
    kinds = layout.kinds
    separator = layout.separator
    commas = "," in separator
    hopeless: set[tuple[int, int]] = set()
    cut: list[str] = []

    def fill(field: int, spent: int) -> bool:
        """Fill the fields from this one on, when so many of the extra pieces are spent."""
        if field == len(kinds):
            return spent == extra
        if (field, spent) in hopeless:
            return False
        kind = kinds[field]
        start = field + spent
        for more in _lengths(kind, extra - spent, commas=commas):
            text = separator.join(pieces[start : start + more + 1])
            if holds(kind, text):
                cut.append(text)
                if fill(field + 1, spent + more):
                    return True
                cut.pop()
        hopeless.add((field, spent))
        return False

    return cut if fill(0, 0) else None


def _lengths(kind: Kind, most: int, *, commas: bool) -> range:
    """Return how many pieces more than one a field may take, in the order to try."""
    if kind is Kind.FREE:
        return range(most + 1)
    if commas and kind in SPANNING_COMMAS:
        return range(most, -1, -1)
    return range(1)
