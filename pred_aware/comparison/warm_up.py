"""The jobs of a workload that only fill the machine before those that count."""

from pathlib import Path

import msgspec

from pred_aware.errors import PredAwareError
from workload_tools.batsim.reader import marked_as_warm_up, read_content


def warm_up_jobs(workload: Path) -> frozenset[str]:
    """Return the ids of the jobs that a Batsim workload marks as warm-up.

    Parameters
    ----------
    workload
        The workload that was simulated; ``convert --clean warm-up=1%`` makes such marks, and they
        stand there for the real Batsim too, which does not look at them.

    Raises
    ------
    PredAwareError
        It is not a workload.
    WorkloadError
        The file can't be read.
    """
    try:
        return marked_as_warm_up(read_content(workload))
    except msgspec.DecodeError as error:
        raise PredAwareError(f"{workload}: not a Batsim workload: {error}") from error
