"""Read the recorded queue of a log, from which rules are inferred."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue.recorded_jobs import recorded
from pred_aware.recorded_queue.schedule import MachineSchedule
from pred_aware.recorded_queue.waits import Similarity, similarity, submitted_early

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload
    from pred_aware.recorded_queue.recorded_jobs import Labels
    from pred_aware.runs.run import Run

LEAST_JOBS = 400
"""The minimum number of jobs for inference."""


@dataclass(frozen=True, kw_only=True)
class QueueRecord:
    """The jobs of a log with known dates, in the order of submission."""

    ids: "NDArray[np.str_]"
    schedule: MachineSchedule
    """The jobs' dates, and their processors on the real machine."""
    labels: "dict[str, Labels]"
    """The jobs' users, queues and so on, by the kind of label."""
    start_time: float | None
    """Unix time of second 0; ``None`` if unknown."""
    time_zone: str | None

    @classmethod
    def of(cls, workload: "Workload", *, processors: int | None = None) -> Self:
        """Read the recorded queue of a workload.

        Parameters
        ----------
        workload
            A workload with recorded waits.
        processors
            The machine's size in processors; by default the workload's size.

        Raises
        ------
        PredAwareError
            The machine's size is unknown, or fewer than `LEAST_JOBS` jobs have known waits.
        """
        jobs = recorded(workload)
        known = jobs.known
        machine = processors or jobs.machine
        if machine is None or int(known.sum()) < LEAST_JOBS:
            raise PredAwareError(
                f"{workload.name}: rules can be inferred only if the log has the machine's size "
                f"(--processors) and the starts of at least {LEAST_JOBS} jobs"
            )
        order = np.flatnonzero(known)
        order = order[np.argsort(jobs.submit_time[order], kind="stable")]
        return cls(
            ids=np.array(jobs.ids)[order],
            schedule=jobs.schedule(order, machine),
            labels={kind: named.of_jobs(order) for kind, named in jobs.labels.items()},
            start_time=jobs.start_time,
            time_zone=jobs.time_zone,
        )

    def waits_in(self, run: "Run") -> "NDArray[np.float64]":
        """Return each job's simulated wait in a run in seconds; NaN for jobs that did not run."""
        import pandas as pd

        wait = pd.Series(run.column("waiting_time", whole=True), run.ids_of_whole)
        found: NDArray[np.float64] = np.asarray(wait.reindex(self.ids))
        return found

    def similarity(self, wait: "NDArray[np.float64]", part: slice) -> Similarity:
        """Compare, for a part of the jobs, their recorded waits with the waits `wait`."""
        ran = np.isfinite(wait[part])
        return similarity(self.wait[part][ran], wait[part][ran])

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.ids)

    @cached_property
    def wait(self) -> "NDArray[np.float64]":
        """The recorded wait of each job in seconds, shape (jobs,)."""
        found: NDArray[np.float64] = self.schedule.start_time - self.schedule.submit_time
        return found

    @cached_property
    def begin(self) -> int:
        """The index of the first job that is used; jobs submitted early come before it.

        Jobs submitted early waited for jobs that the log does not contain. These jobs are used only
        if fewer than `LEAST_JOBS` other jobs exist.
        """
        early = int(submitted_early(self.schedule.submit_time, self.wait)[0].sum())
        return early if len(self) - early >= LEAST_JOBS else 0

    @property
    def half(self) -> int:
        """The index at which the second half of the used jobs begins."""
        return (self.begin + len(self)) // 2

    @property
    def until(self) -> float:
        """The date of the second half's first submission, in seconds."""
        return float(self.schedule.submit_time[self.half])
