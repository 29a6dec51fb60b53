"""First come, first served."""

from predictors import OptionError
from schedulers.job import Job


class Fcfs:
    """First come, first served: jobs wait in the order of their submission.

    Parameters
    ----------
    ties
        How jobs that are submitted together stand: ``submission`` (as in the workload) or ``id``
        (by their ids as text, as batsched has it).
    """

    changes = False

    def __init__(self, ties: str = "submission") -> None:
        if ties not in ("submission", "id"):
            raise OptionError(f"ties is {ties!r}; it must be submission or id")
        self.by_id = ties == "id"

    def key(self, job: Job, now: float) -> float:
        """Return the number of the submission."""
        return job.number
