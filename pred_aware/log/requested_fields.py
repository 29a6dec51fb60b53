"""What jobs of a workload ask a site for in their fields, as arrays of shape (jobs,)."""

from typing import TYPE_CHECKING, NamedTuple

from schedulers.policy.on_site import TIME_LIMIT
from schedulers.site.gate import ELIGIBLE
from workload_tools.batsim.fields import forget_what_came
from workload_tools.batsim.workload import UNREADABLE, Details

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class RequestedFields(NamedTuple):
    """What jobs ask for; numbers are NaN where a job has none, ``None`` where nobody has one."""

    groups: "NDArray[np.int64]"
    """The same for jobs that have the same in the fields that were asked for."""
    values: tuple[tuple[object, ...], ...]
    """What stands in these, by those numbers."""
    limits: "NDArray[np.float64] | None"
    """After how many seconds jobs are killed, whatever their walltimes."""
    eligible: "NDArray[np.float64] | None"
    """From when on they can run by themselves, in seconds."""
    throttled: "NDArray[np.float64] | None"
    """How many tasks of their arrays may run at once."""

    def in_order(self, order: "NDArray[np.intp]") -> "RequestedFields":
        """Return the same of jobs in another order."""
        columns = self.limits, self.eligible, self.throttled
        ordered = (None if one is None else one[order] for one in columns)
        return RequestedFields(self.groups[order], self.values, *ordered)


def requested_fields(details: Details, fields: tuple[str, ...]) -> RequestedFields | None:
    """Return what jobs ask for; ``None`` where it can't be read, or compared, as lists can't.

    The `fields`, by Batsim's names, make the groups.
    """
    import numpy as np

    numbers: dict[tuple[object, ...], int] = {}
    told: dict[str, list[float]] = {TIME_LIMIT: [], ELIGIBLE: [], "array_limit": []}
    groups: list[int] = []
    try:
        for row in details.rows():
            get = forget_what_came(row).get
            groups.append(numbers.setdefault((*map(get, fields),), len(numbers)))
            for name, column in told.items():
                value = get(name)
                column.append(value if isinstance(value, int | float) else np.nan)
    except (*UNREADABLE, TypeError):
        return None
    columns = [np.array(column, np.float64) for column in told.values()]
    known = [None if np.isnan(column).all() else column for column in columns]
    return RequestedFields(np.array(groups, np.int64), tuple(numbers), *known)
