"""A Dask cluster of ours: a scheduler in this process, and jobs with a worker each.

dask-jobqueue has the scheduler and writes the script of the jobs, with all that a site has told it
in its configuration. They are submitted here: neither it nor Dask starts another job for one that
has ended.
"""

import math
import resource
import secrets
import shutil
import signal
from contextlib import suppress
from time import monotonic
from typing import Any

from pred_aware.campaign.cluster.batch import BATCHES, BatchError, last_line
from pred_aware.campaign.cluster.crew import needed
from pred_aware.campaign.cluster.dask_team import DaskTeam
from pred_aware.campaign.cluster.jobs import Jobs
from pred_aware.campaign.cluster.orders import order_for
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.store import written
from pred_aware.errors import PredAwareError

USUAL = 10
"""So many jobs where nothing is said."""

MEMORY = 4e9
"""Of each, in bytes, where nothing is said: dask-jobqueue must be told."""

FUTILE = 3
"""After so many jobs that have ended and no worker has come, it gives up."""

LOOK = 10.0
"""How often it is looked which jobs have ended, in seconds."""

_EARLY = 0.9
"""Workers end themselves when so much of the walltime is over."""

_NAME = "dummy-name"
"""What dask-jobqueue calls the worker of a script that is not submitted."""


class JobsTeam:
    """Dask workers that are jobs of a batch system, a context: none is left when it ends.

    Parameters
    ----------
    inventory
        The campaign.
    kind
        ``slurm`` or ``pbs``.
    jobs
        What each job is asked for.
    runs
        How many are to be made, as far as is known: there are not more jobs than are of use.

    Raises
    ------
    PredAwareError
        dask-jobqueue is not installed, or the batch system refuses the jobs or does not answer;
        later, jobs end and no worker comes.
    """

    def __init__(self, inventory: Inventory, kind: str, jobs: Jobs, *, runs: int) -> None:
        self._inventory = inventory
        self._batch = BATCHES[kind]
        self._kind = kind
        self._jobs = jobs
        self._name = f"dask-{secrets.token_hex(4)}"
        self._folder = inventory.store.jobs.absolute() / self._name
        self._number = min(jobs.number or USUAL, math.ceil(runs / jobs.cores))
        self._submitted: set[str] = set()
        self._count = self._ended = 0
        self._came = False
        self._looked = monotonic()

    def __enter__(self) -> DaskTeam:
        """Start the scheduler, and submit the jobs."""
        dask_jobqueue = _jobqueue()
        # that there is a batch system is known before anything begins
        self._batch.unfinished()
        with written(self._inventory.store.folder):
            self._folder.mkdir(parents=True)
        spec = self._inventory.specification
        order = order_for(spec, cores=1, memory=self._jobs.memory_of_a_run)
        _allow_connections()
        kinds = {"slurm": dask_jobqueue.SLURMCluster, "pbs": dask_jobqueue.PBSCluster}
        self._cluster = kinds[self._kind](**self._options())
        self._team = DaskTeam(self._cluster.scheduler_address, order, tend=self._tend)
        try:
            self._submit()
            return self._team.__enter__()
        except BaseException:
            self._end()
            raise

    def __exit__(self, *error: object) -> None:
        """End the jobs and the scheduler."""
        self._team.__exit__(*error)
        self._end()
        if error[0] is None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self) -> None:
        for job in self._submitted:
            # one that has ended meanwhile can't be ended
            with suppress(BatchError):
                self._batch.cancel(job)
        self._cluster.close()

    def _submit(self) -> None:
        """Submit jobs until as many wait or run as are asked for."""
        script = self._folder / "script.sh"
        while len(self._submitted) < self._number:
            self._count += 1
            told = self._cluster.job_script().replace(_NAME, f"{self._name}-{self._count}")
            with written(self._inventory.store.folder):
                script.write_text(told)
            self._submitted.add(self._batch.submit(script))

    def _tend(self, workers: set[str]) -> None:
        """Submit other jobs for those that have ended.

        Raises
        ------
        PredAwareError
            They have ended, and no worker has ever come.
        """
        self._came = self._came or bool(workers)
        if monotonic() - self._looked < LOOK:
            return
        self._looked = monotonic()
        # `campaign gc` takes what is old for left
        self._folder.touch()
        # one that is restarted does not answer
        with suppress(BatchError):
            ended = self._submitted - self._batch.unfinished()
            self._ended += len(ended)
            self._submitted -= ended
            if self._ended >= FUTILE and not self._came:
                said = last_line(self._folder) or "nothing"
                raise PredAwareError(
                    f"{self._ended} jobs have ended, and no Dask worker has come; their logs in "
                    f"{self._folder} end: {said}"
                )
            self._submit()

    def _options(self) -> dict[str, Any]:
        jobs = self._jobs
        seconds = int(jobs.seconds)
        return {
            "cores": jobs.cores,
            "processes": 1,
            "memory": f"{int(jobs.memory or MEMORY)}B",
            "walltime": f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}",
            "queue": jobs.partition,
            "account": jobs.account,
            "python": jobs.python,
            "job_name": "pred-aware",
            "job_extra_directives": list(jobs.options),
            "job_script_prologue": list(jobs.before),
            "log_directory": str(self._folder),
            "worker_extra_args": ["--lifetime", f"{int(_EARLY * seconds)}s", "--no-dashboard"],
            # what can be seen of it can be seen on this machine only
            "scheduler_options": {"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        }


def _jobqueue() -> Any:  # noqa: ANN401 - a module without types
    """Import dask-jobqueue, but without what it does to Ctrl-C: to end with no word and code 0.

    Raises
    ------
    PredAwareError
        It is not installed.
    """
    handler = signal.getsignal(signal.SIGINT)
    try:
        import dask_jobqueue
    except ImportError as error:
        raise needed() from error
    finally:
        signal.signal(signal.SIGINT, handler)
    return dask_jobqueue


def _allow_connections() -> None:
    """Let this process have as many connections as it may: a scheduler has some to each worker.

    Many systems give a process 1,024 at first, and hundreds of thousands if it asks.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
