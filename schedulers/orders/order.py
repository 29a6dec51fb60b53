"""The contract of an order."""

from typing import Protocol

from schedulers.job import Job


class Order(Protocol):
    """Says which waiting job comes first.

    Attributes
    ----------
    changes : bool
        Whether the order of two waiting jobs may change while they wait; then the queue is sorted
        anew at each pass.
    by_id : bool
        Whether the jobs of one request count as submitted in the order of their ids as text, as
        batsched has it, and not in that of the request.
    """

    changes: bool
    by_id: bool

    def key(self, job: Job, now: float) -> float:
        """Return what the queue is sorted by, smallest first; equal ones by submission.

        Parameters
        ----------
        job
            A waiting job.
        now
            The date in seconds.
        """
        ...
