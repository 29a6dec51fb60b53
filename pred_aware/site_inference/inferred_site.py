"""The result of inferring a site from its log."""

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
from pred_aware.recorded_queue.waits import Similarity, whole_ratio
from pred_aware.site_inference.queue_order import UNKNOWN, QueueOrder
from pred_aware.site_inference.queue_record import QueueRecord
from schedulers.site.in_words import rules_in_words
from schedulers.site.reader import content_of
from schedulers.site.site import Site

ASK = (
    "Ask the site for its nodes, their memory and their permitted users. Ask also for the limits "
    "of users, groups and queues, for the hours in which long jobs may not start, for downtime and "
    "reservations, and for the priority order."
)
"""Advice: what the site's operators know, but a log hardly shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A rule that was stated, accepted or refused."""

    rule: str
    evidence: str
    """How many jobs the rule stopped, and how many started although the rule forbids it; or other
    evidence."""
    refused: str | None = None
    """The reason for refusing the rule; ``None`` if the rule was accepted."""
    adds: str = ""
    """The field of the site's file to which the rule belongs; empty for stated rules."""


@dataclass(frozen=True, kw_only=True)
class InferredSite:
    """A site inferred from its log, and how similar its simulated queue is to the recorded queue.

    `pred_aware.infer_site` returns it.
    """

    log: str
    site: Site
    """The site with all stated and all accepted rules; accepted rules are marked `inferred`."""
    order: QueueOrder
    """The priority order of the queue."""
    steps: tuple[Step, ...]
    """The stated, accepted and refused rules in the order in which they were examined."""
    counted: tuple[Similarity, Similarity]
    """Simulated waits of EASY without rules compared with recorded waits, for both halves."""
    fitted: tuple[Similarity, Similarity]
    """Simulated waits of EASY with all stated and accepted rules compared with recorded waits, for
    both halves of the jobs."""
    record: QueueRecord
    waiting: WaitingMoments
    """The waiting jobs of the recorded queue."""
    unexplained: float | None
    """The share of the first half's waiting that happened with free processors and that no rule
    explains; ``None`` if the site states rules."""

    @property
    def verdict(self) -> Verdict:
        """``fitted`` if changes simulated with these rules are valid for the site, else ``none``.

        The second half of the jobs decides, because no rule was fitted to this half.
        """
        return verdict_of(
            self.fitted[1], whole=whole_ratio(self.fitted), unexplained=self.unexplained_by_rules
        )

    @property
    def unexplained_by_rules(self) -> float | None:
        """The value of `unexplained`; ``None`` if the order of the queue is unknown."""
        return None if self.order.name == UNKNOWN else self.unexplained

    @property
    def taken(self) -> tuple[Step, ...]:
        """The steps with accepted or stated rules."""
        return tuple(step for step in self.steps if step.refused is None)

    @property
    def sentence(self) -> str:
        """A sentence with the verdict, the mean waits, and what simulated changes are worth."""
        first, second = self.fitted
        rules = "" if self.taken else "No rule was found. "
        if self.verdict == "fitted":
            beside = waits_of(second, "second half of the log, to which no rule was fitted")
            return f"{rules}The simulated queue is similar enough to yours: {beside}. {WITHIN}"
        # if only the mean wait of the first half differs too much, report the first half
        half = "first" if is_near(second.ratio) and not is_near(first.ratio) else "second"
        beside = waits_of(first if half == "first" else second, f"{half} half of the log")
        apart = f"The simulated queue differs too much from yours: {beside}."
        return f"{rules}{apart} {UNKNOWN_CHANGE} {ASK}"

    @property
    def about_order(self) -> str:
        """A sentence with the priority order of the queue and the evidence for it."""
        if self.order.name == UNKNOWN:
            return (
                f"The priority order of the queue is unknown: {self.order.evidence}. State it "
                "(--order, or `order` in the site's file)."
            )
        return f"Priority order of the queue: {self.order.name} ({self.order.evidence})."

    @property
    def with_free_processors(self) -> float:
        """The value of `unexplained`; if unknown, the share of waiting with free processors."""
        return self.waiting.share if self.unexplained is None else self.unexplained

    @property
    def diagnosis(self) -> str:
        """A clause with the share of recorded waiting that happened with free processors."""
        part = "" if self.unexplained is None else " in the first half of the log"
        share = f"{100 * self.with_free_processors:.0f} %"
        return (
            f"{'Less than 1 %' if share == '0 %' else share} of the waiting{part} happened with "
            "free processors, and no rule explains this waiting. No simulated scheduler changes it"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON, with times in seconds and shares from 0 to 1."""
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
