"""Choice of the processes that make a campaign's runs: of this machine, or Dask workers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from pred_aware.campaign.cluster.dask_team import DaskTeam, connected
from pred_aware.campaign.cluster.jobs import Jobs, cluster_of
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, make_runs
from pred_aware.errors import PredAwareError
from predictors.registry import nearest

LOCAL = "local"
DASK = "dask:"
CLUSTERS = {"dask-slurm": "slurm", "dask-pbs": "pbs"}
REPLACED = {"slurm-array": "dask-slurm", "pbs-array": "dask-pbs"}
KNOWN = (LOCAL, f"{DASK}ADDRESS", *CLUSTERS)


def run_on(
    where: str,
    inventory: Inventory,
    *,
    number: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    **jobs: Any,  # noqa: ANN401 - see `Jobs`
) -> Progress:
    """Make all runs that a campaign needs and that are not in its store.

    Parameters
    ----------
    where
        One of `KNOWN`.
    inventory
        The campaign.
    number
        Number of worker processes on this machine, or of batch jobs.
    on_progress
        Called after each change.
    jobs
        The resources of the batch jobs.

    Raises
    ------
    PredAwareError
        `where` is unknown, or the cluster cannot be reached; also as in
        `pred_aware.campaign.making.dispatch.make_runs`.
    """
    requests = Jobs(number, **{name: one for name, one in jobs.items() if one is not None})
    if where in REPLACED:
        raise PredAwareError(f"--on {where} no longer exists: use --on {REPLACED[where]}")
    if where not in (LOCAL, *CLUSTERS) and not where.startswith(DASK):
        raise PredAwareError(f"runs cannot be made on '{where}': {nearest(where, KNOWN)}")
    if where not in CLUSTERS and requests != Jobs(number):
        raise PredAwareError(
            "walltime, memory, cores and similar options are for batch jobs; "
            f"give --on {' or --on '.join(CLUSTERS)} with them"
        )
    if where == LOCAL:
        return make_runs(inventory, workers=number, on_progress=on_progress)
    if where.startswith(DASK) and number is not None:
        raise PredAwareError("the Dask scheduler determines its workers; omit --workers")

    @contextmanager
    def team(runs: int) -> Iterator[DaskTeam]:
        with ExitStack() as opened:
            address, memory = where.removeprefix(DASK), None
            if where in CLUSTERS:
                address = opened.enter_context(
                    cluster_of(CLUSTERS[where], requests, inventory.store, runs=runs)
                )
                memory = requests.memory_of_a_run
            client = opened.enter_context(connected(address))
            yield opened.enter_context(DaskTeam(client, inventory, memory=memory))

    return make_runs(inventory, team, on_progress=on_progress)
