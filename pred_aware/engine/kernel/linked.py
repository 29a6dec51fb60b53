"""Doubly linked lists in arrays: a number is in one of many, and leaves it in no time."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.site_values import Lists

FIRST, LAST = range(2)
BEFORE, AFTER = range(2)


@compiled
def append(lists: Lists, of: int, number: int) -> None:
    """Put a number at the end of a list."""
    last = lists.ends[of, LAST]
    lists.links[number, BEFORE], lists.links[number, AFTER] = last, -1
    if last < 0:
        lists.ends[of, FIRST] = number
    else:
        lists.links[last, AFTER] = number
    lists.ends[of, LAST] = number


@compiled
def remove(lists: Lists, of: int, number: int) -> None:
    """Take a number out of the list that it is in."""
    before, after = lists.links[number, BEFORE], lists.links[number, AFTER]
    if before < 0:
        lists.ends[of, FIRST] = after
    else:
        lists.links[before, AFTER] = after
    if after < 0:
        lists.ends[of, LAST] = before
    else:
        lists.links[after, BEFORE] = before
