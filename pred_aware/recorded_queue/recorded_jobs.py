"""The queue as it was, from a Batsim workload: the waits that the log recorded.

They stand in the workload under ``wait_time``, where no predictor can see them (`Submission` has
no such field), and are read here only, after the simulation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from workload_tools.batsim.fields import text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload

KINDS = ("user", "group", "project", "queue", "partition")
"""Who or what may have limits of its own."""
FIELDS = ("wait_time", "allocated_processors", "user_id", *KINDS)
"""What is read of jobs, by Batsim's names."""


class Labels(NamedTuple):
    """The users of jobs, or their queues, or the like."""

    codes: "NDArray[np.int32]"
    """An index into `names` for each job, shape (jobs,); -1 for none."""
    names: tuple[str, ...]
    """Each once."""

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> Self:
        """Make numbers of names, by first appearance.

        Examples
        --------
        >>> Labels.of(["ann", "bob", None, "ann"])
        Labels(codes=array([ 0,  1, -1,  0], dtype=int32), names=('ann', 'bob'))
        """
        seen: dict[str, int] = {}
        codes = [-1 if text is None else seen.setdefault(text, len(seen)) for text in texts]
        return cls(np.array(codes, np.int32), tuple(seen))

    def of_jobs(self, which: "NDArray[np.bool_] | NDArray[np.intp]") -> Self:
        """Return those of some of the jobs."""
        return self._replace(codes=self.codes[which])

    @property
    def numbers(self) -> tuple["NDArray[np.int64]", tuple[str, ...]]:
        """An index into names of which the first, empty, is that of jobs without one."""
        return self.codes.astype(np.int64) + 1, ("", *self.names)


@dataclass(frozen=True, kw_only=True)
class RecordedJobs:
    """The jobs of a workload as the log had them, in the workload's order."""

    ids: tuple[str, ...]
    """Without the workload's name."""
    submit_time: "NDArray[np.float64]"
    wait_time: "NDArray[np.float64]"
    run_time: "NDArray[np.float64]"
    """Seconds, shape (jobs,); not a number where it is not known."""
    walltime: "NDArray[np.float64]"
    """Seconds, infinite where there is none, shape (jobs,)."""
    processors: "NDArray[np.float64]"
    taken: "NDArray[np.float64]"
    """What each held on the real machine (as allocated, where the log tells), and what it takes in
    the workload, shape (jobs,)."""
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

    @property
    def known(self) -> "NDArray[np.bool_]":
        """Whose dates are known, shape (jobs,)."""
        known: NDArray[np.bool_] = np.isfinite(self.wait_time) & np.isfinite(self.run_time)
        return known


def tells_waits(workload: "Workload") -> bool:
    """Say whether a workload tells what any job waited."""
    return bool(workload.raw.details.columns("wait_time"))


def recorded(workload: "Workload") -> RecordedJobs:
    """Read what a workload tells of the queue as it was.

    Parameters
    ----------
    workload
        It was checked when it was read; a field that is not what it should be is taken for missing.
    """
    raw = workload.raw
    details, simulated = raw.details, raw.arrays
    told = details.columns(*FIELDS)
    users = told.pop("user_id", None)
    if users is not None:
        named = told.get("user", users)
        told["user"] = [
            other if user is None else user for user, other in zip(users, named, strict=True)
        ]
    taken = simulated.processors.astype(float)
    held = _numbers(told.get("allocated_processors"), len(taken))
    wait_time = _numbers(told.get("wait_time"), len(taken))
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
        labels={kind: Labels.of(map(_name, told[kind])) for kind in KINDS if kind in told},
        machine=raw.nb_res,
        guessed=details.workload_field("nb_res_guessed") is True,
        start_time=start_time if isinstance(start_time, int | float) else None,
        time_zone=time_zone if isinstance(time_zone, str) else None,
    )


def _name(value: Any) -> str | None:  # noqa: ANN401 - as JSON
    return value if value is None or type(value) is str else text_of(value)


def _numbers(values: list[Any] | None, jobs: int) -> "NDArray[np.float64]":
    """Make an array of what may be anything; what is no number of any machine is not a number."""
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
