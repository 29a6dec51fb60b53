"""Results of a campaign, as DataFrames and tables."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.replays import Replays
from pred_aware.campaign.results import best, frames
from pred_aware.campaign.results.against import against_baseline, against_tables
from pred_aware.campaign.results.bases import across_baselines
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

    from pred_aware.prediction.replay_summary import ReplaySummary
    from pred_aware.report.table import Table


class CampaignResults:
    """Results of a campaign's finished runs.

    Parameters
    ----------
    inventory
        The campaign and its store.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._replays = Replays(inventory.specification)

    @property
    def policies(self) -> list[str]:
        """The names of the policies."""
        return [policy.name for policy in self._inventory.specification.policies]

    @property
    def failures(self) -> dict[str, str]:
        """Names of failed runs, replays and logs, with the reason."""
        runs = self._inventory.failures(self._inventory.agenda()) if self.policies else ()
        return {**self._replays.failures, **dict(runs)}

    def status(self) -> "pd.DataFrame":
        """Return a row for each log and policy: numbers of finished, needed and failed runs."""
        return _frame(map(asdict, statuses(self._inventory.agenda())))

    def compared(self) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: the difference from the baseline.

        Differences, `low` and `high` are fractions of the baseline's mean over the perturbed
        copies. `p_value` is for each comparison alone and `holm` corrected for all together.
        `reached` is true if the requested precision was reached.
        """
        return _frame_of_rows(compared(self._inventory.agenda()))

    def bases(self) -> "pd.DataFrame":
        """Return for each log with several baselines and each policy whether the signs agree.

        Logs with `base_of` are baselines of the same log. `verdict` says how well the baseline
        reproduces the recorded queue (``fitted`` or ``none``); `ratio` and `correlation` compare
         simulated with recorded waits in the second half of the log. `change`, `low` and
        `high` are fractions of the baseline's value in the campaign's first measure, `surely` is
        the sign of a significant change, and `signs_agree` is true if all baselines of the log have
        the same significant sign.
        """
        baselines = (
            one.to_dict() for one in across_baselines(self._inventory, self._inventory.agenda())
        )
        return _frame(
            {**{name: value for name, value in one.items() if name != "bases"}, **on}
            for one in baselines
            for on in one["bases"]
        )

    def against_baseline(self) -> "pd.DataFrame":
        """Return a row for each log, policy and measure against the baseline.

        The rows have those measures of the campaign that compare a run with the baseline's run,
        such as `later_than_baseline`: the mean over the perturbed copies (`value`) with its
        interval (`low`, `high`), and the value on the unperturbed log.
        """
        found = against_baseline(self._inventory, self._inventory.agenda())
        return _frame_of_rows(found)

    def resampled(self) -> "pd.DataFrame":
        """Return a row for each measure, log with resamples, and policy: changes in other years.

        `baseline` and `value` are medians over the resamples. `median_change`, `low` and `high` are
        fractions of the baseline's value in the same resample: with probability `level`, the
        change in another year lies between `low` and `high`. `less` and `more` count the resamples
        with a smaller and a larger value.
        """
        return _frame_of_rows(resampled(self._inventory.agenda()))

    def over_weeks(self) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: changes over the weeks of one run each.

        If the campaign's `weeks` are false, there are no rows. `baseline` and `value` are means
        over the log's weeks without the first and the last two. The interval (`low`, `high`) of
        `change` is from a bootstrap of these `weeks` in blocks of `block`.

        Raises
        ------
        PredAwareError
            A file of a run cannot be read.
        """
        found = in_weeks(self._inventory, self._inventory.agenda())
        return _frame_of_rows(found)

    def not_worse(self) -> "pd.DataFrame":
        """Return for each measure, log and kind the policies not significantly worse than the best.

        They are model confidence sets (Hansen, Lunde and Nason 2011) of at least three policies.
        `kind` is ``shakes`` (perturbed copies), or ``weeks`` if the campaign's `weeks` are true;
        `number` is the number of copies or weeks.
        """
        found = best.not_worse(self._inventory, self._inventory.agenda())
        return _frame(map(asdict, found))

    def choices(self) -> "pd.DataFrame":
        """Return a row for each measure and log: the best policy on the other logs, and its cost.

        The row also has the best policy on this log. Changes are against the baseline; `cost` is
        the fraction by which the first policy is worse than the second on this log.
        """
        return _frame(map(asdict, best.choices(self._inventory.agenda())))

    def bounds(self, *, workers: int | None = None) -> "pd.DataFrame":
        """Return a row for each measure, log and policy: two reference values on unperturbed logs.

        `bound` is a lower bound for all schedules of the log's jobs (`pred_aware.lower_bound`),
        `exact` the policy's value with exactly known run times, and `value` with its own estimates.
        Missing values are computed and stored.

        Parameters
        ----------
        workers
            Number of processes that make runs; by default one per core.

        Raises
        ------
        PredAwareError
            No log can be read, or the store cannot be written.
        """
        return _frame_of_rows(policy_bounds(self._inventory, workers=workers))

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
        """The summary of each finished replay, by log and predictor."""
        return {(log, name): one for log, name, one in self._replays.found()}

    def replays(self, *, cost: bool = False) -> "pd.DataFrame":
        """Return a row for each log and predictor with a finished replay, a column per measure.

        The measures are those of `pred-aware predict` (docs/reference/metrics.md), also by user and
        for short, medium and long jobs. Times are in seconds.

        Parameters
        ----------
        cost
            True to add the microseconds per call, which are measured and differ each time.
        """
        return _frame(
            {"log": log, "predictor": name, **one.figures, **(one.cost if cost else {})}
            for log, name, one in self._replays.found()
        )

    @property
    def baselines(self) -> dict[str, str]:
        """For each log, how well the simulated baseline reproduces the recorded queue."""
        return self._inventory.baselines()

    def runs(self, *, cost: bool = False) -> "pd.DataFrame":
        """Return a row for each finished run, with all measures (docs/reference/metrics.md).

        Parameters
        ----------
        cost
            True to add CPU time, memory and disk space of each run, which differ each time.
        """
        return frames.runs_frame(self._inventory, cost=cost)

    def jobs(self) -> "pd.DataFrame":
        """Return the jobs of all runs that stored them: Batsim's columns, in seconds."""
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
            No finished run has results for these groups.
        """
        return frames.groups_frame(self._inventory, by)

    def gains(self, by: str) -> "pd.DataFrame":
        """Return gains and losses: a row for each log, policy and group of jobs.

        A row has the mean waiting times over the perturbed copies under the baseline (`baseline`)
        and the policy (`value`), in seconds, and their difference with its interval. Sizes, lengths
        and weekdays are in their natural order; users and queues begin with the largest gain.

        Parameters
        ----------
        by
            As for `groups`.

        Raises
        ------
        PredAwareError
            No finished run has results for these groups.
        """
        return _frame_of_rows(gains(self._inventory, by))


def _frame_of_rows(rows: Iterable[Effect | BoundedMeasure]) -> "pd.DataFrame":
    return _frame(row.to_dict() for row in rows)


def _frame(rows: Iterable[dict[str, Any]]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame([*rows])
