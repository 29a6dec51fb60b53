"""A comparison with the recorded queue as remarks of a report."""

from typing import TYPE_CHECKING

from pred_aware.report.sentence import Remark

if TYPE_CHECKING:
    from pred_aware.recorded_queue.check import BaselineCheck


def remarks(check: "BaselineCheck", *, briefly: bool = False) -> tuple[Remark, ...]:
    """Return what is to be said, marked where the queue is another or its size a guess.

    Parameters
    ----------
    check
        What was found.
    briefly
        Only a guessed size and the answer.
    """
    return tuple(
        Remark(sentence, odd=check.warns or sentence == check.about_size)
        for sentence in check.sentences
        if not briefly or sentence in {check.sentence, check.about_size}
    )
