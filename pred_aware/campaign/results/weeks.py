"""Changes from week to week of the logs as they are, from the jobs that are kept of them."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.kept_metrics import JOBS
from pred_aware.campaign.making.run_maker import Inputs
from pred_aware.campaign.run_key import RunKey
from pred_aware.campaign.store import StoreError
from pred_aware.effects.effect import WEEKS, Effect
from pred_aware.effects.tables import policy_tables
from pred_aware.effects.weeks import over_weeks
from pred_aware.effects.words import how_to_read_weeks
from pred_aware.metrics.weekly import WeeklyMeasure, has_weeks, weekly
from pred_aware.report.table import Table
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run


class WeeksOfRuns:
    """The weeks of a campaign's runs, made once and kept beside them.

    Parameters
    ----------
    inventory
        The campaign.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._warm_ups: dict[int, frozenset[str]] = {}

    def weeks(self, log: int, policy: int, measure: str) -> WeeklyMeasure | None:
        """Return the weeks of the log as it is under a policy; ``None`` where that is not there.

        Raises
        ------
        PredAwareError
            What is kept of the run can't be read.
        """
        store = self._inventory.store
        digest = self._inventory.digest(RunKey(log, policy))
        if digest is None or not store.holds(digest, JOBS):
            return None
        name = f"weeks_{measure}.json"
        if store.holds(digest, name):
            return msgspec.convert(store.read(digest, name), WeeklyMeasure)
        found = weekly(self._run(digest, log), measure, tau=self._inventory.specification.tau)
        # who may only read the store makes them each time
        with suppress(StoreError):
            store.keep_beside(digest, name, msgspec.json.encode(found) + b"\n")
        return found

    def _run(self, digest: str, log: int) -> Run:
        store = self._inventory.store
        run = read_run(store.place(digest) / JOBS)
        if len(run.ran) == store.read(digest)["figures"]["jobs"]:
            return run
        # those of a warm-up are kept with the others, and only the log tells them
        if log not in self._warm_ups:
            inputs = Inputs(self._inventory.specification.logs[log])
            self._warm_ups[log] = inputs.workload.warm_up
        return read_run(store.place(digest) / JOBS, warm_up=self._warm_ups[log])


def in_weeks(inventory: Inventory, agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline over the weeks of each log, in all measures.

    Nothing where the campaign does not ask for it.
    """
    runs = WeeksOfRuns(inventory)
    found = []
    for measure in weekly_measures(agenda):
        for log, policy in agenda.pairs:
            baseline = runs.weeks(log, agenda.baseline, measure)
            other = runs.weeks(log, policy, measure)
            if baseline is not None and other is not None:
                found.append(over_weeks(baseline, other, **agenda.names(log, policy, measure)))
    return found


def weekly_measures(agenda: Agenda) -> list[str]:
    """Return the measures that tables show by weeks, if the campaign asks for that."""
    campaign = agenda.campaign
    return [name for name in campaign.of_a_run if has_weeks(name)] if campaign.weeks else []


def week_tables(inventory: Inventory, agenda: Agenda) -> Iterator[Table]:
    """Yield a table for each measure: all policies against the baseline, over weeks."""
    effects, baseline = in_weeks(inventory, agenda), agenda.campaign.baseline
    yield from policy_tables(
        effects,
        weekly_measures(agenda),
        title=f"against {baseline}, over weeks of one run each",
        baseline=baseline,
        kind=WEEKS,
        note=how_to_read_weeks(effects),
    )
