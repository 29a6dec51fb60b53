"""Batch jobs as Dask workers: dask-jobqueue submits and replaces them."""

import math
import resource
import secrets
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pred_aware.campaign.cluster.dask_team import DASK_MISSING, silence
from pred_aware.campaign.specification import TIMES, UNITS, amount
from pred_aware.campaign.store import Store, written
from pred_aware.errors import PredAwareError

SHARE = 0.9
"""Share of a job's memory that all its runs together may use."""

USUAL = 10
"""Default number of jobs."""

MEMORY = "4 GB"
"""Default memory per job; dask-jobqueue needs a value."""

_LIFETIME = 0.9
"""Share of the walltime after which a worker ends itself."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """The resources of each batch job.

    Raises
    ------
    PredAwareError
        A value is invalid.

    Examples
    --------
    >>> Jobs(walltime="2 h", memory="4 GB", cores=2).memory_of_a_run
    1800000000.0
    """

    number: int | None = None
    """Largest number of jobs; ``None`` for `USUAL`."""
    cores: int = 1
    """Number of runs that each job makes simultaneously."""
    walltime: str = "1 h"
    memory: str | None = None
    """Memory; ``None`` for `MEMORY`."""
    partition: str | None = None
    """The partition (Slurm) or queue (PBS)."""
    account: str | None = None
    """The account to charge."""
    python: str = sys.executable
    """The Python of an environment with the same version of pred-aware, on all machines."""
    options: tuple[str, ...] = ()
    """Further options for the batch system, as after ``#SBATCH`` or ``#PBS``."""
    before: tuple[str, ...] = ()
    """Shell commands that the job runs first."""

    def __post_init__(self) -> None:
        """Check the amounts, and refuse line breaks, which would add a line to the job script."""
        amount(self.walltime, TIMES, "walltime")
        amount(self.memory or MEMORY, UNITS, "memory")
        for text in (self.partition or "", self.account or "", self.python, *self.options):
            if "\n" in text:
                raise PredAwareError(f"an option of jobs must be one line, not {text!r}")

    @property
    def seconds(self) -> float:
        """The walltime in seconds."""
        return amount(self.walltime, TIMES, "walltime")

    @property
    def bytes(self) -> float:
        """The memory in bytes."""
        return amount(self.memory or MEMORY, UNITS, "memory")

    @property
    def memory_of_a_run(self) -> float:
        """The memory limit of each run, in bytes."""
        return SHARE * self.bytes / self.cores

    def for_jobqueue(self, logs: Path) -> dict[str, Any]:
        """Return the options for dask-jobqueue's clusters."""
        minutes, seconds = divmod(int(self.seconds), 60)
        return {
            "cores": self.cores,
            "processes": 1,
            "memory": f"{int(self.bytes)}B",
            "walltime": f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}",
            "queue": self.partition,
            "account": self.account,
            "python": self.python,
            "job_name": "pred-aware",
            "job_extra_directives": list(self.options),
            "job_script_prologue": list(self.before),
            "log_directory": str(logs),
            "worker_extra_args": [
                "--lifetime", f"{int(_LIFETIME * self.seconds)}s", "--no-dashboard",
            ],
            "scheduler_options": {"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        }  # fmt: skip


@contextmanager
def cluster_of(kind: str, jobs: Jobs, store: Store, *, runs: int) -> Iterator[str]:
    """Yield the address of a scheduler in this process whose workers are batch jobs.

    Dask's adaptive scaling submits another job for each lost worker. All jobs end with the context.

    Parameters
    ----------
    kind
        ``slurm`` or ``pbs``.
    jobs
        The resources of each job.
    store
        The store. Its folder of the workers' logs is removed at the end, except after an error.
    runs
        Number of runs, which limits the number of jobs.

    Raises
    ------
    PredAwareError
        dask-jobqueue is not installed, or the batch system rejects the jobs.
    """
    jobqueue = _jobqueue()
    logs = store.jobs.absolute() / f"dask-{secrets.token_hex(4)}"
    with written(store.folder):
        logs.mkdir(parents=True)
    # allow more open files, because the scheduler has one or two connections to each worker
    with suppress(ValueError, OSError):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    kinds = {"slurm": jobqueue.SLURMCluster, "pbs": jobqueue.PBSCluster}
    silence()
    cluster = kinds[kind](**jobs.for_jobqueue(logs))
    number = min(jobs.number or USUAL, math.ceil(runs / jobs.cores))

    async def submitted() -> None:
        # `cluster.scale` would hide the batch system's error
        while len(cluster.worker_spec) < number:
            cluster.worker_spec.update(cluster.new_worker_spec())
        await cluster

    try:
        try:
            cluster.sync(submitted)
        except (OSError, RuntimeError) as error:
            said = "; ".join(str(error).rpartition("stderr:")[2].split("\n")).strip("; ")
            raise PredAwareError(
                f"{kind} rejects the job: {said}; run this command where jobs can be submitted"
            ) from error
        cluster.adapt(minimum_jobs=number, maximum_jobs=number)
        yield cluster.scheduler_address
    finally:
        # ending jobs that the batch system has rejected gives an error
        with suppress(AssertionError, OSError, RuntimeError):
            cluster.close()
        # rmdir keeps a folder that contains logs
        with suppress(OSError):
            logs.rmdir()
    shutil.rmtree(logs, ignore_errors=True)


def _jobqueue() -> Any:  # noqa: ANN401 - a module without types
    """Import dask-jobqueue without its handler of Ctrl-C, which exits silently.

    Raises
    ------
    PredAwareError
        dask-jobqueue is not installed.
    """
    handler = signal.getsignal(signal.SIGINT)
    try:
        import dask_jobqueue
    except ImportError as error:
        raise PredAwareError(DASK_MISSING) from error
    finally:
        signal.signal(signal.SIGINT, handler)
    return dask_jobqueue
