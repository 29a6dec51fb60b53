"""Jobs with known nodes and tasks, as a training set.

Paper 000 ("Walltime prediction and its impact on job scheduling performance and predictability",
section 5.2) learns nodes and tasks, which the Standard Workload Format lacks, with a regression
tree from processors, memory, walltime and run time.
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
    """The jobs of a log, one per row, in the log's order."""

    features: tuple[str, ...]
    """Names of the columns of `inputs`."""
    inputs: "NDArray[np.float64]"
    """Processors, memory in GiB, walltime and run time in seconds; NaN if unknown.

    Shape (jobs, features)."""
    targets: "dict[str, NDArray[np.float64]]"
    """Arrays for ``nodes`` and ``tasks`` if enough jobs have them; NaN if unknown."""

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return len(self.inputs)


def learn_from(log: Log, *, path: object, with_run_time: bool = False) -> Training:
    """Read the training set from a log.

    Parameters
    ----------
    log
        The log, which has not been read yet.
    path
        The name for error messages.
    with_run_time
        True to add the run time to the inputs, as in paper 000. The inferred values then depend on
        the run time, so a predictor that uses them looks ahead.

    Raises
    ------
    LogError
        The log cannot be read, or fewer than 10 of its jobs have nodes or tasks.
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
            f"fewer than {FEWEST_JOBS} of its jobs have a number of nodes or tasks; train on a "
            "log that has them, such as PBS or Slurm accounting",
        )
    return Training(features, np.array(inputs).reshape(-1, len(features)), known)


def input_row(job: Job, features: Sequence[str]) -> list[float]:
    """Return the values of some fields of a job; NaN if unknown.

    Parameters
    ----------
    features
        Names of the fields.

    Examples
    --------
    >>> job = Job(id="1", submit_time=0.0, processors=4, run_time=9.0, walltime=60.0)
    >>> input_row(job, FEATURES)
    [4.0, nan, 60.0]
    """
    values = (getattr(job, name) for name in features)
    return [float("nan") if value is None else float(value) for value in values]
