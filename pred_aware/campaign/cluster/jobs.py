"""Requests of the batch system's jobs that make runs."""

import sys
from dataclasses import dataclass
from typing import Any

from pred_aware.campaign.specification import TIMES, UNITS, amount
from pred_aware.errors import PredAwareError

HOUR = 3600.0
SHARE = 0.9
"""Which share of a job's memory the runs in it may take together."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """What each job is asked for."""

    number: int | None = None
    """How many at most: elements of a job array, or jobs with a Dask worker each; ``None`` for as
    many as is usual."""
    cores: int = 1
    """How many runs each makes at once."""
    seconds: float = HOUR
    """Its walltime."""
    memory: float | None = None
    """Its memory in bytes; ``None`` for what the site gives."""
    partition: str | None = None
    """The partition (Slurm) or queue (PBS)."""
    account: str | None = None
    """The account to charge."""
    python: str = sys.executable
    """The Python of an environment that has pred-aware, of the same version, on all machines."""
    options: tuple[str, ...] = ()
    """Options more for the batch system, as they stand after ``#SBATCH`` or ``#PBS``."""
    before: tuple[str, ...] = ()
    """Lines of the shell that the job runs first."""

    def __post_init__(self) -> None:
        """Refuse what would become another line of the job's script."""
        texts = (self.partition or "", self.account or "", self.python, *self.options)
        for text in texts:
            if "\n" in text:
                raise PredAwareError(f"options of jobs are of one line each, not {text!r}")

    @property
    def memory_of_a_run(self) -> float | None:
        """Return the bytes that each of the runs may take; ``None`` where nothing is said."""
        return None if self.memory is None else SHARE * self.memory / self.cores


def jobs_of(
    *,
    walltime: str | None = None,
    memory: str | None = None,
    **others: Any,  # noqa: ANN401 - as the values have them
) -> Jobs:
    """Make it of what a person writes.

    Parameters
    ----------
    walltime
        Such as ``2 h``.
    memory
        Such as ``4 GB``.
    others
        As `Jobs` has them; ``None`` for what is usual.

    Raises
    ------
    PredAwareError
        A value can't be.

    Examples
    --------
    >>> jobs_of(walltime="2 h", memory="4 GB", cores=2).memory_of_a_run
    1800000000.0
    """
    told = {name: value for name, value in others.items() if value is not None}
    for option, name, value, units in (
        ("walltime", "seconds", walltime, TIMES),
        ("memory", "memory", memory, UNITS),
    ):
        if value is not None:
            try:
                told[name] = amount(value, units)
            except PredAwareError as error:
                raise PredAwareError(f"{option} {error}") from error
    return Jobs(**told)
