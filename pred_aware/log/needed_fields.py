"""Fields of jobs that a scheduler may need for planning, but that a log may lack."""

from collections.abc import Iterable

from pred_aware.errors import PredAwareError
from workload_tools.batsim.fields import BATSIM_NAMES
from workload_tools.batsim.workload import RawWorkload

_WHAT = {"soft_walltime": "soft walltime"}


def require_field(name: str, field: str, values: Iterable[object]) -> None:
    """Raise an error if no job has a field.

    Parameters
    ----------
    name
        Name of the log or workload.
    field
        Name of the field.
    values
        Each job's value; at least one must be a number above 0.

    Raises
    ------
    PredAwareError
        No job has the field.

    Examples
    --------
    >>> require_field("kth.json", "soft_walltime", [None, 60.0])
    """
    if any(isinstance(value, int | float) and value > 0 for value in values):
        return
    what = _WHAT.get(field, field)
    raise PredAwareError(
        f"{name}: no job has a {what}, so the scheduler cannot plan with it; convert the log "
        f"with a column map that has '{field}' under [columns], or use 'walltime' or a predictor"
    )


def require_fields(workload: RawWorkload, fields: Iterable[str]) -> None:
    """Raise an error if no job of a Batsim workload has a required field.

    Raises
    ------
    PredAwareError
        No job has one of the fields.
    """
    for field in fields:
        called = BATSIM_NAMES.get(field, field)
        rows = workload.details.rows()
        require_field(workload.name, field, (row.get(called) for row in rows))
