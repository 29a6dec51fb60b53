"""Differences of a campaign: policies against the baseline, with intervals."""

from collections.abc import Iterator
from dataclasses import replace

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.results.resamples import resampled_tables
from pred_aware.campaign.run_key import RunKey
from pred_aware.effects.effect import Effect, together
from pred_aware.effects.shakes import over_shakes
from pred_aware.effects.tables import policy_tables
from pred_aware.effects.words import HOW_TO_READ_SHAKES, alone_only
from pred_aware.metrics import MEASURES
from pred_aware.report.plural import counted
from pred_aware.report.table import Table, percent


def compared(agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline on each log, in all measures of the campaign."""
    campaign = agenda.campaign
    effects = [
        replace(
            over_shakes(*agenda.both(log, policy, measure), **agenda.names(log, policy, measure)),
            as_it_is=_as_it_is(agenda, log, policy, measure),
            precision=campaign.precision.get(measure),
        )
        for measure in campaign.of_a_run
        for log, policy in agenda.pairs
    ]
    (found,) = together([effects])
    return found


def _as_it_is(
    agenda: Agenda, log: int, policy: int, measure: str
) -> tuple[float | None, float | None]:
    baseline, mine = (
        agenda.figures.get(RunKey(log, one), {}).get(measure) for one in (agenda.baseline, policy)
    )
    return baseline, mine


def result_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield tables for each measure: all policies against the baseline, on all logs.

    Shakes have one, and resamples another: what they tell is not the same.
    """
    measures, baseline = agenda.campaign.of_a_run, agenda.campaign.baseline
    yield from policy_tables(
        compared(agenda), measures, title=f"against {baseline}", baseline=baseline
    )
    yield from resampled_tables(agenda)


def result_sentences(agenda: Agenda) -> Iterator[str]:
    """Say what the tables rest on, what was not reached, and what may be chance after all."""
    effects = compared(agenda)
    if agenda.to_do:
        yield (
            f"{counted(agenda.to_do, 'run')} and more are not made yet: "
            "`pred-aware campaign run` makes them."
        )
    yield (
        "Means over the same shakes of both (sessions of users moved by some minutes), each change "
        f"with the {HOW_TO_READ_SHAKES}"
    )
    unsure = [one for one in effects if one.reached is False and one.change.low is not None]
    for measure, precision in agenda.campaign.precision.items():
        told = "; ".join(
            f"{one.log}: {one.policy} to {percent(one.change.half_width)}"
            for one in unsure
            if one.measure == measure
        )
        if told:
            label = MEASURES[measure].label
            share = percent(precision)
            yield f"Not known to {share} of the baseline's {label}, as was asked: {told}."
    yield from alone_only(effects)
