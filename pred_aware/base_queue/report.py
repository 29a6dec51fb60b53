"""A comparison with the recorded queue as remarks of a report."""

from typing import TYPE_CHECKING

from pred_aware.report.page import Remark

if TYPE_CHECKING:
    from pred_aware.base_queue.check import BaseCheck


def remarks(check: "BaseCheck", *, briefly: bool = False) -> tuple[Remark, ...]:
    """Return what is to be said; the answer is marked where the base is not the log's queue.

    Parameters
    ----------
    check
        What was found.
    briefly
        Only a guessed size and the answer.
    """
    said = [
        Remark(sentence, odd=check.is_our_queue is not True and check.recorded is not None)
        for sentence in check.sentences
        if not briefly or sentence in {check.sentence, check.about_size}
    ]
    return tuple(said)
