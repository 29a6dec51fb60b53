"""The recorded queue beside the simulated baseline in figures, and the answer that they give."""

from dataclasses import dataclass

from pred_aware.recorded_queue.answer import Answer
from pred_aware.recorded_queue.clues import Clues
from pred_aware.recorded_queue.likeness import Likeness
from pred_aware.recorded_queue.stretches import QueueWaits, StretchWaits
from pred_aware.recorded_queue.trust import ERROR_BAR, Verdict, sentence_of, verdict_of
from pred_aware.recorded_queue.waits import Waits


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QueueFigures:
    """The waits that a log recorded beside those of a simulated baseline."""

    baseline: str
    """Name of the run."""
    log: str
    """Name of its workload."""
    answer: Answer
    """``alike``; ``shorter``, ``longer``: the simulated waits are; ``others``: as long, but other
    jobs wait; ``little``: hardly any job waits in either, so there is nothing to compare;
    ``impossible``: the recorded ones cannot be right; ``unknown``."""
    reason: str = ""
    """Why the answer is unknown."""
    processors: int | None = None
    """Size of the machine."""
    guessed: bool = False
    """Whether that is only what was seen busy at once."""
    recorded: Waits | None = None
    """Of the jobs whose recorded wait is known and that ran in the baseline."""
    simulated: Waits | None = None
    """Of the same jobs."""
    ranks: float | None = None
    """Spearman's rank correlation of the two, over the jobs."""
    apart: float | None = None
    """Kolmogorov's distance of the two distributions."""
    time_beyond: float = 0.0
    """Share of the time in which, by the recorded dates, more processors were busy than exist."""
    work_beyond: float = 0.0
    """Share of the work that lies above the machine's size then."""
    most_busy: int = 0
    """The highest number of busy processors by the recorded dates."""
    recorded_clues: Clues | None = None
    """What the recorded dates show of why jobs wait."""
    whole: StretchWaits | None = None
    """Machine and queue from the first submission to the last."""
    weeks: tuple[StretchWaits, ...] = ()
    over_time: tuple[StretchWaits, ...] = ()
    """In the steps of the picture."""
    groups_by: str = ""
    """``queue`` or ``partition``; empty where the log names none."""
    groups: tuple[QueueWaits, ...] = ()
    """The waits of each."""
    second_half: Likeness | None = None
    """Of the later half of the jobs, by which it is judged what may be told of the site."""
    unexplained: float | None = None
    """The share of the waiting with free processors that no rule explains, where the order of the
    queue is known."""

    @property
    def about_size(self) -> str:
        """That the machine's size is a guess, where it is; else nothing."""
        if not self.guessed or self.processors is None:
            return ""
        return guessed_size(self.processors)

    @property
    def is_our_queue(self) -> bool | None:
        """Whether the baseline is the queue that the log recorded; ``None`` where nobody knows."""
        known = self.answer not in {"unknown", "impossible", "little"}
        return self.answer == "alike" if known else None

    @property
    def base(self) -> Verdict | None:
        """What may be told of this site by what is simulated on this baseline.

        ``fitted``: changes, within what `points` says, and no sign of a smaller one;
        ``none``: no change. ``None`` where the log cannot tell: its waits are unknown or cannot be
        right, or hardly any job waits.
        """
        if self.second_half is None or self.is_our_queue is None:
            return None
        return verdict_of(self.second_half, unexplained=self.unexplained)

    @property
    def about_base(self) -> str:
        """What may be told of this site, in a sentence; empty where the log cannot tell."""
        if self.base is None or self.second_half is None:
            return ""
        return f"Base: {sentence_of(self.base, self.second_half)}"

    @property
    def points(self) -> float | None:
        """How many points from the truth changes are told at most; ``None`` where none is."""
        return ERROR_BAR if self.base == "fitted" else None

    @property
    def warns(self) -> bool:
        """Whether comparisons are about another queue, or the log cannot be right."""
        return self.is_our_queue is False or self.answer == "impossible"


def guessed_size(processors: int) -> str:
    """Say that a machine's size was only guessed."""
    return (
        f"The machine's size is a guess: {processors:,} processors, the least that its jobs show. "
        "A larger machine has shorter queues. Give its size with --processors."
    )
