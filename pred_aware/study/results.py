"""What the runs of a study show, by policy and measure."""

from dataclasses import asdict, replace
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.results.differences import compared
from pred_aware.campaign.specification import RunKey
from pred_aware.effects.effect import Effect
from pred_aware.effects.kinds import over_shakes
from pred_aware.study.campaign import MEASURES


def found(agenda: Agenda) -> dict[str, dict[str, Effect]]:
    """Return the effects by policy, with the baseline, and by measure.

    Means are over the shakes. Without shakes they are of the log as it is, without an interval.
    The p values are those of `campaign table`, which counts all comparisons of the campaign.
    """
    names = [policy.name for policy in agenda.campaign.policies]
    together = {(row.policy, row.measure): row.holm for row in compared(agenda)}
    return {
        name: {
            measure: replace(_effect(agenda, place, measure), holm=together.get((name, measure)))
            for measure in MEASURES
        }
        for place, name in enumerate(names)
        if {RunKey(0, place), RunKey(0, agenda.baseline)} <= agenda.figures.keys()
    }


def _effect(agenda: Agenda, policy: int, measure: str) -> Effect:
    once = (
        agenda.figures[RunKey(0, agenda.baseline)][measure],
        agenda.figures[RunKey(0, policy)][measure],
    )
    old, new = agenda.both(0, policy, measure)
    if not old:
        old, new = [once[0]], [once[1]]
    name = agenda.campaign.policies[policy].name
    return over_shakes(old, new, policy=name, measure=measure, as_it_is=once)


def in_json(one: Effect) -> dict[str, Any]:
    """Return an effect as a study's JSON has it."""
    baseline, policy = one.as_it_is
    significant = {"significant": one.change.significant, "holm": one.holm}
    return {
        "baseline": asdict(one.baseline),
        "value": asdict(one.value),
        "difference": {**asdict(one.change), **significant},
        "as_it_is": {"baseline": baseline, "value": policy},
    }
