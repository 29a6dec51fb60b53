"""A site as its log shows it: what was found, tried and refused, and what it is worth."""

from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.recorded_queue.free_processors import WaitingMoments
from pred_aware.recorded_queue.trust import (
    UNKNOWN_CHANGE,
    WITHIN,
    Verdict,
    is_near,
    verdict_of,
    waits_of,
)
from pred_aware.recorded_queue.waits import Likeness, whole_ratio
from pred_aware.site_inference.queue_order import UNKNOWN, QueueOrder
from pred_aware.site_inference.queue_record import QueueRecord
from schedulers.site.in_words import rules_in_words
from schedulers.site.reader import content_of
from schedulers.site.site import Site

ASK = (
    "Ask the site for its nodes with their memory and who may use them, limits for users, groups "
    "and queues, hours in which long jobs may not start, downtime and reservations, and how jobs "
    "are ordered."
)
"""What a log hardly shows, and the site knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A rule that was looked at."""

    rule: str
    evidence: str
    """Its opportunities and violations, or what else speaks for it."""
    refused: str | None = None
    """Why it was not taken; ``None`` if it was."""
    adds: str = ""
    """What of the site's file it is; empty for what was stated."""


@dataclass(frozen=True, kw_only=True)
class InferredSite:
    """A site as its log shows it, and how far its queue is the recorded one.

    It is made by `pred_aware.infer_site`.
    """

    log: str
    site: Site
    """With the rules that were taken, each `inferred`, and all that was stated."""
    order: QueueOrder
    """The priority order of the queue."""
    steps: tuple[Step, ...]
    """What was found, taken and refused, in this order."""
    counted: tuple[Likeness, Likeness]
    """Of EASY on a counted machine, on the first half and on the second."""
    fitted: tuple[Likeness, Likeness]
    """With all rules that were taken."""
    record: QueueRecord
    waiting: WaitingMoments
    """The jobs seen waiting in it."""
    unexplained: float | None
    """Share of the first half's waiting with free processors that no rule explains; ``None`` where
    the site states rules."""

    @property
    def verdict(self) -> Verdict:
        """Whether what is simulated with these rules may be told of this site.

        By the second half, on which nothing was fitted: ``fitted``, or ``none``.
        """
        return verdict_of(
            self.fitted[1], whole=whole_ratio(self.fitted), unexplained=self.unexplained_by_rules
        )

    @property
    def unexplained_by_rules(self) -> float | None:
        """The unexplained share, where the order is known and rules may explain the queue."""
        return None if self.order.name == UNKNOWN else self.unexplained

    @property
    def taken(self) -> tuple[Step, ...]:
        """The steps that were taken, those that were stated too."""
        return tuple(step for step in self.steps if step.refused is None)

    @property
    def sentence(self) -> str:
        """The verdict for somebody who decides."""
        first, second = self.fitted
        rules = "" if self.taken else "No rule was found. "
        if self.verdict == "fitted":
            beside = waits_of(second, "second half of the log, on which nothing was fitted,")
            return f"{rules}The simulated queue is near enough to yours: {beside}. {WITHIN}"
        # rules are kept by both halves, or by none
        half = "first" if is_near(second.ratio) and not is_near(first.ratio) else "second"
        beside = waits_of(first if half == "first" else second, f"{half} half of the log")
        return f"{rules}The simulated queue is not yours: {beside}. {UNKNOWN_CHANGE} {ASK}"

    @property
    def about_order(self) -> str:
        """The priority order of the queue, and what speaks for it."""
        if self.order.name == UNKNOWN:
            return (
                f"The priority order of the queue is unknown: {self.order.evidence}. State it "
                "(--order, or `order` in the site's file)."
            )
        return f"Priority order of the queue: {self.order.name} ({self.order.evidence})."

    @property
    def with_free_processors(self) -> float:
        """Share of all waiting that no scheduler here changes: no rule found explains it."""
        return self.waiting.share if self.unexplained is None else self.unexplained

    @property
    def diagnosis(self) -> str:
        """How much of the recorded waiting was not for processors."""
        return (
            f"{100 * self.with_free_processors:.0f} % of the waiting had free processors, and no "
            "rule that was found explains it. No scheduler here changes it"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as it is written to JSON; times in seconds, shares from 0 to 1."""
        return {
            "log": self.log,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "site": content_of(self.site),
            "order": asdict(self.order),
            "rules": list(rules_in_words(self.site, names=True)),
            "steps": [asdict(step) for step in self.steps],
            "counted": [asdict(one) for one in self.counted],
            "fitted": [asdict(one) for one in self.fitted],
            "with_free_processors": {
                "diagnosis": self.diagnosis,
                "share": self.waiting.share,
                "unexplained": self.unexplained,
            },
        }
