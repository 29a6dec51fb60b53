"""Users, queues and other names of jobs, as integer codes."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

NO_NAME = "(none)"
"""The name that jobs without a user or queue get."""


class NamedJobs(NamedTuple):
    """The values of a field such as the user, as an integer code for each job."""

    codes: "NDArray[np.intp]"
    """Index of each job's value in `names`, shape (jobs,)."""
    names: tuple[str, ...]
    """All values that occur, including `NO_NAME` if a job has none."""
    known: "NDArray[np.bool_]"
    """True for jobs with a value, shape (jobs,)."""

    @classmethod
    def of(cls, column: "pd.Series") -> "NamedJobs":
        """Create the codes from a column of jobs, such as their users."""
        import pandas as pd

        codes, names = pd.factorize(column.fillna(NO_NAME))
        return cls(codes, tuple(map(str, names)), column.notna().to_numpy())

    def at(self, places: "NDArray[np.intp]") -> "NamedJobs":
        """Return the codes of the jobs with these indices."""
        return NamedJobs(self.codes[places], self.names, self.known[places])
