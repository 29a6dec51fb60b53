"""Policies that do not differ significantly from the best, and the cost of other choices."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.differences import WeeksOfRuns, weekly_measures
from pred_aware.effects.effect import better_sign
from pred_aware.metrics import MEASURES
from pred_aware.report.interval_format import percent_change
from pred_aware.report.table import Cell, Table, percent
from pred_aware.statistics import best_set
from pred_aware.statistics.weeks import FEWEST as FEWEST_WEEKS
from pred_aware.statistics.weeks import block_of

MANY = 3
"""With fewer policies, their difference is enough."""
FEWEST_SHAKES = 5
FEWEST_LOGS = 2

SHAKES, WEEKS = "shakes", "weeks"


@dataclass(frozen=True, slots=True)
class BestPolicies:
    """The policies that do not differ significantly from the best on a log."""

    log: str
    measure: str
    """Names of log and measure."""
    kind: str
    """The source of chance: ``shakes`` (perturbed copies) or ``weeks``."""
    number: int
    """Number of copies or weeks."""
    policies: tuple[str, ...]
    """Names of policies, the best first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The policy that is best on all other logs, compared with the best policy on this log."""

    log: str
    measure: str
    """Names of log and measure."""
    chosen: str
    """The policy that is best on the other logs."""
    chosen_change: float
    """Its change from the baseline, as a share of the baseline's mean."""
    best: str
    """The policy that is best on this log."""
    best_change: float
    """Its change from the baseline, in the same way."""
    cost: float
    """Share by which the chosen policy is worse than the best one."""

    def to_dict(self) -> dict[str, Any]:
        """Return a flat row, with one value per name."""
        return asdict(self)


def not_worse(inventory: Inventory, agenda: Agenda) -> list[BestPolicies]:
    """Return for each measure and log the policies that do not differ significantly from the best.

    Over the perturbed copies that all policies have, and over weeks if the campaign has them.
    """
    campaign, runs = agenda.campaign, WeeksOfRuns(inventory)
    if len(campaign.policies) < MANY:
        return []
    names = [policy.name for policy in campaign.policies]
    by_weeks = weekly_measures(agenda)
    found = []
    for measure in campaign.of_a_run:
        for log, one in enumerate(campaign.logs):
            losses = _in_shakes(agenda, log, measure)
            number = len(losses[0])
            if number >= FEWEST_SHAKES:
                held = _set_of(names, losses, measure, block=1)
                found.append(BestPolicies(one.name, measure, SHAKES, number, held))
            losses = _in_weeks(runs, len(names), log, measure) if measure in by_weeks else [[]]
            number = len(losses[0])
            if number >= FEWEST_WEEKS:
                held = _set_of(names, losses, measure, block=block_of(number))
                found.append(BestPolicies(one.name, measure, WEEKS, number, held))
    return found


def choices(agenda: Agenda) -> list[Choice]:
    """Return for each measure and log what it would cost to choose on all other logs.

    The chosen policy has the best geometric mean of the ratios to the baseline's means on the other
    logs. A policy that lacks runs on any log cannot be chosen.
    """
    campaign = agenda.campaign
    if len(campaign.logs) < FEWEST_LOGS or len(campaign.policies) < MANY:
        return []
    return [
        choice
        for measure in campaign.of_a_run
        if (ratios := _ratios(agenda, measure))
        for choice in _choices(agenda, measure, ratios)
    ]


def _choices(agenda: Agenda, measure: str, ratios: dict[int, list[float]]) -> Iterator[Choice]:
    campaign, sign = agenda.campaign, better_sign(measure)
    for log, one in enumerate(campaign.logs):
        elsewhere = {
            policy: sum(sign * math.log(each) for place, each in enumerate(mine) if place != log)
            for policy, mine in ratios.items()
        }
        chosen = min(elsewhere, key=elsewhere.__getitem__)
        best = min(ratios, key=lambda policy: sign * ratios[policy][log])
        mine, least = ratios[chosen][log], ratios[best][log]
        yield Choice(
            one.name, measure, campaign.policies[chosen].name, mine - 1.0,
            campaign.policies[best].name, least - 1.0, sign * (mine / least - 1.0),
        )  # fmt: skip


def _ratios(agenda: Agenda, measure: str) -> dict[int, list[float]]:
    """Return for each complete policy the ratios of its means to the baseline's, by log."""
    logs = range(len(agenda.campaign.logs))
    found = {}
    for policy in range(len(agenda.campaign.policies)):
        if policy == agenda.baseline:
            found[policy] = [1.0 for _ in logs]
            continue
        changes = [agenda.difference(log, policy, measure).value for log in logs]
        ratios = [1.0 + change for change in changes if change is not None and change > -1.0]
        if len(ratios) == len(logs):
            found[policy] = ratios
    return found if len(found) >= MANY else {}


def _in_shakes(agenda: Agenda, log: int, measure: str) -> list[list[float]]:
    """Return the measure under each policy in the perturbed copies that all policies have."""
    policies = range(len(agenda.campaign.policies))
    values = [dict(agenda.values(log, policy, measure)) for policy in policies]
    seeds = [seed for seed in values[0] if all(one.get(seed) is not None for one in values)]
    return [[value for seed in seeds if (value := one[seed]) is not None] for one in values]


def _in_weeks(runs: WeeksOfRuns, policies: int, log: int, measure: str) -> list[list[float]]:
    """Return the measure under each policy in the weeks that all policies have."""
    weeks = [runs.weeks(log, policy, measure) for policy in range(policies)]
    if any(one is None for one in weeks):
        return [[]]
    rows = zip(*(one.values for one in weeks if one is not None), strict=False)
    kept = [[value for value in row if value is not None] for row in rows if None not in row]
    return [[*column] for column in zip(*kept, strict=True)] or [[]]


def _set_of(
    names: list[str], losses: list[list[float]], measure: str, *, block: int
) -> tuple[str, ...]:
    sign = better_sign(measure)
    by_name = {
        name: [sign * value for value in mine] for name, mine in zip(names, losses, strict=True)
    }
    held = best_set(by_name, block=block).names
    return tuple(sorted(held, key=lambda name: sum(by_name[name])))


def best_tables(inventory: Inventory, agenda: Agenda) -> Iterator[Table]:
    """Yield tables of the policies close to the best, and of choices on other logs."""
    sets = not_worse(inventory, agenda)
    for kind, note in ((SHAKES, _NOTE_SHAKES), (WEEKS, _NOTE_WEEKS)):
        rows = tuple(_set_row(one) for one in sets if one.kind == kind)
        if rows:
            columns = ("log: measure", kind, "not significantly worse than the best")
            yield Table(
                f"Policies not significantly worse than the best, by {kind}", columns, rows, note
            )
    choice_rows = tuple(_choice_row(one) for one in choices(agenda))
    if choice_rows:
        title = f"Chosen on the other logs, against {agenda.campaign.baseline}"
        yield Table(title, _CHOICE_COLUMNS, choice_rows, _NOTE_CHOICE)


def _set_row(best: BestPolicies) -> tuple[str, ...]:
    what = f"{best.log}: {MEASURES[best.measure].label}"
    return what, Cell(str(best.number), best.number), ", ".join(best.policies)


def _choice_row(choice: Choice) -> tuple[str, ...]:
    return (
        f"{choice.log}: {MEASURES[choice.measure].label}",
        choice.chosen,
        Cell(percent_change(choice.chosen_change, 1), choice.chosen_change),
        choice.best,
        Cell(percent_change(choice.best_change, 1), choice.best_change),
        percent(choice.cost),
    )


_CHOICE_COLUMNS = (
    "log: measure", "chosen on the others", "change", "best in hindsight", "change",
    "the choice costs",
)  # fmt: skip
_NOTE_SHAKES = (
    "Model confidence sets at 95 %, over the perturbed copies that all policies have; the "
    "smallest mean comes first. A policy that is not in a row is significantly worse than one in "
    "it."
)
_NOTE_WEEKS = (
    "Model confidence sets at 95 %, over the weeks of one run each: policies that are worse by "
    "more than weeks vary are left out. With few or heavy-tailed weeks, too many are left out."
)
_NOTE_CHOICE = (
    "Chosen is the best policy on all other logs together (geometric mean of the ratios to the "
    "baseline). The best in hindsight was not known before: a part of its lead is luck."
)
