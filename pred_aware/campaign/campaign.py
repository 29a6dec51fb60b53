"""Campaigns in Python."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.reading import read_specification, specification_of
from pred_aware.campaign.results.results import CampaignResults

if TYPE_CHECKING:
    from pred_aware.campaign.making.dispatch import Progress
    from pred_aware.campaign.planning import CampaignPlan
    from pred_aware.campaign.specification import LogOfCampaign


class Campaign(CampaignResults):
    """Many runs of several policies on several logs and their perturbed copies, stored as files.

    `pred_aware.read_campaign` or `Campaign.of` creates a campaign. docs/how-to/campaigns.md
    describes the file and the store. Policies are given by name, because other processes simulate
    them.

    Parameters
    ----------
    inventory
        The campaign's runs.

    Examples
    --------
    >>> campaign = Campaign.of(
    ...     {
    ...         "logs": {"kth": {"file": "KTH-SP2-1996-2.1-cln.swf.gz"}},
    ...         "policies": {"easy": {}, "sjf": {"scheduler": "easy", "order": ["sjf", "saf"]}},
    ...     }
    ... )
    >>> campaign.policies
    ['easy', 'sjf order=sjf', 'sjf order=saf']
    """

    @classmethod
    def of(cls, content: Mapping[str, Any], *, name: str = "campaign") -> "Campaign":
        """Create a campaign from the content of its file; paths are relative to the working folder.

        Raises
        ------
        PredAwareError
            A key or name is unknown, or a value is invalid.
        """
        where = f"campaign '{name}'"
        return cls(Inventory(specification_of(content, name=name, where=where, folder=Path())))

    @property
    def inventory(self) -> Inventory:
        """The campaign's runs, identified by their digests; used by the commands."""
        return self._inventory

    @property
    def logs(self) -> list[str]:
        """The names of the logs."""
        return [log.name for log in self._inventory.specification.logs]

    @property
    def predictors(self) -> list[str]:
        """The labels of the predictors."""
        return list(self._inventory.specification.predictors)

    def log(self, name: str) -> "LogOfCampaign":
        """Return a log of the campaign, with the changes made to it."""
        return next(log for log in self._inventory.specification.logs if log.name == name)

    @property
    def store(self) -> Path:
        """The folder of the runs."""
        return self._inventory.store.folder

    def plan(self, *, pilot: bool = True, workers: int | None = None) -> "CampaignPlan":
        """Return how many runs are needed, and their costs.

        Parameters
        ----------
        pilot
            True to simulate one policy of each table ``[policies.NAME]`` on each unperturbed log,
            unless the store has this run. These runs give the costs.
        workers
            Number of processes; by default one per core.

        Raises
        ------
        PredAwareError
            A policy is invalid, no log can be read, or the store cannot be written.
        """
        from pred_aware.campaign.planning import make_plan

        return make_plan(self._inventory, pilot=pilot, workers=workers)

    def run(
        self,
        *,
        workers: int | None = None,
        progress: "Callable[[Progress], None] | None" = None,
        on: str = "local",
        replays: "Callable[[str], None] | None" = None,
        **jobs: Any,  # noqa: ANN401 - see the options of the command
    ) -> "Progress":
        """Make the runs that are needed and missing. An interrupted call can be continued.

        Before the runs, this process replays the predictors on the logs.

        Parameters
        ----------
        workers
            Number of processes, by default one per core; on a cluster the number of jobs.
        progress
            Called after each change.
        on
            Where runs are simulated: ``local``, ``dask:ADDRESS``, ``dask-slurm`` or ``dask-pbs``
            (docs/how-to/campaigns-on-a-cluster.md).
        replays
            Called before each replay with its log and predictors.
        jobs
            Resources of each batch job: ``walltime="2 h"``, ``memory="4 GB"``, ``cores``,
            ``partition``, ``account``, ``python``, ``options``, ``before``.

        Returns
        -------
        Progress
            Finished runs, and failures with reasons.

        Raises
        ------
        PredAwareError
            A policy is invalid, no log can be read, the store cannot be written, or the workers
            cannot be reached.
        """
        from pred_aware.campaign.cluster.engine import run_on
        from pred_aware.campaign.making.dispatch import Progress

        self._replays.make(replays)
        # files may have been edited since the previous call
        self._inventory = Inventory(self._inventory.specification)
        done = Progress()
        if self.policies:
            done = run_on(on, self._inventory, number=workers, on_progress=progress, **jobs)
        done.failed += self._replays.failures.items() - set(done.failed)
        return done

    def forget_failures(self) -> None:
        """Let the next `run` repeat failed runs."""
        self._inventory = Inventory(self._inventory.specification)
        if self.policies:
            self._inventory.forget_failures()

    def retry(
        self, *, workers: int | None = None, progress: "Callable[[Progress], None] | None" = None
    ) -> "Progress":
        """Repeat failed runs and continue; see `run`."""
        self.forget_failures()
        return self.run(workers=workers, progress=progress)

    def __repr__(self) -> str:
        """Return the name, and the numbers of policies and logs."""
        name = self._inventory.specification.name
        return f"<Campaign {name}: {len(self.policies)} policies on {len(self.logs)} logs>"


def read_campaign(path: str | Path) -> Campaign:
    """Read a campaign's file; docs/how-to/campaigns.md has its keys.

    Parameters
    ----------
    path
        A TOML file; paths in it are relative to its folder.

    Raises
    ------
    PredAwareError
        The file cannot be read or is not TOML, a key or name is unknown, or a value is invalid.
    """
    return Campaign(Inventory(read_specification(path)))
