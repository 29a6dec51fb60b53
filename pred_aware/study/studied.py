"""The findings of a study, without its conclusion."""

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
from pred_aware.study.base import BaselineSimilarity
from pred_aware.study.campaign import PREDICTORS
from pred_aware.study.contenders import Contender
from pred_aware.study.reading import ReadLog
from pred_aware.study.rounds import Rounds

SHARE = 0.15
"""The share of the study's time for measuring predictors."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """The accuracy of predictors on a log."""

    evaluations: tuple[Evaluation, ...]
    """The evaluations of the measured predictors."""
    left_out: tuple[str, ...]
    """The predictors that were not measured, for lack of time."""


def measured(
    log: JobLog, *, until: float | None, on_progress: Callable[[str], None] = lambda _: None
) -> Predicted:
    """Replay the log with each predictor, the fastest first, and measure the accuracy.

    Parameters
    ----------
    log
        The log whose jobs the predictors predict.
    until
        The value of `time.monotonic` at which to stop; ``None`` for no limit.
    on_progress
        Called with a description of the current step.
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
            predictions = replay(jobs, candidates_of(name), progress=tell(name))
        except TimeIsUp:
            break
        found += [evaluate(jobs, one) for one in predictions]
    names = [one.label for one in found]
    return Predicted(tuple(found), tuple(name for name in PREDICTORS if name not in names))


@dataclass(frozen=True, kw_only=True)
class Studied:
    """The findings of a study on a log."""

    log: ReadLog
    check: BaselineCheck
    """The comparison of the baseline with the recorded queue."""
    predicted: Predicted
    """The accuracy of predictors on the log."""
    rounds: Rounds
    """The runs of all policies on the log and its perturbed copies."""
    policies: Mapping[str, Mapping[str, Effect]]
    """The effects by policy and measure, without policies that were not simulated."""
    runs: tuple[Run, ...]
    """The runs of the unperturbed log under the baseline and the judged policy. The second run is
    missing if it was not simulated."""
    seconds: float
    """The duration of the study until its answer."""
    base: BaselineSimilarity | None = None
    """How similar the simulated queue is to the recorded queue; ``None`` if too few waits are known
    or the recorded dates cannot be right."""
    gains: Mapping[str, Sequence[Effect]] = field(default_factory=dict)
    """The effects of the policies on the mean wait of groups of jobs, by kind of group; empty
    without perturbed copies."""

    @property
    def judged(self) -> Mapping[str, Effect]:
        """The effects of the judged policy by measure; empty if it was not simulated."""
        return self.policies.get(self.log.contenders.judged, {})

    @property
    def baseline(self) -> Contender:
        """The policy with which the other policies are compared."""
        return self.log.contenders.baseline

    def gains_of(self, policy: str, by: str) -> list[Effect]:
        """Return a policy's effects on the groups of a kind."""
        return [one for one in self.gains.get(by, ()) if one.policy == policy]
