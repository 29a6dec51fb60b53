"""What jobs of a workload have in some fields, as arrays of shape (jobs,)."""

from typing import TYPE_CHECKING

from workload_tools.batsim.fields import forget_what_came
from workload_tools.batsim.workload import UNREADABLE, Details

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def groups_by(details: Details, fields: tuple[str, ...]) -> "NDArray[np.int64] | None":
    """Return a number for each job; see `pred_aware.log.workload.groups_of`."""
    import numpy as np

    numbers: dict[tuple[object, ...], int] = {}
    try:
        if not any(map(details.values, fields)):
            return np.zeros(len(details.rows()), np.int64)
        rows = map(forget_what_came, details.rows())
        return np.array(
            [numbers.setdefault((*map(row.get, fields),), len(numbers)) for row in rows], np.int64
        )
    except (*UNREADABLE, TypeError):
        return None


def numbers_in(details: Details, field: str) -> "NDArray[np.float64] | None":
    """Return the number that each job has in a field, NaN without one; ``None`` if none has any."""
    import numpy as np

    if not details.values(field):
        return None
    told = (forget_what_came(row).get(field) for row in details.rows())
    return np.array([one if isinstance(one, int | float) else np.nan for one in told], np.float64)
