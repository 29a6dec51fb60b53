"""Effects over resamples of the logs: whether another year would agree."""

from collections.abc import Iterator

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.specification import Specification
from pred_aware.effects.effect import RESAMPLES, Effect
from pred_aware.effects.resamples import over_resamples
from pred_aware.effects.tables import policy_tables
from pred_aware.report.interval_format import how_to_read_years
from pred_aware.report.table import Table


def resampled(agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline on each log that is resampled, in all measures."""
    campaign = agenda.campaign
    return [
        over_resamples(
            *agenda.in_resamples(log, policy, measure), **agenda.names(log, policy, measure)
        )
        for measure in campaign.of_a_run
        for log, policy in agenda.pairs
        if campaign.logs[log].resamples
    ]


def resampled_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield a table for each measure: all policies against the baseline, in other years."""
    effects, baseline = resampled(agenda), agenda.campaign.baseline
    if effects:
        yield from policy_tables(
            effects,
            agenda.campaign.of_a_run,
            title=f"against {baseline}, in resamples (another year)",
            baseline=baseline,
            kind=RESAMPLES,
            note=how_to_read_years([one.change for one in effects]),
        )


def asked_for(campaign: Specification) -> bool:
    """Say whether any log is resampled."""
    return any(log.resamples for log in campaign.logs)
