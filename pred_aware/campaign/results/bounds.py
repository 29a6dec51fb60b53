"""Two reference values for a campaign's policies: lower bounds, and exactly known run times."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import msgspec

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import make_runs
from pred_aware.campaign.making.run_maker import Inputs
from pred_aware.campaign.specification import RunKey, Specification
from pred_aware.campaign.store import StoreError
from pred_aware.effects.bounds import BoundedMeasure
from pred_aware.errors import PredAwareError
from pred_aware.execution.exact import exact_options
from pred_aware.execution.simulate import simulate
from pred_aware.metrics.figures import TAU
from pred_aware.metrics.lower_bound import MEASURES as BOUNDED
from pred_aware.metrics.lower_bound import LowerBound, lower_bound

KEPT = "bounds_1.json"
"""File beside the baseline's run; its number is increased when the bounds are computed differently.
"""


def policy_bounds(inventory: Inventory, *, workers: int | None = None) -> list[BoundedMeasure]:
    """Return each policy's measures beside lower bounds and those with exactly known run times.

    All are measured on the unperturbed logs.

    Missing values are computed first: a run of each policy that can use known run times, and the
    bounds. Both are kept in the store.

    Raises
    ------
    PredAwareError
        No log can be read, or the store cannot be written.
    """
    agenda, knowing = inventory.agenda(BOUNDED), exact_campaign(inventory.specification)
    measures = bounded_measures(inventory.specification)
    exact: Mapping[tuple[int, str], Mapping[str, float | None]] = {}
    if knowing is not None:
        other = Inventory(knowing)
        make_runs(other, workers=workers)
        exact = {
            (place.log, knowing.policies[place.policy].name): figures
            for place, figures in other.agenda(BOUNDED).figures.items()
        }
    found = []
    for log, one in enumerate(inventory.specification.logs):
        bounds = _bounds(inventory, agenda, log)
        for measure in measures:
            for policy, other_one in enumerate(inventory.specification.policies):
                figures = agenda.figures.get(RunKey(log, policy), {})
                known = exact.get((log, other_one.name), {})
                found.append(
                    BoundedMeasure(
                        one.name, other_one.name, measure, figures.get(measure),
                        known.get(measure), bounds.get(measure),
                    )
                )  # fmt: skip
    return found


def bounded_measures(campaign: Specification) -> tuple[str, ...]:
    """Return the campaign's measures that have a bound; the mean wait if none has."""
    shown = tuple(name for name in BOUNDED if name in campaign.measures) or BOUNDED[:1]
    # bounds of slowdowns exist only for the default tau
    return shown if campaign.tau == TAU else tuple(one for one in shown if "slowdown" not in one)


def exact_campaign(campaign: Specification) -> Specification | None:
    """Return the campaign of the same policies with known run times, on the unperturbed logs."""
    policies = []
    for policy in campaign.policies:
        options = exact_options(policy.scheduler, policy.options, delays=campaign.delays)
        if options is not None:
            policies.append(replace(policy, options=options))
    if not policies:
        return None
    return replace(
        campaign.unperturbed,
        policies=tuple(policies),
        baseline=policies[0].name,
        keep_jobs=False,
        measures=campaign.of_a_run,
    )


def _bounds(inventory: Inventory, agenda: Agenda, log: int) -> Mapping[str, LowerBound]:
    """Return the lower bounds for the baseline's jobs. Compute them if they are not stored."""
    digest = inventory.digest(RunKey(log, agenda.baseline))
    if digest is None or RunKey(log, agenda.baseline) not in agenda.figures:
        return {}
    store = inventory.store
    wanted = bounded_measures(inventory.specification)
    kept: dict[str, LowerBound] = {}
    if store.holds(digest, KEPT):
        kept = msgspec.convert(store.read(digest, KEPT), dict[str, LowerBound])
    missing = [measure for measure in wanted if measure not in kept]
    if missing:
        inputs = Inputs(inventory.specification.logs[log])
        baseline = inventory.specification.policies[agenda.baseline]
        run = simulate(
            inputs.workload, baseline.scheduler, platform=inputs.platform,
            options={**baseline.options, **inputs.of_site},
            delays=inventory.specification.delays,
        )  # fmt: skip
        with suppress(PredAwareError):
            # an error means that no job ran
            kept |= {measure: lower_bound(run, measure) for measure in missing}
        # without write access to the store, the bounds are computed each time
        with suppress(StoreError):
            store.add_file(digest, KEPT, msgspec.json.encode(kept) + b"\n")
    return {measure: kept[measure] for measure in wanted if measure in kept}
