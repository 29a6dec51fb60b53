"""First come, first served."""

from dataclasses import dataclass

from predictors import OptionError
from schedulers.job import Job


@dataclass(eq=False)
class Fcfs:
    """First come, first served: jobs wait in the order of their submission.

    Parameters
    ----------
    ties
        How jobs that are submitted together stand: ``submission`` (as in the workload) or ``id``
        (by their ids as text, as batsched has it).
    """

    changes = False

    ties: str = "submission"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.ties not in ("submission", "id"):
            raise OptionError(f"ties is {self.ties!r}; it must be submission or id")
        self.by_id = self.ties == "id"

    def key(self, job: Job, now: float) -> float:
        """Return the number of the submission."""
        return job.number
