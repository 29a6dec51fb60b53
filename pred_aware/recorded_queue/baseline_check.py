"""The result of comparing the recorded queue with a simulated baseline."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.recorded_queue.limits import Clues
from pred_aware.recorded_queue.sentences import baseline_sentence, baseline_sentences
from pred_aware.recorded_queue.stretches import QueueWaits, StretchWaits
from pred_aware.recorded_queue.tables import tables
from pred_aware.recorded_queue.trust import ERROR_BAR, Answer, Verdict, sentence_of, verdict_of
from pred_aware.recorded_queue.waits import Similarity, Waits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pred_aware.report.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BaselineCheck:
    """The recorded waits, the waits of a simulated baseline, and how similar they are.

    `pred_aware.check_baseline` returns it. If the answer is ``unknown``, there is nothing to
    compare, and `recorded` and all later attributes have their defaults.
    """

    baseline: str
    """Name of the simulated run."""
    log: str
    """Name of the run's workload."""
    answer: Answer
    """``alike``: the waits are similar. ``shorter``, ``longer``: the simulated waits are shorter or
    longer. ``others``: the mean waits are similar, but different jobs wait. ``little``: both mean
    waits are under a minute. ``impossible``: the recorded dates cannot be right. ``unknown``: the
    waits cannot be compared."""
    reason: str = ""
    """Why the answer is ``unknown``; empty for other answers."""
    processors: int | None = None
    """Number of the machine's processors."""
    guessed: bool = False
    """Whether `processors` is only a guess from the jobs."""
    recorded: Waits | None = None
    """Recorded waits of the compared jobs, which have a known wait and ran in the baseline."""
    simulated: Waits | None = None
    """Simulated waits of the same jobs."""
    ranks: float | None = None
    """Spearman's rank correlation of the recorded and the simulated waits."""
    apart: float | None = None
    """Kolmogorov's distance between the distributions of the recorded and the simulated waits."""
    time_beyond: float = 0.0
    """Share of the time in which, by the recorded dates, more processors were busy than exist."""
    work_beyond: float = 0.0
    """Share of the recorded processor-seconds that exceed the machine's size."""
    most_busy: int = 0
    """The highest number of busy processors by the recorded dates."""
    recorded_clues: Clues | None = None
    """Causes of waits that the recorded dates show, such as limits of users."""
    whole: StretchWaits | None = None
    """Machine use and waits from the first submission to the last."""
    over_time: tuple[StretchWaits, ...] = ()
    """Machine use and waits in each time step of the picture."""
    groups_by: str = ""
    """``queue`` or ``partition``; empty if the log has neither."""
    groups: tuple[QueueWaits, ...] = ()
    """The waits of each queue or partition."""
    second_half: Similarity | None = None
    """The comparison for the second half of the jobs, from which `base` is determined."""
    unexplained: float | None = None
    """The share of the waiting that happened with free processors and that no rule explains;
    ``None`` if the order of the queue is unknown."""

    @property
    def about_size(self) -> str:
        """A sentence that the machine's size is a guess; empty if the size is known."""
        if not self.guessed or self.processors is None:
            return ""
        return guessed_size(self.processors)

    @property
    def is_our_queue(self) -> bool | None:
        """Whether the baseline is like the recorded queue; ``None`` if this is unknown."""
        known = self.answer not in {"unknown", "impossible", "little"}
        return self.answer == "alike" if known else None

    @property
    def whole_ratio(self) -> float | None:
        """Mean simulated wait / mean recorded wait; ``None`` if unknown or no job waited."""
        if self.recorded is None or self.simulated is None or not self.recorded.mean:
            return None
        return self.simulated.mean / self.recorded.mean

    @property
    def base(self) -> Verdict | None:
        """Whether the simulated effects of another scheduler are valid for this site.

        ``fitted``: simulated changes are right to within `points`, and a smaller change could go
        either way. ``none``: simulated changes are not valid. ``None``: the log cannot show this,
        because its waits are unknown or cannot be right, or because hardly any job waits.
        """
        if self.second_half is None or self.is_our_queue is None:
            return None
        return verdict_of(self.second_half, whole=self.whole_ratio, unexplained=self.unexplained)

    @property
    def about_base(self) -> str:
        """A sentence: are simulated changes valid for the site? Empty if unknown."""
        if self.base is None or self.second_half is None:
            return ""
        return f"Baseline: {sentence_of(self.base, self.second_half)}"

    @property
    def points(self) -> float | None:
        """The error of simulated changes in percentage points; ``None`` if `base` is not fitted."""
        return ERROR_BAR if self.base == "fitted" else None

    @property
    def warns(self) -> bool:
        """Whether the baseline is unlike the recorded queue, or the log cannot be right."""
        return self.is_our_queue is False or self.answer == "impossible"

    @property
    def sentence(self) -> str:
        """A sentence with the answer and the mean waits."""
        return baseline_sentence(self)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences of the check: a guessed size, the answer, and causes in the log."""
        return baseline_sentences(self)

    def tables(self) -> "list[Table]":
        """Return the comparison as tables; an empty list if the answer is ``unknown``."""
        return tables(self)

    def plot(self) -> "Figure":
        """Draw busy processors, waiting jobs and waits, recorded and simulated.

        Raises
        ------
        PredAwareError
            The answer is ``unknown``, so there is nothing to draw.
        """
        from pred_aware.recorded_queue.pictures import figure_of

        return figure_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the check for JSON, with times in seconds and shares from 0 to 1."""
        content = asdict(self)
        for side in ("recorded", "simulated"):
            if content[side] is not None:
                del content[side]["curve"]
        del content["over_time"]
        return {
            **content,
            "base": self.base,
            "points": self.points,
            "in_words": list(self.sentences),
        }

    def __repr__(self) -> str:
        """Return the baseline, the log and the answer."""
        return f"<BaselineCheck of {self.baseline} on {self.log}: {self.answer}>"


def guessed_size(processors: int) -> str:
    """Return a sentence that the machine's size is a guess."""
    return (
        f"The machine's size is a guess: {processors:,} processors, the smallest size for the "
        "recorded jobs. Queues are shorter on a larger machine. Give the size with --processors."
    )
