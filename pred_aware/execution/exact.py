"""The same scheduler with exactly known run times, as a reference for predictions."""

from collections.abc import Mapping
from typing import Any

from pred_aware.errors import USER_ERRORS
from pred_aware.execution.simulate import options_for
from pred_aware.simulator.simulation import Delays
from schedulers import make_policy

ACTUAL = "actual"
WALLTIME = "walltime"


def exact_options(
    policy: Any,  # noqa: ANN401 - a name, a class or a policy
    options: Mapping[str, Any],
    *,
    delays: Delays,
) -> dict[str, Any] | None:
    """Return options that give a scheduler exact run times; ``None`` if this is not possible.

    If estimates are given by role, roles with predictions get exact run times. Roles with
    walltimes keep them; but if all roles have walltimes, all get exact run times.

    Parameters
    ----------
    policy, options, delays
        As in `pred_aware.simulate`.

    Examples
    --------
    >>> exact_options("easy", {"order": "sjf"}, delays="none")
    {'order': 'sjf', 'predictor': 'actual'}
    >>> roles = {"queueing": "knn", "backfilling": "knn", "running": "walltime"}
    >>> exact_options("policy", {"estimates": roles}, delays="none")["estimates"]
    {'queueing': 'actual', 'backfilling': 'actual', 'running': 'walltime'}
    """
    exact = dict(options)
    estimates = exact.get("estimates")
    if isinstance(estimates, Mapping):
        sources = {role: one["name"] if isinstance(one, Mapping) else one
                for role, one in estimates.items()}  # fmt: skip
        plain = all(name == WALLTIME for name in sources.values())
        exact["estimates"] = {
            role: WALLTIME if name == WALLTIME and not plain else ACTUAL
            for role, name in sources.items()
        }
    else:
        exact["predictor"] = ACTUAL
    try:
        make_policy(policy, options_for(policy, exact, delays=delays))
    except USER_ERRORS:
        # the scheduler is a class or an object, or does not use predictions
        return None
    return exact
