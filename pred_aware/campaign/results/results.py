"""Results of a campaign, as frames and tables."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.replays import Replays
from pred_aware.campaign.results import best, frames
from pred_aware.campaign.results.against import against_baseline, against_tables
from pred_aware.campaign.results.bases import bases
from pred_aware.campaign.results.bounds import policy_bounds
from pred_aware.campaign.results.differences import (
    compared,
    gains,
    in_weeks,
    resampled,
    result_tables,
    week_tables,
)
from pred_aware.campaign.results.showing import statuses
from pred_aware.effects.bounds import BoundedMeasure
from pred_aware.effects.effect import Effect

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.prediction.replay import ReplaySummary
    from pred_aware.report.table import Table


class CampaignResults:
    """What the runs of a campaign that are there say.

    Parameters
    ----------
    inventory
        The runs.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._replays = Replays(inventory.specification)

    @property
    def policies(self) -> list[str]:
        """The names of its policies."""
        return [policy.name for policy in self._inventory.specification.policies]

    @property
    def failures(self) -> dict[str, str]:
        """What could not be made, runs and logs by name, with the reason."""
        runs = self._inventory.failures(self._inventory.agenda()) if self.policies else ()
        return {**self._replays.failures, **dict(runs)}

    def status(self) -> "pd.DataFrame":
        """Return a row for each log and policy: how many runs are done, wanted, and failed."""
        return _frame(map(asdict, statuses(self._inventory.agenda())))

    def compared(self) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: the difference from the baseline.

        Differences, `low` and `high` are shares of the baseline's mean over the shakes, `p_value`
        is of each alone and `holm` of all together; `reached` says whether the difference is known
        to the precision asked for.
        """
        return _told(compared(self._inventory.agenda()))

    def bases(self) -> "pd.DataFrame":
        """Return a row for each log with several bases, policy and base: whether signs agree.

        Logs that say `base_of` are bases of one log. `verdict` is what may be told of the site by
        the base (``fitted``, ``about``, ``none``), `ratio` and `correlation` are of simulated and
        recorded waits in the second half of the log. `change`, `low` and `high` are shares of the
        baseline's figure in the campaign's first measure, `surely` is its sign, and `signs_agree`
        says whether it is surely the same on all bases of the log.
        """
        told = (one.to_dict() for one in bases(self._inventory, self._inventory.agenda()))
        return _frame(
            {**{name: value for name, value in one.items() if name != "bases"}, **on}
            for one in told
            for on in one["bases"]
        )

    def against_baseline(self) -> "pd.DataFrame":
        """Return a row for each log, policy and measure that is one against the baseline.

        These are of a run beside the baseline's, such as `later_than_baseline`, if the campaign
        asks for them: their mean over the shakes (`value`) with its interval (`low`, `high`), and
        that of the log as it is.
        """
        found = against_baseline(self._inventory, self._inventory.agenda())
        return _told(found)

    def resampled(self) -> "pd.DataFrame":
        """Return a row for each measure, log that is resampled, and policy: other years.

        `baseline` and `value` are medians over the resamples. `median_change`, `low` and `high` are
        shares of the baseline's figure in the same resample: between these ends lies the change in
        another year, by the share `level`. `less` and `more` count the resamples in which the
        figure is smaller and larger.
        """
        return _told(resampled(self._inventory.agenda()))

    def over_weeks(self) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: changes over weeks of one run each.

        Where the campaign's `weeks` are true. `baseline` and `value` are means over the log's weeks
        but the first and the last two, `change` with its interval (`low`, `high`) is over these
        `weeks`, drawn in blocks of `block`.

        Raises
        ------
        PredAwareError
            What is kept of a run can't be read.
        """
        found = in_weeks(self._inventory, self._inventory.agenda())
        return _told(found)

    def not_worse(self) -> "pd.DataFrame":
        """Return a row for each measure, log and kind: the policies not told from the best.

        Model confidence sets (Hansen, Lunde and Nason 2011), where there are three policies or
        more: by ``shakes``, and by ``weeks`` where the campaign's `weeks` are true (`kind`, and how
        many of them there are, `number`).
        """
        found = best.not_worse(self._inventory, self._inventory.agenda())
        return _frame(map(asdict, found))

    def choices(self) -> "pd.DataFrame":
        """Return a row for each measure and log: a policy chosen on the others, and its cost.

        Beside it stands the best of the log in hindsight; changes are against the baseline, `cost`
        is by what share the chosen one's figure is worse than the best one's.
        """
        return _told(best.choices(self._inventory.agenda()))

    def bounds(self, *, workers: int | None = None) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: both yardsticks, on the logs as they are.

        `bound` is what no schedule of the log's jobs goes below (`pred_aware.lower_bound`), `exact`
        what the same policy gives with run times known exactly, `value` what it gives. What is
        missing of the two is made, and kept in the store.

        Parameters
        ----------
        workers
            How many processes make runs at once; by default one per core.

        Raises
        ------
        PredAwareError
            No log can be read, or the store can't be written.
        """
        return _told(policy_bounds(self._inventory, workers=workers))

    def tables(self) -> "list[Table]":
        """Return what `pred-aware campaign table` shows."""
        replays = self._replays.tables()
        if not self.policies:
            return replays
        agenda = self._inventory.agenda()
        return [
            *result_tables(agenda),
            *against_tables(self._inventory, agenda),
            *week_tables(self._inventory, agenda),
            *best.best_tables(self._inventory, agenda),
            *replays,
        ]

    @property
    def summaries(self) -> "dict[tuple[str, str], ReplaySummary]":
        """What is kept of each replay that is there, by log and predictor."""
        return {(log, name): one for log, name, one in self._replays.found()}

    def replays(self, *, cost: bool = False) -> "pd.DataFrame":
        """Return a row for each log and predictor of which a replay is there, a column a figure.

        Those of `pred-aware predict` (docs/reference/metrics.md), of users, and of short, medium
        and long jobs; times in seconds.

        Parameters
        ----------
        cost
            Whether to tell the microseconds of a call, too: these are measured, and differ each
            time.
        """
        return _frame(
            {"log": log, "predictor": name, **one.figures, **(one.cost if cost else {})}
            for log, name, one in self._replays.found()
        )

    @property
    def baselines(self) -> dict[str, str]:
        """Say of each log whether the simulated baseline is the queue that the log recorded."""
        return self._inventory.baselines()

    def runs(self, *, cost: bool = False) -> "pd.DataFrame":
        """Return a row for each run that is there, with all measures (docs/reference/metrics.md).

        Parameters
        ----------
        cost
            Whether to tell what making it took, too: that is measured, and differs each time.
        """
        return frames.runs_frame(self._inventory, cost=cost)

    def jobs(self) -> "pd.DataFrame":
        """Return the jobs of all runs of which they are kept; Batsim's columns, in seconds."""
        import pandas as pd

        return pd.concat(frames.jobs_frames(self._inventory), ignore_index=True)

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
        return frames.groups_frame(self._inventory, by)

    def gains(self, by: str) -> "pd.DataFrame":
        """Return who gains and who loses: a row for each log, policy and group of jobs.

        The mean waiting times over the shakes under the baseline (`baseline`) and the policy
        (`value`), in seconds, and the difference with its interval; sizes, lengths and weekdays in
        their own order, of users and queues those first that gain most.

        Parameters
        ----------
        by
            As for `groups`.

        Raises
        ------
        PredAwareError
            There are no such groups.
        """
        return _told(gains(self._inventory, by))


def _told(rows: Iterable[Effect | BoundedMeasure | best.Choice]) -> "pd.DataFrame":
    return _frame(row.to_dict() for row in rows)


def _frame(rows: Iterable[dict[str, Any]]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame([*rows])
