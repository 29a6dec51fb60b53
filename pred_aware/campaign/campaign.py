"""A campaign, as a script has it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.reading import read_specification, specification_of
from pred_aware.campaign.replays import Replays

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.campaign.cluster.arrays import Submitted
    from pred_aware.campaign.making.dispatch import Progress
    from pred_aware.campaign.planning import Plan
    from pred_aware.campaign.specification import LogOfCampaign
    from pred_aware.prediction.replay_summary import ReplaySummary
    from pred_aware.report.table import Table


class Campaign:
    """Many runs, of several policies on several logs and their shakes, kept in a store of files.

    It is made by `pred_aware.read_campaign`, or of what a file would say. docs/campaigns.md has
    the file and the store. Policies are given by name, since other processes simulate them.

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

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._replays = Replays(inventory.specification)

    @classmethod
    def of(cls, content: Mapping[str, Any], *, name: str = "campaign") -> "Campaign":
        """Make one of what its file would say; files are looked for from the working folder on.

        Raises
        ------
        PredAwareError
            A key or a name is not known, or a value can't be.
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
    def policies(self) -> list[str]:
        """The names of its policies."""
        return [policy.name for policy in self._inventory.specification.policies]

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

    def plan(self, *, pilot: bool = True, workers: int | None = None) -> "Plan":
        """Say how many runs there will be, and what they will take.

        Parameters
        ----------
        pilot
            Whether to simulate each log as it is, once for each table of policies, where that is
            not in the store yet.
        workers
            How many processes make runs at once; by default one a core.

        Raises
        ------
        PredAwareError
            A policy can't be made, no log can be read, or the store can't be written.
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
            How many processes make runs at once, by default one a core; elsewhere how many jobs.
        progress
            Called when something has changed.
        on
            Where runs are made: ``local``, ``dask:ADDRESS``, ``dask-slurm``, ``dask-pbs``,
            ``slurm-array`` or ``pbs-array`` (docs/sites.md).
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
            A policy can't be made, no log can be read, the store can't be written, or what makes
            the runs can't be reached.
        """
        from pred_aware.campaign.cluster.where import run_on
        from pred_aware.campaign.making.dispatch import Progress

        self._replays.make(replays)
        # what is edited or replaced between two calls is another run
        self._inventory = Inventory(self._inventory.specification)
        done = Progress()
        if self.policies:
            done = run_on(on, self._inventory, number=workers, told=progress, **jobs)
        done.failed += self._replays.failures.items() - set(done.failed)
        return done

    def submit(
        self,
        *,
        on: str,
        workers: int | None = None,
        **jobs: Any,  # noqa: ANN401 - as the options of the command
    ) -> "Submitted":
        """Submit the runs that are wanted and not there as a job array, and wait for nothing.

        What the arrays of earlier calls have that still wait or run is not submitted again; what
        was not done when they ended is.

        Parameters
        ----------
        on
            ``slurm-array`` or ``pbs-array``.
        workers, jobs
            As for `run`.

        Raises
        ------
        PredAwareError
            A policy can't be made, no log can be read, the store can't be written, or the batch
            system refuses or does not answer.
        """
        from pred_aware.campaign.cluster.where import submit_on

        self._inventory = Inventory(self._inventory.specification)
        self._inventory.need_policies()
        return submit_on(on, self._inventory, number=workers, **jobs)

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

    @property
    def failures(self) -> dict[str, str]:
        """What could not be made, runs and logs by name, with the reason."""
        runs = self._inventory.failures(self._inventory.agenda()) if self.policies else ()
        return {**self._replays.failures, **dict(runs)}

    def status(self) -> "pd.DataFrame":
        """Return a row for each log and policy: how many runs are there, wanted, and failed."""
        import pandas as pd

        from pred_aware.campaign.results.status import statuses

        return pd.DataFrame([asdict(one) for one in statuses(self._inventory.agenda())])

    def compared(self) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: the difference from the baseline.

        Differences, `low` and `high` are shares of the baseline's mean over the shakes, `p_value`
        is of each alone and `holm` of all together; `reached` says whether the difference is known
        to the precision asked for.
        """
        import pandas as pd

        from pred_aware.campaign.results.differences import compared

        return pd.DataFrame([row.to_dict() for row in compared(self._inventory.agenda())])

    def against_base(self) -> "pd.DataFrame":
        """Return a row for each log, policy and measure that is one against the baseline.

        These are of a run beside the baseline's, such as `later_than_base`, if the campaign asks
        for them: their mean over the shakes (`value`) with its interval (`low`, `high`), and that
        of the log as it is.
        """
        import pandas as pd

        from pred_aware.campaign.results.against import against_baseline

        found = against_baseline(self._inventory, self._inventory.agenda())
        return pd.DataFrame([row.to_dict() for row in found])

    def resampled(self) -> "pd.DataFrame":
        """Return a row for each measure, log that is resampled, and policy: other years.

        `base` and `value` are medians over the resamples. `median_change`, `low` and `high` are
        shares of the baseline's figure in the same resample: between these ends lies the change in
        another year, by the share `level`. `less` and `more` count the resamples in which the
        figure is smaller and larger.
        """
        import pandas as pd

        from pred_aware.campaign.results.resamples import resampled

        return pd.DataFrame([row.to_dict() for row in resampled(self._inventory.agenda())])

    def over_weeks(self) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: changes over weeks of one run each.

        Where the campaign's `weeks` are true. `base` and `value` are means over the log's weeks
        but the first and the last two, `change` with its interval (`low`, `high`) is over these
        `weeks`, drawn in blocks of `block`.

        Raises
        ------
        PredAwareError
            What is kept of a run can't be read.
        """
        import pandas as pd

        from pred_aware.campaign.results.weeks import over_weeks

        found = over_weeks(self._inventory, self._inventory.agenda())
        return pd.DataFrame([row.to_dict() for row in found])

    def not_worse(self) -> "pd.DataFrame":
        """Return a row for each measure, log and kind: the policies not told from the best.

        Model confidence sets (Hansen, Lunde and Nason 2011), where there are three policies or
        more: by ``shakes``, and by ``weeks`` where the campaign's `weeks` are true (`kind`, and how
        many of them there are, `number`).
        """
        import pandas as pd

        from pred_aware.campaign.results.best import not_worse

        found = not_worse(self._inventory, self._inventory.agenda())
        return pd.DataFrame([asdict(row) for row in found])

    def choices(self) -> "pd.DataFrame":
        """Return a row for each measure and log: a policy chosen on the others, and its cost.

        Beside it stands the best of the log in hindsight; changes are against the baseline, `cost`
        is by what share the chosen one's figure is worse than the best one's.
        """
        import pandas as pd

        from pred_aware.campaign.results.best import choices

        return pd.DataFrame([one.to_dict() for one in choices(self._inventory.agenda())])

    def at_best(self, *, workers: int | None = None) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: both yardsticks, on the logs as they are.

        `bound` is what no schedule of the log's jobs goes below (`pred_aware.lower_bound`), `exact`
        what the same policy gives with run times known exactly, `value` what it gives. What is
        missing of the two is made, and kept in the store.

        Parameters
        ----------
        workers
            How many processes make runs at once; by default one a core.

        Raises
        ------
        PredAwareError
            No log can be read, or the store can't be written.
        """
        import pandas as pd

        from pred_aware.campaign.results.bounds import at_best

        return pd.DataFrame([one.to_dict() for one in at_best(self._inventory, workers=workers)])

    def tables(self) -> "list[Table]":
        """Return what `pred-aware campaign table` shows."""
        from pred_aware.campaign.results.against import against_tables
        from pred_aware.campaign.results.best import best_tables
        from pred_aware.campaign.results.differences import result_tables
        from pred_aware.campaign.results.weeks import week_tables

        replays = self._replays.tables()
        if not self.policies:
            return replays
        agenda = self._inventory.agenda()
        return [
            *result_tables(agenda),
            *against_tables(self._inventory, agenda),
            *week_tables(self._inventory, agenda),
            *best_tables(self._inventory, agenda),
            *replays,
        ]

    @property
    def summaries(self) -> "dict[tuple[str, str], ReplaySummary]":
        """What is kept of each replay that is there, by log and predictor."""
        return {(log, name): one for log, name, one in self._replays.found()}

    def replays(self, *, cost: bool = False) -> "pd.DataFrame":
        """Return a row for each log and predictor of which a replay is there, a column a figure.

        Those of `pred-aware predict` (docs/metrics.md), of users, and of short, medium and long
        jobs; times in seconds.

        Parameters
        ----------
        cost
            Whether to tell the microseconds of a call, too: these are measured, and differ each
            time.
        """
        import pandas as pd

        rows = [
            {"log": log, "predictor": name, **one.figures, **(one.cost if cost else {})}
            for log, name, one in self._replays.found()
        ]
        return pd.DataFrame(rows)

    @property
    def bases(self) -> dict[str, str]:
        """Say of each log whether the simulated baseline is the queue that the log recorded."""
        return self._inventory.bases()

    def runs(self, *, cost: bool = False) -> "pd.DataFrame":
        """Return a row for each run that is there, with all measures (docs/metrics.md).

        Parameters
        ----------
        cost
            Whether to tell what making it took, too: that is measured, and differs each time.
        """
        from pred_aware.campaign.results.frames import runs_frame

        return runs_frame(self._inventory, cost=cost)

    def jobs(self) -> "pd.DataFrame":
        """Return the jobs of all runs of which they are kept; Batsim's columns, in seconds."""
        import pandas as pd

        from pred_aware.campaign.results.frames import jobs_frames

        return pd.concat(jobs_frames(self._inventory), ignore_index=True)

    def groups(self, by: str) -> "pd.DataFrame":
        """Return a row for each group of jobs of each run.

        Parameters
        ----------
        by
            ``user``, ``size``, ``length``, ``queue`` or ``weekday``.

        Raises
        ------
        PredAwareError
            There are no such groups.
        """
        from pred_aware.campaign.results.frames import groups_frame

        return groups_frame(self._inventory, by)

    def gains(self, by: str) -> "pd.DataFrame":
        """Return who gains and who loses: a row for each log, policy and group of jobs.

        The mean waiting times over the shakes under the baseline (`base`) and the policy (`value`),
        in seconds, and the difference with its interval; sizes, lengths and weekdays in their own
        order, of users and queues those first that gain most.

        Parameters
        ----------
        by
            As for `groups`.

        Raises
        ------
        PredAwareError
            There are no such groups.
        """
        import pandas as pd

        from pred_aware.campaign.results.groups import gains

        return pd.DataFrame([one.to_dict() for one in gains(self._inventory, by)])

    def __repr__(self) -> str:
        """Name it, its logs and policies."""
        name = self._inventory.specification.name
        return f"<Campaign {name}: {len(self.policies)} policies on {len(self.logs)} logs>"


def read_campaign(path: str | Path) -> Campaign:
    """Read a campaign's file; docs/campaigns.md has its keys.

    Parameters
    ----------
    path
        A TOML file; the files that it names are looked for beside it.

    Raises
    ------
    PredAwareError
        The file can't be read or is no TOML, a key or a name is not known, or a value can't be.
    """
    return Campaign(Inventory(read_specification(path)))
