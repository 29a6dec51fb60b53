"""The answer of a study, in plain words."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.results.differences import compared
from pred_aware.campaign.run_key import RunKey
from pred_aware.effects.effect import Effect
from pred_aware.effects.kinds import over_shakes
from pred_aware.study.campaign import MEASURES
from pred_aware.study.consequences import costs, queue, trust, users_affected, what_next
from pred_aware.study.first_sentence import (
    Kind,
    first_sentence,
    kind_of,
    no_time,
    told_as,
    why_not,
)
from pred_aware.study.studied import Studied


def found(agenda: Agenda, log: int = 0) -> dict[str, dict[str, Effect]]:
    """Return by policy, the baseline too, and by measure what was found.

    Means are over the shakes; where there are none, of the log as it is, and without an interval.
    The p values are those that `campaign table` has: with all of the study's campaign in view.

    Parameters
    ----------
    agenda
        The runs.
    log
        The place of the log, which is another for each size of the machine.
    """
    spec = agenda.campaign
    names = [policy.name for policy in spec.policies]
    together = {(row.log, row.policy, row.measure): row.holm for row in compared(agenda)}
    on = spec.logs[log].name
    return {
        name: {
            measure: replace(
                _effect(agenda, (log, place), measure), holm=together.get((on, name, measure))
            )
            for measure in MEASURES
        }
        for place, name in enumerate(names)
        if {RunKey(log, place), RunKey(log, agenda.baseline)} <= agenda.figures.keys()
    }


def _effect(agenda: Agenda, of: tuple[int, int], measure: str) -> Effect:
    log, policy = of
    once = (
        agenda.figures[RunKey(log, agenda.baseline)][measure],
        agenda.figures[RunKey(log, policy)][measure],
    )
    old, new = agenda.both(log, policy, measure)
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer."""

    kind: Kind
    """What is told of the recommended policy; ``another queue`` and ``too small``: no change."""
    sentence: str
    """The answer in one sentence."""
    compared: tuple[str, ...]
    """What was compared, in sentences."""
    gains: tuple[str, ...]
    costs: tuple[str, ...]
    next: tuple[str, ...]
    """What to do next."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def verdict(study: Studied) -> Verdict:
    """Draw the conclusion."""
    unanswered = why_not(study)
    if unanswered is not None:
        return Verdict(
            unanswered.kind,
            unanswered.sentence,
            (study.log.contenders.compared,),
            (),
            (),
            (unanswered.next,),
        )
    if not study.recommended:
        return Verdict("no time", no_time(study), (), (), (), tuple(what_next(study, "no time")))
    kind = kind_of(study)
    told = kind != "nobody waits"
    return Verdict(
        told_as(study, kind),
        first_sentence(study, kind),
        (study.log.contenders.compared, *trust(study), *queue(study)),
        tuple(users_affected(study)) if told else (),
        tuple(costs(study)) if told else (),
        tuple(what_next(study, kind)),
    )


def known_without_shakes(study: Studied) -> str:
    """Say why no shake would change the answer; empty where one may.

    Parameters
    ----------
    study
        What is known of the log as it is.
    """
    if why_not(study) is not None:
        return "the log can't answer, however often it is simulated"
    if study.recommended and kind_of(study) == "nobody waits":
        return "hardly a job waits, so that no difference can be significant"
    return ""
