"""Policies that do not differ significantly from the best, and the cost of other choices."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

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
"""Fewest policies for these tables; for two policies, their difference is enough."""
FEWEST_SHAKES = 5
FEWEST_LOGS = 2

SHAKES, WEEKS = "shakes", "weeks"


@dataclass(frozen=True, slots=True)
class BestPolicies:
    """The policies that do not differ significantly from the best on a log."""

    log: str
    measure: str
    """Names of the log and the measure."""
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
    """Names of the log and the measure."""
    chosen: str
    """The policy that is best on the other logs."""
    chosen_change: float
    """The chosen policy's change from the baseline, as a share of the baseline's mean."""
    best: str
    """The policy that is best on this log."""
    best_change: float
    """The best policy's change from the baseline, as a share of the baseline's mean."""
    cost: float
    """Share by which the chosen policy is worse than the best one."""


def not_worse(inventory: Inventory, agenda: Agenda) -> list[BestPolicies]:
    """Return for each measure and log the policies that do not differ significantly from the best.

    They are compared over the perturbed copies that all policies have, and over weeks if the
    campaign's `weeks` are true.
    """
    campaign, runs = agenda.campaign, WeeksOfRuns(inventory)
    if len(campaign.policies) < MANY:
        return []
    names = [policy.name for policy in campaign.policies]
    by_weeks = weekly_measures(agenda)
    found = []
    for measure in campaign.of_a_run:
        for log, one in enumerate(campaign.logs):
            shakes = [agenda.values(log, policy, measure) for policy in range(len(names))]
            weeks: list[dict[int, float | None]] = [{}]
            if measure in by_weeks:
                measured = [runs.weeks(log, policy, measure) for policy in range(len(names))]
                weeks = [dict(enumerate(each.values)) if each else {} for each in measured]
            for kind, values, fewest in (
                (SHAKES, shakes, FEWEST_SHAKES),
                (WEEKS, weeks, FEWEST_WEEKS),
            ):
                # the keys are the copies or weeks that all policies have
                keys = [key for key in values[0]
                        if all(each.get(key) is not None for each in values)]  # fmt: skip
                if len(keys) >= fewest:
                    block = block_of(len(keys)) if kind == WEEKS else 1
                    held = _set_of(names, values, keys, measure, block=block)
                    found.append(BestPolicies(one.name, measure, kind, len(keys), held))
    return found


def choices(agenda: Agenda) -> list[Choice]:
    """Return for each measure and log the policy that is best on the other logs, and its cost.

    This policy has the best geometric mean of the ratios to the baseline's means on the other logs.
    A policy that lacks runs on any log cannot be chosen.
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


def _set_of(
    names: list[str],
    values: list[dict[int, float | None]],
    keys: list[int],
    measure: str,
    *,
    block: int,
) -> tuple[str, ...]:
    sign = better_sign(measure)
    losses = {
        name: [sign * value for key in keys if (value := mine[key]) is not None]
        for name, mine in zip(names, values, strict=True)
    }
    held = best_set(losses, block=block).names
    return tuple(sorted(held, key=lambda name: sum(losses[name])))


def best_tables(inventory: Inventory, agenda: Agenda) -> Iterator[Table]:
    """Yield tables of the policies close to the best, and of choices on other logs."""
    sets = not_worse(inventory, agenda)
    for kind, source, note in (
        (SHAKES, "perturbed copies", _NOTE_SHAKES),
        (WEEKS, "weeks", _NOTE_WEEKS),
    ):
        rows = tuple(
            (
                f"{one.log}: {MEASURES[one.measure].label}",
                Cell(str(one.number), one.number),
                ", ".join(one.policies),
            )
            for one in sets
            if one.kind == kind
        )
        if rows:
            columns = ("log: measure", source, "not significantly worse than the best")
            yield Table(
                f"Policies not significantly worse than the best, by {source}", columns, rows, note
            )
    choice_rows = tuple(
        (
            f"{one.log}: {MEASURES[one.measure].label}",
            one.chosen,
            Cell(percent_change(one.chosen_change, 1), one.chosen_change),
            one.best,
            Cell(percent_change(one.best_change, 1), one.best_change),
            percent(one.cost),
        )
        for one in choices(agenda)
    )
    if choice_rows:
        title = f"Policy chosen on the other logs, against {agenda.campaign.baseline}"
        yield Table(title, _CHOICE_COLUMNS, choice_rows, _NOTE_CHOICE)


_CHOICE_COLUMNS = (
    "log: measure", "best on the other logs", "its change", "best on this log", "its change",
    "cost of the choice",
)  # fmt: skip
_NOTE_SHAKES = (
    "Model confidence sets at 95 %, over the perturbed copies that all policies have; the "
    "smallest mean comes first. A policy that a row omits is significantly worse than one in the "
    "row."
)
_NOTE_WEEKS = (
    "Model confidence sets at 95 %, over the weeks of one run each. A policy is left out if it is "
    "worse by more than the variation between weeks. With few weeks, or weeks with extreme waits, "
    "too many policies are left out."
)
_NOTE_CHOICE = (
    "Best on the other logs: by the geometric mean of the ratios to the baseline. Cost of the "
    "choice: how much worse this policy is than the best on this log, which is partly luck."
)
