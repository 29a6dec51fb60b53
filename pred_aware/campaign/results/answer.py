"""The answer of a campaign: the best policy, and by how much."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.results.differences import compared
from pred_aware.effects.effect import Effect, better_sign
from pred_aware.effects.page import large_figure
from pred_aware.metrics import MEASURES
from pred_aware.report.interval_format import percent_change
from pred_aware.report.page import Answer, Large
from pred_aware.report.page.content import BETTER, WORSE
from pred_aware.report.plural import counted
from pred_aware.report.remark import Remark

MOST_FIGURES = 3


@dataclass(frozen=True, slots=True)
class JudgedPolicy:
    """A policy in a measure, over the logs."""

    policy: str
    measure: str
    """Their names."""
    rows: tuple[Effect, ...]
    """On each log on which it can be compared."""

    @property
    def better(self) -> int:
        """On how many logs it is surely better, with all differences looked at together."""
        return sum(row.gain > 0 for row in self.rows)

    @property
    def worse(self) -> int:
        """On how many logs it is surely worse."""
        return sum(row.gain < 0 for row in self.rows)

    @property
    def change(self) -> float:
        """The geometric mean of the ratios to the baseline's means, less 1."""
        ratios = [max(1.0 + (row.change.value or 0.0), 1e-9) for row in self.rows]
        return math.exp(sum(map(math.log, ratios)) / len(ratios)) - 1.0


def answer(agenda: Agenda, said: Iterable[Remark]) -> Answer:
    """Say which policy is to be preferred to the baseline, if any.

    The one is named that is surely better on most logs in the campaign's first measure; of several
    the one with the best geometric mean of its ratios to the baseline.

    Parameters
    ----------
    agenda
        What was found.
    said
        How far to trust it.
    """
    campaign = agenda.campaign
    judged = list(_judged(compared(agenda)))
    mine = [one for one in judged if one.measure in campaign.of_a_run[:1]]
    if not mine:
        sentence = "There is nothing to compare yet: the runs of this campaign are not made."
        return Answer(sentence, trust=tuple(said))
    best = min(mine, key=lambda one: (-one.better, better_sign(one.measure) * one.change))
    mine = [one for one in judged if one.policy == best.policy]
    figures = [_large(one, campaign.baseline) for one in mine[:MOST_FIGURES]]
    return Answer(_sentence(best, campaign.baseline), figures=tuple(figures), trust=tuple(said))


def _judged(rows: Iterable[Effect]) -> Iterator[JudgedPolicy]:
    together: dict[tuple[str, str], list[Effect]] = defaultdict(list)
    for row in rows:
        if row.change.value is not None:
            together[row.policy, row.measure].append(row)
    for (policy, measure), several in together.items():
        yield JudgedPolicy(policy, measure, tuple(several))


def _sentence(best: JudgedPolicy, baseline: str) -> str:
    label, logs = MEASURES[best.measure].label, len(best.rows)
    if not any(row.change.low is not None for row in best.rows):
        return "Nothing is sure yet: without shakes nobody knows what of a difference is chance."
    if not best.better:
        return f"No policy is surely better than {baseline} in {label}; what differs may be chance."
    where = "its log" if logs == 1 else f"all {logs} logs"
    if best.better < logs:
        where = f"{best.better} of {logs} logs"
    size = _size(best)
    worse = f", and worse on {counted(best.worse, 'log')}" if best.worse else ""
    return f"{best.policy} is surely better than {baseline} in {label} on {where}{worse}: {size}."


def _size(best: JudgedPolicy) -> str:
    changes = sorted(row.change.value or 0.0 for row in best.rows)
    if len(changes) == 1:
        return percent_change(changes[0])
    ends = f"{percent_change(changes[0]).removesuffix(' %')} to {percent_change(changes[-1])}"
    return f"{percent_change(best.change)} on the geometric mean, {ends}"


def _large(one: JudgedPolicy, baseline: str) -> Large:
    label, logs = f"{MEASURES[one.measure].label}, {one.policy}", len(one.rows)
    if logs == 1:
        return large_figure(label, one.rows[0], baseline=baseline)
    verdict = BETTER if one.better == logs else WORSE if one.worse == logs else ""
    told = f"geometric mean; surely better on {one.better} of {logs} logs, worse on {one.worse}"
    return Large(label, percent_change(one.change), told, verdict)
