"""The contract of an order."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from schedulers.job import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Order(Protocol):
    """Says which waiting job comes first."""

    changes: bool
    """Whether the order of two waiting jobs may change while they wait; then the queue is sorted
    anew at each pass."""

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


@runtime_checkable
class KeysAtOnce(Protocol):
    """What an order may have beside its contract, so that a long queue is sorted faster."""

    def keys(
        self,
        submitted: "NDArray[np.float64]",
        estimates: "NDArray[np.float64]",
        processors: "NDArray[np.float64]",
        now: float,
    ) -> "NDArray[np.float64]":
        """Return the key of each job, to the last bit as `Order.key` returns it.

        Parameters
        ----------
        submitted
            When they were submitted, in seconds, shape (jobs,).
        estimates
            Their estimates for queueing, in seconds.
        processors
            How many they ask for.
        now
            The date in seconds.
        """
        ...
