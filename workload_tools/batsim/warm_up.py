"""Jobs that only fill the machine, as a Batsim workload marks them."""

from typing import Any

import msgspec

from workload_tools.batsim.workload import WORKLOAD_PREFIX


class _Mark(msgspec.Struct, gc=False):
    id: str | int
    warm_up: Any = False


class _Marks(msgspec.Struct):
    jobs: list[_Mark]


def marked_as_warm_up(content: bytes) -> frozenset[str]:
    """Return the ids of the jobs that a workload's JSON marks as warm-up.

    Raises
    ------
    msgspec.DecodeError
        It is not a workload.
    """
    decoded = msgspec.json.decode(content, type=_Marks)
    return frozenset(
        str(job.id).removeprefix(WORKLOAD_PREFIX) for job in decoded.jobs if job.warm_up is True
    )
