"""Read the recorded queue from a Batsim workload.

The recorded waits are in the workload's field ``wait_time``. No predictor sees recorded waits,
because `Submission` has no such field. Only this module reads them, after the simulation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from pred_aware.recorded_queue.schedule import MachineSchedule
from workload_tools.batsim.fields import text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload

KINDS = ("user", "group", "project", "queue", "partition")
"""The kinds of labels for which a site can have limits."""
FIELDS = ("wait_time", "allocated_processors", "user_id", *KINDS)
"""Names of the job fields that this module reads."""


class Labels(NamedTuple):
    """A label for each job, for instance its user or its queue."""

    codes: "NDArray[np.int32]"
    """An index into `names` for each job, shape (jobs,); -1 for a job without a label."""
    names: tuple[str, ...]
    """The different labels."""

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> Self:
        """Return the labels with names in the order of their first appearance.

        Examples
        --------
        >>> Labels.of(["ann", "bob", None, "ann"])
        Labels(codes=array([ 0,  1, -1,  0], dtype=int32), names=('ann', 'bob'))
        """
        seen: dict[str, int] = {}
        codes = [-1 if text is None else seen.setdefault(text, len(seen)) for text in texts]
        return cls(np.array(codes, np.int32), tuple(seen))

    def of_jobs(self, which: "NDArray[np.bool_] | NDArray[np.intp]") -> Self:
        """Return the labels of the selected jobs."""
        return self._replace(codes=self.codes[which])

    @property
    def numbers(self) -> tuple["NDArray[np.int64]", tuple[str, ...]]:
        """The jobs' indices and the names; index 0 (empty name) stands for jobs without a label."""
        return self.codes.astype(np.int64) + 1, ("", *self.names)


@dataclass(frozen=True, kw_only=True)
class RecordedJobs:
    """The recorded jobs of a workload, in the workload's order."""

    ids: tuple[str, ...]
    """The jobs' ids without the workload's name."""
    submit_time: "NDArray[np.float64]"
    wait_time: "NDArray[np.float64]"
    run_time: "NDArray[np.float64]"
    """Submission, recorded wait and run time in seconds, shape (jobs,); unknown waits are NaN."""
    walltime: "NDArray[np.float64]"
    """Walltimes in seconds, infinite for a job without a walltime, shape (jobs,)."""
    processors: "NDArray[np.float64]"
    taken: "NDArray[np.float64]"
    """Processors of each job on the real machine (if unknown, as in the workload), and processors
    in the workload, shape (jobs,)."""
    labels: dict[str, Labels]
    """The labels for each of `KINDS` that at least one job has."""
    machine: int | None
    """The machine's number of processors; ``None`` if the workload does not have it."""
    guessed: bool
    """Whether `machine` is only a guess from the jobs."""
    start_time: float | None
    """Unix time of second 0; ``None`` if unknown."""
    time_zone: str | None
    """The machine's time zone; ``None`` if unknown."""

    @property
    def known(self) -> "NDArray[np.bool_]":
        """Whether a job's wait and run time are known, shape (jobs,)."""
        known: NDArray[np.bool_] = np.isfinite(self.wait_time) & np.isfinite(self.run_time)
        return known

    def schedule(
        self, which: "NDArray[np.bool_] | NDArray[np.intp]", machine: int
    ) -> MachineSchedule:
        """Return the dates of the selected jobs, whose waits must be known."""
        start = self.submit_time[which] + self.wait_time[which]
        return MachineSchedule(
            submit_time=self.submit_time[which],
            start_time=start,
            end_time=start + self.run_time[which],
            processors=self.processors[which],
            walltime=self.walltime[which],
            machine=machine,
        )


def has_recorded_waits(workload: "Workload") -> bool:
    """Return whether a workload has the recorded wait of any job."""
    return bool(workload.raw.details.columns("wait_time"))


def recorded(workload: "Workload") -> RecordedJobs:
    """Return the recorded jobs of a workload.

    Parameters
    ----------
    workload
        The checked workload. A field with an invalid value counts as missing.
    """
    raw = workload.raw
    details, simulated = raw.details, raw.arrays
    columns = details.columns(*FIELDS)
    users = columns.pop("user_id", None)
    if users is not None:
        named = columns.get("user", users)
        columns["user"] = [
            other if user is None else user for user, other in zip(users, named, strict=True)
        ]
    taken = simulated.processors.astype(float)
    held = _numbers(columns.get("allocated_processors"), len(taken))
    wait_time = _numbers(columns.get("wait_time"), len(taken))
    start_time, time_zone = (
        details.workload_field("start_time"),
        details.workload_field("time_zone"),
    )
    return RecordedJobs(
        ids=tuple(raw.ids),
        submit_time=simulated.submit,
        wait_time=np.where(wait_time >= 0.0, wait_time, np.nan),
        run_time=simulated.delay,
        walltime=np.where(simulated.walltime >= 0.0, simulated.walltime, np.inf),
        processors=np.where(held > 0.0, held, taken),
        taken=taken,
        labels={kind: Labels.of(map(_name, columns[kind])) for kind in KINDS if kind in columns},
        machine=raw.nb_res,
        guessed=details.workload_field("nb_res_guessed") is True,
        start_time=start_time if isinstance(start_time, int | float) else None,
        time_zone=time_zone if isinstance(time_zone, str) else None,
    )


def _name(value: Any) -> str | None:  # noqa: ANN401 - any JSON value
    return value if value is None or type(value) is str else text_of(value)


def _numbers(values: list[Any] | None, jobs: int) -> "NDArray[np.float64]":
    """Return the values as an array, with NaN for values that are not numbers or are too large."""
    if values is None:
        return np.full(jobs, np.nan)
    limit = 2.0**53
    return np.array(
        [
            float(value) if type(value) in (int, float) and -limit <= value <= limit else np.nan
            for value in values
        ],
        float,
    )
