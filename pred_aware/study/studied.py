"""Findings of a study, before anything follows from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pred_aware.comparison.compared import Compared
from pred_aware.effects.effect import Effect
from pred_aware.recorded_queue.check import BaselineCheck
from pred_aware.report.page import Prepared
from pred_aware.runs.run import Run
from pred_aware.study.policies import RECOMMENDED
from pred_aware.study.predicting import Predicted
from pred_aware.study.reading import ReadLog
from pred_aware.study.rounds import Rounds


@dataclass(frozen=True, kw_only=True)
class Studied:
    """What was found on a log."""

    log: ReadLog
    check: BaselineCheck
    """Whether the simulated baseline is the queue that the log recorded."""
    predicted: Predicted
    """How right predictors are on it."""
    rounds: Rounds
    """The campaign."""
    policies: Mapping[str, Mapping[str, Effect]]
    """What it found, by policy and measure; without those for which there was no time."""
    runs: tuple[Run, ...]
    """The baseline's and the recommended one's run of the log as it is; the baseline's alone where
    there was no time for the other."""
    compared: Compared | None
    """These two beside each other; ``None`` where there is one."""
    seconds: float
    """How long it took until the answer was known."""
    on_other_sizes: tuple[Mapping[str, Effect], ...] = ()
    """What was found of the recommended policy, by measure, on each of the sizes that the log shows
    in place of its own (`pred_aware.study.machine_size.Size.others`)."""
    gains: Mapping[str, list[Effect]] = field(default_factory=dict)
    """Who gains and who loses under the recommended policy, by kind of group; empty without
    shakes."""
    prepared: Mapping[str, Prepared] = field(default_factory=dict)
    """What of the page does not depend on shakes, written before them: by the sections' titles."""

    @property
    def recommended(self) -> Mapping[str, Effect]:
        """What was found of the recommended policy, by measure; nothing where it did not run."""
        return self.policies.get(RECOMMENDED, {})
