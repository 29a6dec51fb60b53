"""The same scheduler with run times known exactly: a yardstick of what prediction could give."""

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
    """Return the options with which a scheduler knows run times; ``None`` where it cannot.

    Estimates that are told role by role become exact where they are predictions; those that are
    walltimes on purpose stay, unless all of them are.

    Parameters
    ----------
    policy, options, delays
        As `pred_aware.simulate` takes them.

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
        told = {role: one["name"] if isinstance(one, Mapping) else one
                for role, one in estimates.items()}  # fmt: skip
        plain = all(name == WALLTIME for name in told.values())
        exact["estimates"] = {
            role: WALLTIME if name == WALLTIME and not plain else ACTUAL
            for role, name in told.items()
        }
    else:
        exact["predictor"] = ACTUAL
    try:
        make_policy(policy, options_for(policy, exact, delays=delays))
    except USER_ERRORS:
        # a scheduler that is a class or an object, or one that no prediction goes with
        return None
    return exact
