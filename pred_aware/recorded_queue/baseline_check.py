"""The recorded queue beside the simulated baseline in figures, and the answer that they give."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.recorded_queue.limits import Clues
from pred_aware.recorded_queue.sentences import baseline_sentence, baseline_sentences
from pred_aware.recorded_queue.stretches import QueueWaits, StretchWaits
from pred_aware.recorded_queue.tables import tables
from pred_aware.recorded_queue.trust import ERROR_BAR, Answer, Verdict, sentence_of, verdict_of
from pred_aware.recorded_queue.waits import Likeness, Waits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pred_aware.report.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BaselineCheck:
    """The waits that a log recorded beside those of a simulated baseline, and what they mean.

    It is made by `pred_aware.check_baseline`. Where the answer is ``unknown`` because there is
    nothing to compare, `recorded` and what follows are ``None`` or empty.
    """

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
    def whole_ratio(self) -> float | None:
        """The mean simulated wait by the recorded one; ``None`` where one is not known."""
        if self.recorded is None or self.simulated is None or not self.recorded.mean:
            return None
        return self.simulated.mean / self.recorded.mean

    @property
    def base(self) -> Verdict | None:
        """What may be told of this site by what is simulated on this baseline.

        ``fitted``: changes, within what `points` says, and no sign of a smaller one;
        ``none``: no change. ``None`` where the log cannot tell: its waits are unknown or cannot be
        right, or hardly any job waits.
        """
        if self.second_half is None or self.is_our_queue is None:
            return None
        return verdict_of(self.second_half, whole=self.whole_ratio, unexplained=self.unexplained)

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

    @property
    def sentence(self) -> str:
        """The answer with its figures, for every comparison that is built on the baseline."""
        return baseline_sentence(self)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is to be said: a guessed size first, the answer, and what the log shows."""
        return baseline_sentences(self)

    def tables(self) -> "list[Table]":
        """Return what is compared as tables; none where there is nothing to compare."""
        return tables(self)

    def plot(self) -> "Figure":
        """Draw machine, queue and waits, recorded and simulated.

        Raises
        ------
        PredAwareError
            There is nothing to compare.
        """
        from pred_aware.recorded_queue.pictures import figure_of

        return figure_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the check as it is written to JSON; times in seconds, shares from 0 to 1."""
        told = asdict(self)
        for side in ("recorded", "simulated"):
            if told[side] is not None:
                del told[side]["curve"]
        del told["over_time"]
        return {**told, "base": self.base, "points": self.points, "in_words": list(self.sentences)}

    def __repr__(self) -> str:
        """Name the baseline and the answer."""
        return f"<BaselineCheck of {self.baseline} on {self.log}: {self.answer}>"


def guessed_size(processors: int) -> str:
    """Say that a machine's size was only guessed."""
    return (
        f"The machine's size is a guess: {processors:,} processors, the least that its jobs show. "
        "A larger machine has shorter queues. Give its size with --processors."
    )
