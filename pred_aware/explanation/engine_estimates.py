"""What is known of a run before its scheduler is watched: what its predictors answered.

Predictors take most of a simulation, and the engine asks them in a fraction of the time that they
take one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.engine.loading import ENGINE
from pred_aware.runs.run_columns import outcome_of
from pred_aware.simulator.outputs import RunInMemory
from schedulers import Policy, make_policy
from schedulers.policy.combined import ROLES, CombinedPolicy
from schedulers.policy.estimates import EstimateSource, FromPredictor
from workload_tools.batsim.workload import WORKLOAD_PREFIX

if TYPE_CHECKING:
    from pred_aware.engine.outcome import Outcome
    from pred_aware.log.workload import Workload
    from pred_aware.runs.provenance import RunRecipe
    from pred_aware.runs.run import Run

Answers = Mapping[str, Mapping[str, float]]
"""Estimates in seconds, by role and the jobs' full names."""


@dataclass(frozen=True, slots=True)
class EngineEstimates:
    """What the engine tells of a run."""

    answers: Answers
    """Of the roles for which a predictor is asked; without those of which it tells nothing."""
    same: bool
    """Whether it is the run, to the last byte of its jobs file."""


NOTHING = EngineEstimates({}, same=False)


def engine_estimates(
    run: "Run", recipe: "RunRecipe", workload: "Workload", options: Mapping[str, Any]
) -> EngineEstimates:
    """Return what the engine tells of a run, simulated by it where it was not.

    Parameters
    ----------
    run, recipe, workload
        The run, and what it is made of.
    options
        Its scheduler's.

    Returns
    -------
    EngineEstimates
        `NOTHING` where the engine does not cover it, or is not worth its start.
    """
    if recipe.delays != "none" or not ENGINE.considers(len(workload)):
        return NOTHING
    policy = make_policy(recipe.policy, options)
    sources = policy.parts.estimates if isinstance(policy, CombinedPolicy) else {}
    outcome = outcome_of(run)
    if outcome is None:
        outcome = _simulated(recipe, workload, policy)
    return NOTHING if outcome is None else EngineEstimates(_answers(outcome, sources), same=True)


def _simulated(recipe: "RunRecipe", workload: "Workload", policy: Policy) -> "Outcome | None":
    """Return what becomes of the jobs in arrays, if that is the run."""
    from pred_aware.execution.in_arrays import UnfinishedError, simulated_in_arrays

    size = recipe.platform.processors
    try:
        made = simulated_in_arrays(workload, policy, processors=size, progress=None)
    except UnfinishedError:
        return None
    if made is None:
        return None
    outputs = RunInMemory()
    made.write(outputs)
    same = recipe.jobs_sha256 in ("", outputs.digest("jobs")())
    return made.outcome if same else None


def _answers(outcome: "Outcome", sources: Mapping[str, EstimateSource]) -> Answers:
    kept, schedule = outcome.kept, outcome.schedule
    # those that trust or a correction changed stand in another role as they were, or at the start
    values = {"queueing": kept.queueing}
    if outcome.trust is None:
        values["backfilling"] = kept.backfilling
    values["running"] = np.where(schedule.start >= 0.0, schedule.first_estimate, kept.running)
    ids = outcome.raw.ids
    names = [WORKLOAD_PREFIX + ids[place] for place in outcome.order.tolist()]
    found: dict[str, Mapping[str, float]] = {}
    for role, source in sources.items():
        same = next((one for one in ROLES if one in values and sources[one] is source), None)
        if isinstance(source, FromPredictor) and same is not None:
            found[role] = dict(zip(names, values[same].tolist(), strict=True))
    return found
