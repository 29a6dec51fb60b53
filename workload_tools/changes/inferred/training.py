"""Jobs with known nodes and tasks, to learn from.

What is learned of paper 000 ("Walltime prediction and its impact on job scheduling performance and
predictability", section 5.2): a regression tree from processors, memory, walltime and run time to
the nodes and tasks that the Standard Workload Format does not have.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Log

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEATURES = ("processors", "memory", "walltime")
RUN_TIME = "run_time"
TARGETS = ("nodes", "tasks")

FEWEST_JOBS = 10


@dataclass(frozen=True, slots=True)
class Training:
    """The jobs of a log, a row each, in the log's order."""

    features: tuple[str, ...]
    """Names of the columns of `inputs`."""
    inputs: "NDArray[np.float64]"
    """Shape (jobs, features): processors, memory in GiB, walltime and run time in seconds; NaN
    where the log does not tell."""
    targets: "dict[str, NDArray[np.float64]]"
    """For ``nodes`` and ``tasks``, as far as enough jobs have them, numbers; NaN where the log
    does not tell."""

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return len(self.inputs)


def learn_from(log: Log, *, path: object, with_run_time: bool = False) -> Training:
    """Read a log to learn from.

    Parameters
    ----------
    log
        A log of which nothing was read yet.
    path
        What errors name.
    with_run_time
        Whether the run time is among the inputs, as in paper 000. Then the inferred numbers tell
        of the run time, which no scheduler may know, and whoever predicts from them looks ahead.

    Raises
    ------
    LogError
        The log can't be read, or fewer than 10 of its jobs have a number of nodes or of tasks.
    """
    import numpy as np

    features = (*FEATURES, RUN_TIME) if with_run_time else FEATURES
    inputs = array("d")
    targets = {name: array("d") for name in TARGETS}
    for job in log.jobs():
        if job.nodes is None and job.tasks is None:
            continue
        inputs.extend(input_row(job, features))
        for name, values in targets.items():
            value = getattr(job, name)
            values.append(np.nan if value is None or name in job.inferred else value)
    known = {name: np.array(values) for name, values in targets.items()}
    known = {
        name: values
        for name, values in known.items()
        if np.count_nonzero(~np.isnan(values)) >= FEWEST_JOBS
    }
    if not known:
        raise LogError(
            path,
            f"fewer than {FEWEST_JOBS} of its jobs have a number of nodes or tasks; learn from a "
            "log that has them, such as PBS or Slurm accounting",
        )
    return Training(features, np.array(inputs).reshape(-1, len(features)), known)


def input_row(job: Job, features: Sequence[str]) -> list[float]:
    """Return what is known of a job; NaN where it is not.

    Parameters
    ----------
    features
        Which of its fields.

    Examples
    --------
    >>> job = Job(id="1", submit_time=0.0, processors=4, run_time=9.0, walltime=60.0)
    >>> input_row(job, FEATURES)
    [4.0, nan, 60.0]
    """
    values = (getattr(job, name) for name in features)
    return [float("nan") if value is None else float(value) for value in values]
