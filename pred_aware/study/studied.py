"""Findings of a study, before anything follows from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pred_aware.effects.effect import Effect
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.log.job_log import JobLog
from pred_aware.log.past_jobs import past_jobs
from pred_aware.prediction.candidate import candidates_of
from pred_aware.prediction.evaluation import Evaluation, evaluate
from pred_aware.prediction.replay import replay
from pred_aware.recorded_queue.baseline_check import BaselineCheck
from pred_aware.runs.run import Run
from pred_aware.study.base import Base
from pred_aware.study.campaign import PREDICTORS
from pred_aware.study.contenders import Contender
from pred_aware.study.reading import ReadLog
from pred_aware.study.rounds import Rounds

SHARE = 0.15
"""Of the study's time."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """How right predictors were."""

    evaluations: tuple[Evaluation, ...]
    """Of those that were measured."""
    left_out: tuple[str, ...]
    """Those for which there was no time."""


def measured(
    log: JobLog, *, until: float | None, on_progress: Callable[[str], None] = lambda _: None
) -> Predicted:
    """Replay the log with one predictor after the other, the cheapest first.

    Parameters
    ----------
    log
        The log.
    until
        When the time is up, by the monotonic clock; ``None`` for as long as it takes.
    on_progress
        Called with what is done.
    """
    end = ends_at(until)

    def tell(name: str) -> Callable[[int, int], None]:
        def progress(done: int, of: int) -> None:
            if end is not None:
                end(done, of)
            on_progress(f"Measuring predictors: {name}, {100 * done // max(1, of)} %")

        return progress

    jobs = past_jobs(log.machine.jobs)
    found: list[Evaluation] = []
    for name in PREDICTORS:
        on_progress(f"Measuring predictors: {name}")
        try:
            made = replay(jobs, candidates_of(name), progress=tell(name))
        except TimeIsUp:
            break
        found += [evaluate(jobs, one) for one in made]
    names = [one.label for one in found]
    return Predicted(tuple(found), tuple(name for name in PREDICTORS if name not in names))


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
    """The baseline's and the judged policy's run of the log as it is; the baseline's alone where
    there was no time for the other."""
    seconds: float
    """How long it took until the answer was known."""
    base: Base | None = None
    """How far the simulated queue is the recorded one, by the second half of the log; ``None``
    where too few waits are known."""
    gains: Mapping[str, Sequence[Effect]] = field(default_factory=dict)
    """Effects of the policies on the mean wait of groups of jobs, by kind of group; empty without
    shakes."""

    @property
    def judged(self) -> Mapping[str, Effect]:
        """The effects of the judged policy, by measure; empty where it did not run."""
        return self.policies.get(self.log.contenders.judged, {})

    @property
    def baseline(self) -> Contender:
        """The policy that the others are compared with."""
        return self.log.contenders.baseline

    def gains_of(self, policy: str, by: str) -> list[Effect]:
        """Return a policy's effects on groups of jobs, in their order."""
        return [one for one in self.gains.get(by, ()) if one.policy == policy]
