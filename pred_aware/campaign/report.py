"""The report of a campaign: tables, sentences about them, and JSON."""

from dataclasses import asdict
from functools import cached_property
from typing import Any

from pred_aware.campaign.campaign import Campaign
from pred_aware.campaign.results.against import against_baseline
from pred_aware.campaign.results.bases import AcrossBaselines, across_baselines, baselines_table
from pred_aware.campaign.results.best import choices, not_worse
from pred_aware.campaign.results.bounds import policy_bounds
from pred_aware.campaign.results.differences import (
    compared,
    gains,
    gains_tables,
    in_weeks,
    resampled,
    result_sentences,
)
from pred_aware.effects.bounds import by_measure
from pred_aware.report.result import Result
from pred_aware.report.sentence import Block, remarks
from pred_aware.report.table import Table
from pred_aware.report.terminal import console, show


class ReplaysReport(Result):
    """The report of a campaign with only predictors."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def to_dict(self) -> dict[str, Any]:
        """Return a row for each log and predictor."""
        return {"replays": self._campaign.replays().to_dict("records")}

    def tables(self) -> list[Table]:
        """Return the table."""
        return self._campaign.tables()

    def show(self) -> None:
        """Print the table."""
        show(self.tables(), console())


class CampaignReport(Result):
    """The report of the changes under each policy of a campaign.

    Parameters
    ----------
    campaign
        The campaign.
    by
        Groups of jobs whose gains and losses are shown, instead of the measures.
    bounds
        True to add lower bounds; missing bounds are computed first.
    """

    def __init__(self, campaign: Campaign, *, by: str | None = None, bounds: bool = False) -> None:
        self._campaign = campaign
        self._inventory = campaign.inventory
        self._agenda = self._inventory.agenda()
        self._by = by
        self._bounds = policy_bounds(self._inventory) if bounds else None

    @cached_property
    def _by_baseline(self) -> list[AcrossBaselines]:
        return across_baselines(self._inventory, self._agenda)

    @cached_property
    def _tables(self) -> list[Table]:
        by = self._by
        of_policies = self._campaign.tables() if by is None else gains_tables(self._inventory, by)
        return [*of_policies, *baselines_table(self._by_baseline), *by_measure(self._bounds or [])]

    def _sentences(self) -> list[str]:
        inventory = self._inventory
        baselines = [one.sentence for one in self._by_baseline]
        said = [*inventory.left_out(), *inventory.sites(), *baselines]
        return [*said, *result_sentences(self._agenda)]

    def tables(self) -> list[Table]:
        """Return the tables of differences, or of gains and losses, and of bounds."""
        return self._tables

    def show(self) -> None:
        """Print the tables with remarks."""
        baselines = [f"{log}: {one}" for log, one in self._inventory.baselines().items()]
        blocks: list[Block] = [*self.tables(), remarks([*self._sentences(), *baselines])]
        show(blocks, console())

    def to_dict(self) -> dict[str, Any]:
        """Return all results for JSON."""
        inventory, agenda = self._inventory, self._agenda
        found: dict[str, Any] = {
            "baseline": inventory.specification.baseline,
            "baselines": inventory.baselines(),
            "said": self._sentences(),
            "compared": [row.to_dict() for row in compared(agenda)],
            "bases": [one.to_dict() for one in self._by_baseline],
            "against_baseline": [row.to_dict() for row in against_baseline(inventory, agenda)],
        }
        if inventory.specification.resampled:
            found["resampled"] = [row.to_dict() for row in resampled(agenda)]
        if inventory.specification.weeks:
            found["weeks"] = [row.to_dict() for row in in_weeks(inventory, agenda)]
        found["not_worse"] = [asdict(one) for one in not_worse(inventory, agenda)]
        found["choices"] = [asdict(one) for one in choices(agenda)]
        if self._bounds is not None:
            found["bounds"] = [one.to_dict() for one in self._bounds]
        if self._campaign.predictors:
            found["replays"] = self._campaign.replays().to_dict("records")
        if self._by is not None:
            found["gains"] = [one.to_dict() for one in gains(inventory, self._by)]
        return found
