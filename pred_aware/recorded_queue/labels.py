"""Whose jobs are whose: names as numbers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Labels(NamedTuple):
    """The users of jobs, or their queues, or the like."""

    codes: "NDArray[np.int32]"
    """An index into `names` for each job, shape (jobs,); -1 for none."""
    names: tuple[str, ...]
    """Each once."""

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> Self:
        """Make numbers of names, by first appearance.

        Examples
        --------
        >>> Labels.of(["ann", "bob", None, "ann"])
        Labels(codes=array([ 0,  1, -1,  0], dtype=int32), names=('ann', 'bob'))
        """
        seen: dict[str, int] = {}
        codes = [-1 if text is None else seen.setdefault(text, len(seen)) for text in texts]
        return cls(np.array(codes, np.int32), tuple(seen))

    def of_jobs(self, which: "NDArray[np.bool_]") -> Self:
        """Return those of some of the jobs."""
        return self._replace(codes=self.codes[which])

    @property
    def numbers(self) -> tuple["NDArray[np.int64]", tuple[str, ...]]:
        """An index into names of which the first, empty, is that of jobs without one."""
        return self.codes.astype(np.int64) + 1, ("", *self.names)
