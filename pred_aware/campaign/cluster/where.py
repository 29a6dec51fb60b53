"""Where a campaign's runs are made: by processes here, by Dask, or by job arrays."""

from collections.abc import Callable
from typing import Any

from pred_aware.campaign.cluster.arrays import Arrays, SubmittedArray
from pred_aware.campaign.cluster.jobs import Jobs, jobs_of
from pred_aware.campaign.cluster.orders import order_for
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, make_runs, make_runs_by
from pred_aware.errors import PredAwareError
from predictors.registry import nearest

LOCAL = "local"
DASK = "dask:"
ARRAYS = {"slurm-array": "slurm", "pbs-array": "pbs"}
CLUSTERS = {"dask-slurm": "slurm", "dask-pbs": "pbs"}
KNOWN = (LOCAL, f"{DASK}ADDRESS", *CLUSTERS, *ARRAYS)

Told = Callable[[Progress], None]


def run_on(
    where: str,
    inventory: Inventory,
    *,
    number: int | None = None,
    on_progress: Told | None = None,
    **jobs: Any,  # noqa: ANN401 - as `jobs_of` takes them
) -> Progress:
    """Make all runs that a campaign wants and that are not in its store.

    Parameters
    ----------
    where
        One of `KNOWN`.
    inventory
        The campaign.
    number
        How many processes, or jobs.
    on_progress
        Called when something has changed.
    jobs
        What jobs are asked for.

    Raises
    ------
    PredAwareError
        There is no such place, or what makes the runs can't be reached; and as for
        `pred_aware.campaign.making.dispatch.make_runs`.
    """
    asked = jobs_of(number=number, **jobs)
    if where in ARRAYS:
        return Arrays(inventory, ARRAYS[where], asked).wait(on_progress)
    if where in CLUSTERS:
        from pred_aware.campaign.cluster.jobqueue import JobsTeam

        return make_runs_by(
            lambda runs: JobsTeam(inventory, CLUSTERS[where], asked, runs=runs),
            inventory,
            on_progress=on_progress,
        )
    if where != LOCAL and not where.startswith(DASK):
        raise PredAwareError(f"runs can't be made on '{where}': {nearest(where, KNOWN)}")
    if asked != Jobs(number):
        raise PredAwareError(
            "walltime, memory, cores and such are of the jobs of a batch system; say on which: "
            f"{nearest('', (*ARRAYS, *CLUSTERS))}"
        )
    if where == LOCAL:
        return make_runs(inventory, workers=number, on_progress=on_progress)
    if number is not None:
        raise PredAwareError("a Dask scheduler has the workers that it has; leave --workers out")
    from pred_aware.campaign.cluster.dask_team import DaskTeam

    def team(_: int) -> DaskTeam:
        order = order_for(inventory.specification, cores=1, memory=None)
        return DaskTeam(where.removeprefix(DASK), order)

    return make_runs_by(team, inventory, on_progress=on_progress)


def submit_on(
    where: str,
    inventory: Inventory,
    *,
    number: int | None = None,
    **jobs: Any,  # noqa: ANN401 - as `jobs_of` takes them
) -> SubmittedArray:
    """Submit the runs that a campaign wants as a job array; see `run_on`.

    Raises
    ------
    PredAwareError
        That is no batch system's array; and as for `Arrays.submit`.
    """
    if where not in ARRAYS:
        raise PredAwareError(f"on '{where}' nothing is submitted: {nearest(where, ARRAYS)}")
    return Arrays(inventory, ARRAYS[where], jobs_of(number=number, **jobs)).submit()
