"""Differences of a campaign: policies against the baseline, with intervals."""

from collections.abc import Iterator
from itertools import groupby

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.kept_metrics import JOBS
from pred_aware.campaign.making.run_maker import Inputs
from pred_aware.campaign.results.frames import groups_frame
from pred_aware.campaign.specification import RunKey
from pred_aware.effects.effect import RESAMPLES, WEEKS, Effect, holm_corrected
from pred_aware.effects.groups import GAIN, Values, gains_table, on_groups
from pred_aware.effects.kinds import over_resamples, over_shakes, over_weeks
from pred_aware.effects.tables import policy_tables
from pred_aware.effects.words import HOW_TO_READ_SHAKES, alone_only, how_to_read_weeks
from pred_aware.metrics import MEASURES
from pred_aware.metrics.groups import names_in_order
from pred_aware.metrics.weekly import WeeklyMeasure, has_weeks, weekly
from pred_aware.report.interval_format import how_to_read_years
from pred_aware.report.plural import counted
from pred_aware.report.table import Table, percent
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run


def resampled(agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline, in all measures, on each log with resamples."""
    campaign = agenda.campaign
    return [
        over_resamples(
            *agenda.in_resamples(log, policy, measure), **agenda.names(log, policy, measure)
        )
        for measure in campaign.of_a_run
        for log, policy in agenda.pairs
        if campaign.logs[log].resamples
    ]


class WeeksOfRuns:
    """Weekly means of a campaign's runs, computed once and stored with the runs.

    Parameters
    ----------
    inventory
        The campaign.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._warm_ups: dict[int, frozenset[str]] = {}

    def weeks(self, log: int, policy: int, measure: str) -> WeeklyMeasure | None:
        """Return a measure by week on the unperturbed log; ``None`` if its jobs are not stored.

        Raises
        ------
        PredAwareError
            A file of the run cannot be read.
        """
        store = self._inventory.store
        digest = self._inventory.digest(RunKey(log, policy))
        if digest is None or not store.holds(digest, JOBS):
            return None
        tau = self._inventory.specification.tau
        return store.kept(
            digest,
            f"weeks_{measure}.json",
            WeeklyMeasure,
            lambda: weekly(self._run(digest, log), measure, tau=tau),
        )

    def _run(self, digest: str, log: int) -> Run:
        store = self._inventory.store
        run = read_run(store.place(digest) / JOBS)
        if len(run.ran) == store.read(digest)["figures"]["jobs"]:
            return run
        # the file of jobs includes warm-up jobs, which only the log identifies
        if log not in self._warm_ups:
            inputs = Inputs(self._inventory.specification.logs[log])
            self._warm_ups[log] = inputs.workload.warm_up
        return read_run(store.place(digest) / JOBS, warm_up=self._warm_ups[log])


def in_weeks(inventory: Inventory, agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline over the weeks of each log, in all measures.

    Return an empty list if the campaign's `weeks` are false.
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
    """Return the measures that tables show by weeks, if the campaign requests this."""
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


def compared(agenda: Agenda) -> list[Effect]:
    """Compare each policy with the baseline on each log, in all measures of the campaign."""
    campaign, effects = agenda.campaign, []
    for measure in campaign.of_a_run:
        for log, policy in agenda.pairs:
            of = agenda.names(log, policy, measure)
            of["precision"] = campaign.precision.get(measure)
            of["unperturbed"] = (
                agenda.figures.get(RunKey(log, agenda.baseline), {}).get(measure),
                agenda.figures.get(RunKey(log, policy), {}).get(measure),
            )
            effects.append(over_shakes(*agenda.both(log, policy, measure), **of))
    (found,) = holm_corrected([effects])
    return found


def result_tables(agenda: Agenda) -> Iterator[Table]:
    """Yield tables for each measure: all policies against the baseline, on all logs.

    Perturbed copies and resamples have separate tables, because they mean different things.
    """
    measures, baseline = agenda.campaign.of_a_run, agenda.campaign.baseline
    yield from policy_tables(
        compared(agenda), measures, title=f"against {baseline}", baseline=baseline
    )
    if effects := resampled(agenda):
        yield from policy_tables(
            effects,
            measures,
            title=f"against {baseline}, in resamples (another year)",
            baseline=baseline,
            kind=RESAMPLES,
            note=how_to_read_years([one.change for one in effects]),
        )


def result_sentences(agenda: Agenda) -> Iterator[str]:
    """Yield notes for tables: missing runs, how to read intervals, and precision not reached."""
    effects = compared(agenda)
    if agenda.to_do:
        yield (
            f"At least {counted(agenda.to_do, 'run')} missing: "
            "`pred-aware campaign run` makes all missing runs."
        )
    yield (
        "Means over the perturbed copies that policy and baseline both have (each user session "
        f"moved by some minutes), each change with the {HOW_TO_READ_SHAKES}"
    )
    unsure = [one for one in effects if one.reached is False and one.change.low is not None]
    for measure, precision in agenda.campaign.precision.items():
        not_reached = "; ".join(
            f"{one.policy} on {one.log} (only {percent(one.change.half_width)})"
            for one in unsure
            if one.measure == measure
        )
        if not_reached:
            label = MEASURES[measure].label
            share = percent(precision)
            yield f"The precision of {label} is not the requested {share}: {not_reached}."
    yield from alone_only(effects)


def gains(inventory: Inventory, by: str) -> list[Effect]:
    """Compare groups of jobs under each policy with the same groups under the baseline.

    Parameters
    ----------
    inventory
        The campaign.
    by
        As in `pred_aware.campaign.results.frames.groups_frame`.

    Returns
    -------
    list of Effect
        Ordered by log and policy as in the campaign's file. Sizes, lengths and weekdays are in
        their natural order; users and queues begin with the largest gain.

    Raises
    ------
    PredAwareError
        No finished run has results for these groups.
    """
    spec = inventory.specification
    frame = groups_frame(inventory, by)
    shaken = frame[frame["shake"].notna()].astype({"shake": "int64"})
    values: dict[tuple[str, str], dict[str, dict[int, float | None]]] = {}
    jobs: dict[str, dict[str, int]] = {}
    names = ("log", "policy", "shake", "group", "jobs", GAIN)
    for log, policy, shake, group, count, value in zip(
        *(shaken[name].tolist() for name in names), strict=True
    ):
        values.setdefault((log, policy), {}).setdefault(group, {})[shake] = value
        jobs.setdefault(log, {})[group] = count
    nothing: Values = {}
    keys = [
        (log.name, policy.name)
        for log in spec.logs
        for policy in spec.policies
        if policy.name != spec.baseline and (log.name, policy.name) in values
    ]
    found = holm_corrected(
        on_groups(
            values.get((log, spec.baseline), nothing), values[log, policy], jobs[log],
            log=log, policy=policy, measure=GAIN,
        )
        for log, policy in keys
    )  # fmt: skip
    edges = None if spec.classes is None else spec.classes.edges.get(by)
    ranks = {name: rank for rank, name in enumerate(names_in_order(by, edges))}
    return [
        effect
        for some in found
        for effect in sorted(some, key=lambda effect: ranks.get(effect.group, effect.total))
    ]


def gains_tables(inventory: Inventory, by: str) -> Iterator[Table]:
    """Yield a table of gains and losses for each log and policy.

    Raises
    ------
    PredAwareError
        No finished run has results for these groups.
    """
    baseline = inventory.specification.baseline
    for (log, policy), several in groupby(
        gains(inventory, by), lambda effect: (effect.log, effect.policy)
    ):
        title = title_of(log, policy, by=by, baseline=baseline)
        more = f"; `pred-aware campaign export --by {by}` has them"
        yield gains_table(title, [*several], by=by, baseline=baseline, policy=policy, more=more)


def title_of(log: str, policy: str, *, by: str, baseline: str) -> str:
    """Return the title of a table of gains and losses."""
    return f"{log}: {MEASURES[GAIN].label} by {by}, {policy} against {baseline}"
