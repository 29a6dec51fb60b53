"""The jobs of a workload that only fill the machine before those that count."""

from pathlib import Path

import msgspec

from pred_aware.errors import PredAwareError


class _Job(msgspec.Struct, gc=False):
    id: str | int
    warm_up: bool = False


class _Workload(msgspec.Struct):
    jobs: list[_Job]


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
        It has no such marks, or is not a workload.
    WorkloadError
        The file can't be read.
    """
    from workload_tools.batsim.workload import (
        WORKLOAD_PREFIX,
        read_content,
    )

    try:
        decoded = msgspec.json.decode(read_content(workload), type=_Workload)
    except msgspec.DecodeError as error:
        raise PredAwareError(f"{workload}: not a Batsim workload: {error}") from error
    marked = frozenset(
        str(job.id).removeprefix(WORKLOAD_PREFIX) for job in decoded.jobs if job.warm_up
    )
    if not marked:
        raise PredAwareError(
            f"{workload}: marks no job as warm-up; `pred-aware convert ... --clean warm-up=1%` does"
        )
    return marked
