"""What a workload calls its jobs' users, queues and the like, as numbers."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

NO_NAME = "(none)"
"""What the jobs without a user or queue are called together."""


class NamedJobs(NamedTuple):
    """A field of jobs, in some order of them."""

    codes: "NDArray[np.intp]"
    """Of each job the place of what it has among `names`, shape (jobs,)."""
    names: tuple[str, ...]
    """All that some job has; `NO_NAME` for those without."""
    known: "NDArray[np.bool_]"
    """Which jobs have something, shape (jobs,)."""

    @classmethod
    def of(cls, column: "pd.Series") -> "NamedJobs":
        """Make them of what stands in a column of jobs, such as their users."""
        import pandas as pd

        codes, names = pd.factorize(column.fillna(NO_NAME))
        return cls(codes, tuple(map(str, names)), column.notna().to_numpy())

    def at(self, places: "NDArray[np.intp]") -> "NamedJobs":
        """Return those at some places."""
        return NamedJobs(self.codes[places], self.names, self.known[places])
