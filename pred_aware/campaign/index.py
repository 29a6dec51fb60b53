"""The measures of all runs of a store in one file: a cache, rewritten when needed."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pred_aware.campaign.messages import Figures

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAME = "index.cache"

_DIGEST = 32
"""Bytes of a digest."""

_FEW = 100
"""Smallest number of new runs for which the file is rewritten."""


class _Head(msgspec.Struct):
    """The first line of the file: number of runs, and names of measures."""

    runs: int
    names: list[str]


class Index:
    """Measures by digest, of runs that never change.

    Parameters
    ----------
    file
        Path of the file, which may be missing.

    Attributes
    ----------
    names : list of str
        Names of the measures.
    """

    def __init__(self, file: Path) -> None:
        self.names: list[str] = []
        self._digests: list[str] = []
        self._values: NDArray[np.float64] = np.empty((0, 0))
        try:
            self._load(file.read_bytes())
        except (OSError, ValueError, msgspec.DecodeError):
            # missing or of another form: it is only a cache
            return

    def _load(self, content: bytes) -> None:
        line, _, rest = content.partition(b"\n")
        head = msgspec.json.decode(line, type=_Head)
        size = head.runs * _DIGEST
        values = np.frombuffer(rest[size:]).reshape(head.runs, len(head.names))
        digests = rest[:size].hex()
        self._digests = [digests[at : at + 2 * _DIGEST] for at in range(0, 2 * size, 2 * _DIGEST)]
        self.names, self._values = head.names, values

    def missing(self, digests: Iterable[str]) -> list[str]:
        """Return the digests that are unknown here."""
        known = set(self._digests)
        return [digest for digest in digests if digest not in known]

    def add(self, digests: Sequence[str], figures: Sequence[Figures]) -> None:
        """Add new runs."""
        names = [*self.names, *dict.fromkeys(
            name for one in figures for name in one if name not in self.names
        )]  # fmt: skip
        values = np.full((len(self._digests) + len(digests), len(names)), np.nan)
        values[: len(self._digests), : len(self.names)] = self._values
        for row, one in enumerate(figures, len(self._digests)):
            values[row] = [np.nan if one.get(name) is None else one[name] for name in names]
        self.names, self._values = names, values
        self._digests += digests

    def worth_writing(self, added: int) -> bool:
        """Return True if there are enough new runs to rewrite the file."""
        return added > max(_FEW, len(self._digests) // 20)

    def write(self, write: Callable[[bytes], None]) -> None:
        """Pass the file's content to a function that writes it."""
        head = msgspec.json.encode(_Head(len(self._digests), self.names))
        digests = bytes.fromhex("".join(self._digests))
        write(head + b"\n" + digests + self._values.tobytes())

    def figures(self, there: set[str], names: Iterable[str] | None) -> dict[str, Figures]:
        """Return all or some measures of the runs that are in the store, by digest."""
        wanted = [name for name in (self.names if names is None else names) if name in self.names]
        columns = [self._values[:, self.names.index(name)].tolist() for name in wanted]
        rows = zip(*columns, strict=True) if columns else (() for _ in self._digests)
        return {
            digest: {
                name: None if value != value else value  # noqa: PLR0124 - what is not a number
                for name, value in zip(wanted, row, strict=True)
            }
            for digest, row in zip(self._digests, rows, strict=True)
            if digest in there
        }
