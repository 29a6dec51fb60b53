"""A campaign, as a script has it."""

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
    """Many runs, of several policies on several logs and their shakes, kept in a store of files.

    It is made by `pred_aware.read_campaign`, or of what a file would say. docs/how-to/campaigns.md
    has the file and the store. Policies are given by name, since other processes simulate them.

    Parameters
    ----------
    inventory
        Its runs.

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
        """Make one of what its file would say; files are looked for from the working folder on.

        Raises
        ------
        PredAwareError
            A key or a name is not known, or a value cannot be.
        """
        where = f"campaign '{name}'"
        return cls(Inventory(specification_of(content, name=name, where=where, folder=Path())))

    @property
    def inventory(self) -> Inventory:
        """Its runs by what they are known by; for the commands."""
        return self._inventory

    @property
    def logs(self) -> list[str]:
        """The names of its logs."""
        return [log.name for log in self._inventory.specification.logs]

    @property
    def predictors(self) -> list[str]:
        """The labels of the predictors that it replays."""
        return list(self._inventory.specification.predictors)

    def log(self, name: str) -> "LogOfCampaign":
        """Return one of its logs, with what is done to it."""
        return next(log for log in self._inventory.specification.logs if log.name == name)

    @property
    def store(self) -> Path:
        """The folder of its runs."""
        return self._inventory.store.folder

    def plan(self, *, pilot: bool = True, workers: int | None = None) -> "CampaignPlan":
        """Say how many runs there will be, and what they will take.

        Parameters
        ----------
        pilot
            Whether to simulate each log as it is, once for each table of policies, where that is
            not in the store yet.
        workers
            How many processes make runs at once; by default one per core.

        Raises
        ------
        PredAwareError
            A policy cannot be made, no log can be read, or the store cannot be written.
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
        **jobs: Any,  # noqa: ANN401 - as the options of the command
    ) -> "Progress":
        """Make the runs that are wanted and not there; stopped, it goes on from there.

        Predictors are replayed first, by this process.

        Parameters
        ----------
        workers
            How many processes make runs at once, by default one per core; elsewhere how many jobs.
        progress
            Called when something has changed.
        on
            Where runs are simulated: ``local``, ``dask:ADDRESS``, ``dask-slurm`` or ``dask-pbs``
            (docs/how-to/campaigns-on-a-cluster.md).
        replays
            Called with what is replayed next.
        jobs
            What each job there is asked for: ``walltime="2 h"``, ``memory="4 GB"``, ``cores``,
            ``partition``, ``account``, ``python``, ``options``, ``before``.

        Returns
        -------
        Progress
            What was made, and what could not be, with the reasons.

        Raises
        ------
        PredAwareError
            A policy cannot be made, no log can be read, the store cannot be written, or what makes
            the runs cannot be reached.
        """
        from pred_aware.campaign.cluster.engine import run_on
        from pred_aware.campaign.making.dispatch import Progress

        self._replays.make(replays)
        # what is edited or replaced between two calls is another run
        self._inventory = Inventory(self._inventory.specification)
        done = Progress()
        if self.policies:
            done = run_on(on, self._inventory, number=workers, on_progress=progress, **jobs)
        done.failed += self._replays.failures.items() - set(done.failed)
        return done

    def forget_failures(self) -> None:
        """Let what failed be tried again by the next `run`."""
        self._inventory = Inventory(self._inventory.specification)
        if self.policies:
            self._inventory.forget_failures()

    def retry(
        self, *, workers: int | None = None, progress: "Callable[[Progress], None] | None" = None
    ) -> "Progress":
        """Try again what failed, and go on; see `run`."""
        self.forget_failures()
        return self.run(workers=workers, progress=progress)

    def __repr__(self) -> str:
        """Name it, its logs and policies."""
        name = self._inventory.specification.name
        return f"<Campaign {name}: {len(self.policies)} policies on {len(self.logs)} logs>"


def read_campaign(path: str | Path) -> Campaign:
    """Read a campaign's file; docs/how-to/campaigns.md has its keys.

    Parameters
    ----------
    path
        A TOML file; the files that it names are looked for beside it.

    Raises
    ------
    PredAwareError
        The file cannot be read or is no TOML, a key or a name is not known, or a value cannot be.
    """
    return Campaign(Inventory(read_specification(path)))
