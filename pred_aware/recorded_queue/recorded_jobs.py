"""The queue as it was, from a Batsim workload: the waits that the log recorded.

They stand in the workload under ``wait_time``, where no predictor can see them (`Submission` has
no such field), and are read here only, after the simulation.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pred_aware.recorded_queue.labels import Labels
from workload_tools.batsim.fields import text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload

KINDS = ("user", "group", "project", "queue", "partition")
"""Who or what may have limits of its own."""


class _JobInWorkload(msgspec.Struct, gc=False):
    id: str | int
    wait_time: Any = None
    allocated_processors: Any = None
    mem: Any = None
    user_id: Any = None
    user: Any = None
    group: Any = None
    project: Any = None
    queue: Any = None
    partition: Any = None


class _File(msgspec.Struct):
    jobs: list[_JobInWorkload]
    start_time: Any = None
    time_zone: Any = None
    nb_res_guessed: Any = False
    held: Any = False


@dataclass(frozen=True, kw_only=True)
class RecordedJobs:
    """The jobs of a workload as the log had them, in the workload's order."""

    ids: tuple[str, ...]
    """Without the workload's name."""
    submit_time: "NDArray[np.float64]"
    wait_time: "NDArray[np.float64]"
    run_time: "NDArray[np.float64]"
    """Seconds, shape (jobs,); not a number where it is not known."""
    processors: "NDArray[np.float64]"
    taken: "NDArray[np.float64]"
    """What each held on the real machine (as allocated, where the log tells), and what it takes in
    the workload, shape (jobs,)."""
    memory: "NDArray[np.float64] | None"
    """GiB asked for, shape (jobs,); ``None`` where hardly any job tells."""
    labels: dict[str, Labels]
    """By kind; kinds that no job tells are missing."""
    machine: int | None
    """How many processors there are; ``None`` where the workload does not tell."""
    guessed: bool
    """Whether that is only what was seen busy."""
    start_time: float | None
    """Unix date of second 0; ``None`` where it is not known."""
    time_zone: str | None
    """The machine's."""
    held: bool = False
    """Whether its jobs are held by their own recorded starts (`site infer --held`)."""

    @property
    def known(self) -> "NDArray[np.bool_]":
        """Whose dates are known, shape (jobs,)."""
        known: NDArray[np.bool_] = np.isfinite(self.wait_time) & np.isfinite(self.run_time)
        return known


def tells_waits(workload: "Workload") -> bool:
    """Say whether a workload may tell what any job waited, without reading its jobs."""
    return b'"wait_time"' in workload.raw.content


def recorded(workload: "Workload") -> RecordedJobs:
    """Read what a workload tells of the queue as it was.

    Parameters
    ----------
    workload
        It was checked when it was read; a field that is not what it should be is taken for missing.
    """
    raw = workload.raw
    file = msgspec.json.decode(raw.content, type=_File)
    simulated = raw.arrays
    taken = simulated.processors.astype(float)
    held = _numbers([job.allocated_processors for job in file.jobs])
    memory = _numbers([job.mem for job in file.jobs])
    labels = {}
    for kind in KINDS:
        values = [getattr(job, kind) for job in file.jobs]
        if kind == "user":
            values = [job.user if job.user_id is None else job.user_id for job in file.jobs]
        if any(value is not None for value in values):
            labels[kind] = Labels.of(None if one is None else text_of(one) for one in values)
    wait_time = _numbers([job.wait_time for job in file.jobs])
    return RecordedJobs(
        ids=tuple(raw.ids),
        submit_time=simulated.submit,
        wait_time=np.where(wait_time >= 0.0, wait_time, np.nan),
        run_time=simulated.delay,
        processors=np.where(held > 0.0, held, taken),
        taken=taken,
        memory=np.nan_to_num(memory) if np.isfinite(memory).mean() > 0.5 else None,  # noqa: PLR2004 - most
        labels=labels,
        machine=raw.nb_res,
        guessed=file.nb_res_guessed is True,
        start_time=file.start_time if isinstance(file.start_time, int | float) else None,
        held=file.held is True,
        time_zone=file.time_zone if isinstance(file.time_zone, str) else None,
    )


def _numbers(values: list[Any]) -> "NDArray[np.float64]":
    """Make an array of what may be anything; what is no number of any machine is not a number."""
    limit = 2.0**53
    return np.array(
        [
            float(value) if type(value) in (int, float) and -limit <= value <= limit else np.nan
            for value in values
        ],
        float,
    )
