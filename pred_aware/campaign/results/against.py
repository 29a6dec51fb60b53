"""Comparison of runs with the baseline's runs on the same jobs, with stored results."""

import io
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.campaign.agenda import Agenda, Values
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.kept_metrics import WAITS
from pred_aware.campaign.messages import Figures
from pred_aware.campaign.specification import RunKey
from pred_aware.effects.effect import Effect
from pred_aware.effects.kinds import against_another
from pred_aware.effects.tables import against_table
from pred_aware.errors import PredAwareError
from pred_aware.metrics import MEASURES
from pred_aware.metrics.of_jobs import delays_against_baseline
from pred_aware.metrics.sample import Sample
from pred_aware.report.table import Table
from pred_aware.runs.unpacked import read_unpacked

if TYPE_CHECKING:
    from numpy.typing import NDArray

OF_A_PAIR = tuple(name for name, one in MEASURES.items() if one.needs_baseline)
"""The measures that compare two runs."""


class Pairs:
    """The comparisons of a campaign's runs with the baseline's.

    They are computed from the waits of both runs, and stored with the policy's run. `pred-aware
    campaign run` computes them at its end; missing comparisons are computed on demand.

    Parameters
    ----------
    inventory
        The campaign.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        # caches the waits of two runs: the last run of the baseline, and the last of a policy
        self._waits = lru_cache(maxsize=2)(self._read_waits)

    def figures(self, place: RunKey) -> Figures | None:
        """Return the measures `OF_A_PAIR` of a run; ``None`` if one of the two runs is missing.

        Raises
        ------
        PredAwareError
            The stored measures cannot be read.
        """
        store = self._inventory.store
        baseline = self._inventory.finished(place.under(self._inventory.baseline))
        mine = self._inventory.finished(place)
        if baseline is None or mine is None:
            return None
        name = f"against_{baseline}.json"
        if not store.holds(mine, name) and not (
            store.holds(baseline, WAITS) and store.holds(mine, WAITS)
        ):
            return None
        return store.kept(
            mine,
            name,
            Figures,
            lambda: measured(self._waits(baseline), self._waits(mine)),
        )

    def make(self, agenda: Agenda) -> None:
        """Compute the missing comparisons of finished runs."""
        if self._inventory.specification.against_baseline:
            # sorted by copy, because all policies on a copy share a baseline run
            for place in sorted(agenda.figures, key=lambda run: run.in_order):
                if place.policy != agenda.baseline:
                    self.figures(place)

    def _read_waits(self, digest: str) -> "NDArray[np.float64]":
        file = self._inventory.store.place(digest) / WAITS
        try:
            content = io.BytesIO(read_unpacked(file))
            return np.asarray(np.load(content, allow_pickle=False), np.float64)
        except (EOFError, ValueError) as error:
            raise PredAwareError(f"{file}: cannot be read: {error}") from error


def measured(baseline: "NDArray[np.float64]", other: "NDArray[np.float64]") -> Figures:
    """Compare a run with another run of the same jobs.

    Parameters
    ----------
    baseline, other
        Wait of each job in seconds, shape (jobs,); NaN for warm-up jobs and jobs that did not run.

    Examples
    --------
    >>> found = measured(np.array([0.0, 60.0, 90.0, 5.0]), np.array([30.0, 0.0, 90.0, np.nan]))
    >>> round(found["later_than_baseline"], 3), found["mean_later_than_baseline"]
    (0.333, 30.0)
    """
    delay = other - baseline
    nothing = np.zeros(len(delay))
    samples = {
        name: Sample(values, nothing) for name, values in delays_against_baseline(delay).items()
    }
    found: Figures = {}
    for name in OF_A_PAIR:
        quantity, statistic = MEASURES[name].quantity, MEASURES[name].statistic
        assert quantity is not None
        assert statistic is not None
        found[name] = samples[quantity].statistic(statistic)
    return found


def against_baseline(inventory: Inventory, agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline on each log, in the campaign's measures."""
    campaign, pairs = agenda.campaign, Pairs(inventory)
    found = []
    for log, policy in agenda.pairs if campaign.against_baseline else ():
        alone = pairs.figures(RunKey(log, policy)) or {}
        shake = campaign.logs[log].shake
        shakes = [
            figures
            for seed in range(1, agenda.copies_needed(log, policy) + 1)
            if (figures := pairs.figures(RunKey(log, policy, shake(seed)))) is not None
        ]
        for measure in campaign.against_baseline:
            values: Values = [one.get(measure) for one in shakes]
            of = agenda.names(log, policy, measure)
            of["unperturbed"] = (None, alone.get(measure))
            found.append(against_another(values, **of))
    return found


def against_tables(inventory: Inventory, agenda: Agenda) -> Iterator[Table]:
    """Yield a table for each measure against the baseline, with all policies and logs."""
    effects = against_baseline(inventory, agenda)
    for measure in agenda.campaign.against_baseline:
        title = f"against {agenda.campaign.baseline}: {MEASURES[measure].label}"
        yield against_table(title, (one for one in effects if one.measure == measure))
