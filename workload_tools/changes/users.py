"""Users of a Batsim workload's jobs, by numbers."""

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from workload_tools.batsim.fields import text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Submitted(msgspec.Struct, gc=False):
    """When a job was submitted, in seconds, and by whom, if that is told."""

    subtime: float
    user_id: str | int | float | None = None
    user: str | int | float | None = None

    @property
    def by(self) -> str | None:
        """The user's name."""
        user = self.user if self.user_id is None else self.user_id
        return None if user is None else text_of(user)


class _Users(msgspec.Struct):
    jobs: list[Submitted]


def submitted(content: bytes) -> list[Submitted]:
    """Return when and by whom each job was submitted.

    Raises
    ------
    msgspec.DecodeError
        It is not a workload.
    """
    return msgspec.json.decode(content, type=_Users).jobs


def users_of(content: bytes) -> "NDArray[np.int64]":
    """Return the number of each job's user, by their first jobs; a job without one has its own.

    Raises
    ------
    msgspec.DecodeError
        It is not a workload.
    """
    numbers: dict[str | int, int] = {}
    of_job = [
        numbers.setdefault(place if job.by is None else job.by, len(numbers))
        for place, job in enumerate(submitted(content))
    ]
    return np.array(of_job, np.int64)
