"""Fields of jobs that somebody plans with, and that a log may not have."""

from collections.abc import Iterable

from pred_aware.errors import PredAwareError
from workload_tools.batsim.fields import BATSIM_NAMES
from workload_tools.batsim.workload import RawWorkload

_WHAT = {"soft_walltime": "soft walltime"}


def require_field(name: str, field: str, values: Iterable[object]) -> None:
    """Refuse jobs of which none has a field.

    Parameters
    ----------
    name
        Of the log or workload.
    field
        The field.
    values
        What each job has there; looked at until one is a number above 0.

    Raises
    ------
    PredAwareError
        No job has it.

    Examples
    --------
    >>> require_field("kth.json", "soft_walltime", [None, 60.0])
    """
    if any(isinstance(value, int | float) and value > 0 for value in values):
        return
    what = _WHAT.get(field, field)
    raise PredAwareError(
        f"{name}: no job has a {what}, so there is nothing recorded to plan with; convert the log "
        f"through a map with '{field}' under [columns], or ask for 'walltime' or a predictor"
    )


def require_fields(workload: RawWorkload, fields: Iterable[str]) -> None:
    """Refuse a Batsim workload of which no job has a field that is needed.

    Raises
    ------
    PredAwareError
        No job has one of them.
    """
    for field in fields:
        called = BATSIM_NAMES.get(field, field)
        rows = workload.details.rows()
        require_field(workload.name, field, (row.get(called) for row in rows))
