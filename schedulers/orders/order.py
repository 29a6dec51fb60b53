"""The contract of an order."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from schedulers.job import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Order(Protocol):
    """The order in which jobs wait."""

    changes: bool
    """Whether the order of two waiting jobs may change while they wait; then the queue is sorted
    anew at each pass."""

    def key(self, job: Job, now: float) -> float:
        """Return what the queue is sorted by, smallest first; equal ones by submission.

        `now` is the date in seconds.
        """
        ...


@runtime_checkable
class KeysAtOnce(Protocol):
    """An order that computes the keys of a long queue at once, which is faster."""

    def keys(
        self,
        submitted: "NDArray[np.float64]",
        estimates: "NDArray[np.float64]",
        processors: "NDArray[np.float64]",
        now: float,
    ) -> "NDArray[np.float64]":
        """Return the key of each job, to the last bit as `Order.key` returns it.

        Dates of submission and estimates for queueing are in seconds; all of shape (jobs,).
        """
        ...
