"""How claims about corrections themselves are tried: by their steps, on no log."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reproductions.checks.claim import FAILS, HOLDS, Found

if TYPE_CHECKING:
    from reproductions.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Steps:
    """From a prediction a correction reaches a job's end in fewer steps than another.

    Parameters
    ----------
    predicted, run_time
        In seconds.
    fewer, than
        The corrections' names.
    """

    predicted: float
    run_time: float
    fewer: str
    than: str
    log: str = ""

    def look(self, evidence: "Evidence") -> Found:
        """Judge it."""
        mine, others = (
            steps(name, self.predicted, self.run_time) for name in (self.fewer, self.than)
        )
        hours = f"{self.run_time / 3600:g} h from {self.predicted / 3600:g} h"
        ours = f"{hours}: {self.fewer} {mine} steps, {self.than} {others}"
        return Found("", ours, HOLDS if mine < others else FAILS, float(mine))


def steps(correction: str, predicted: float, run_time: float) -> int:
    """Return how often a correction lengthens an estimate until the job's run time is reached.

    As in paper 000's figure 5: it stops where the estimate is not below the run time any more.

    Examples
    --------
    >>> steps("simple", 6 * 3600.0, 8 * 3600.0), steps("power", 6 * 3600.0, 8 * 3600.0)
    (2, 4)
    """
    from predictors import Submission
    from schedulers.corrections import CORRECTIONS, Overrun

    made, taken, estimate = CORRECTIONS.make(correction), 0, predicted
    job = Submission(id="1", submit_time=0.0, processors=1)
    while estimate < run_time:
        overrun = Overrun(
            elapsed=estimate,
            estimate=estimate,
            first_estimate=predicted,
            walltime=None,
            corrections=taken,
            submission=job,
        )
        estimate = made.correct(overrun)
        taken += 1
    return taken
