"""The compiled loops of predictors in this process: whether they are worth their start.

Loading them takes 0.7 s, compiling seven, once for each user and version. So they are
loaded when what was done without would have paid for that, and compiled when it would have paid for
half of it. Where numba is missing or nothing can be kept, numpy and scikit-learn do the same.
"""

import logging
import os
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from predictors.compile_cache import (
    ARRAYS,
    PYTHON,
    UNUSABLE,
    VARIABLE,
    cache_folder,
    cached_in,
    compiled_once,
    python_and_numba,
)

if TYPE_CHECKING:
    from predictors.regression.histograms.boosting import Boosted
    from predictors.regression.histograms.last_classes import LastClasses
    from predictors.regression.on_rows import Array
    from predictors.rules.nearest import Points

WORTH_LOADING = 0.7
WORTH_COMPILING = 3.5
"""Seconds spent without from which on it pays."""

_SOURCES = ("compiled.py", "regression/histograms/*.py", "rules/nearest.py")
_SAME, _OTHER = "same", "other"
_logger = logging.getLogger(__name__)


class Fits(Protocol):
    """Fits trees; see `predictors.regression.histograms.boosting.fit`."""

    def __call__(
        self,
        rows: "Array",
        targets: "Array",
        *,
        last: "LastClasses | None",
        trees: int,
        learning_rate: float,
        max_leaves: int,
        min_samples_leaf: int,
    ) -> "Boosted":
        """Fit."""
        ...


class FindsNearest(Protocol):
    """Finds the nearest points; see `predictors.rules.nearest.find`."""

    def __call__(
        self, points: "Points", owner: int, added: int, epsilon: float, most: float
    ) -> int:
        """Find them, and return how many."""
        ...


class CompiledLoops:
    """The compiled loops of a process.

    Parameters
    ----------
    environment
        Variables, such as those of the process.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._missing = False
        self._folder: Path | None = None
        self._loaded = False
        self._without = 0.0
        # what was spent without when it is next looked whether somebody has compiled them
        self._look_at = WORTH_LOADING
        self.fits: Fits | None = None
        """``None`` where they are not loaded, or scikit-learn grows other trees here."""
        self.finds_nearest: FindsNearest | None = None

    def worth(self, seconds: float) -> None:
        """Load them if that pays; else count what is done without now."""
        wanted = self._environment.get(VARIABLE)
        if self._loaded or self._missing or wanted == PYTHON:
            return
        self._without += seconds
        if self._without >= self._look_at or wanted == ARRAYS:
            self._look_at = max(WORTH_COMPILING, 2 * self._without)
            try:
                self._load()
            except UNUSABLE as error:
                _logger.warning("numba can't be loaded, predictions take longer: %s", error)
                self._missing = True

    def load(self) -> Fits | None:
        """Load them, which somebody else has found to pay, and return what fits."""
        self.worth(WORTH_COMPILING)
        return self.fits

    def _load(self) -> None:
        folder = self._folder = self._folder or self._new_folder()
        if folder is None:
            self._missing = True
            return
        mark = folder / _versions()
        wanted = self._environment.get(VARIABLE) == ARRAYS
        if not mark.exists() and self._without < WORTH_COMPILING and not wanted:
            return
        with cached_in(folder):
            boosting = import_module("predictors.regression.histograms.boosting")
            nearest = import_module("predictors.rules.nearest")

        def compile_all() -> str:
            _logger.warning("compiling the loops of predictors, once: this takes about 7 s")
            nearest.compile_all()
            check = import_module("predictors.regression.histograms.same_trees")
            return _SAME if check.same_trees(boosting.fit) else _OTHER

        self.fits = boosting.fit if compiled_once(mark, compile_all) == _SAME else None
        self.finds_nearest = nearest.find
        self._loaded = True

    def _new_folder(self) -> Path | None:
        if find_spec("numba") is None:
            return None
        own = Path(__file__).parent
        sources = [path for pattern in _SOURCES for path in sorted(own.glob(pattern))]
        return cache_folder("predictors", sources, self._environment)


LOOPS = CompiledLoops(os.environ)
"""Those of this process."""


def _versions() -> str:
    """Return what the trees, or what is compiled, may depend on."""
    libraries = (f"{name}-{version(name)}" for name in ("numpy", "scikit-learn"))
    return "-".join((python_and_numba(), *libraries))
