"""The compiled loops of predictors in this process: whether they are worth their start.

Loading them takes 0.2 to 0.7 s, compiling eleven, once for each user and version. So they are
loaded when what was done without would have paid for that, and compiled when it would have paid for
a third of it. Where numba is missing or nothing can be kept, numpy and scikit-learn do the same.
"""

import logging
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from predictors.sources import CODE

if TYPE_CHECKING:
    from predictors.regression.flat_trees import TreeArrays
    from predictors.regression.histograms.boosting import Boosted
    from predictors.rules.nearest import Points

WORTH_LOADING = 0.7
WORTH_COMPILING = 3.5
"""Seconds spent without from which on it pays."""

_BOOSTING = "predictors.regression.histograms.boosting"
_NEAREST = "predictors.rules.nearest"
_TREE = "predictors.regression.single_tree.fitting"
_MODULES = (_BOOSTING, _NEAREST, _TREE)
_SAME_BOOSTING, _SAME_TREE = "boosting", "tree"
"""What scikit-learn grows the same trees by, in the words that are kept."""
_logger = logging.getLogger(__name__)


Fits: TypeAlias = "Callable[..., Boosted]"
"""As `predictors.regression.histograms.boosting.fit`."""
FitsTree: TypeAlias = "Callable[..., TreeArrays | None]"
"""As `predictors.regression.single_tree.fitting.fit`."""
FindsNearest: TypeAlias = "Callable[[Points, int, int, float, float], int]"
"""As `predictors.rules.nearest.find`."""


class CompiledLoops:
    """The compiled loops of a process.

    Parameters
    ----------
    environment
        Variables; ``None`` for those of the process.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._code = CODE if environment is None else CODE.of(environment)
        self._over = False
        # what was spent without when it is next looked whether somebody has compiled them
        self._look_at = WORTH_LOADING
        self.fits: Fits | None = None
        """``None`` where they are not loaded, or scikit-learn grows other trees here."""
        self.fits_tree: FitsTree | None = None
        """Likewise."""
        self.finds_nearest: FindsNearest | None = None

    def worth(self, seconds: float, *, imports: str = "") -> None:
        """Load them if that pays; else count what is done without now.

        Where they are compiled they load sooner than `imports`, a library that is needed without.
        """
        if self._over or self._code.forbidden:
            return
        pays = self._code.pays(seconds, least=self._look_at)
        if not pays and (not imports or imports in sys.modules):
            return
        if pays:
            self._look_at = WORTH_COMPILING
        if not (self._code.is_there() or self._code.pays(0.0, least=WORTH_COMPILING)):
            return
        said = self._code.load(_MODULES, _compile_all, without="predictions")
        self._over = True
        if said is not None:
            same = said.split()
            self.fits = import_module(_BOOSTING).fit if _SAME_BOOSTING in same else None
            self.fits_tree = import_module(_TREE).fit if _SAME_TREE in same else None
            self.finds_nearest = import_module(_NEAREST).find

    def load(self) -> "Fits | None":
        """Load them, which somebody else has found to pay, and return what fits."""
        self.worth(WORTH_COMPILING)
        return self.fits


def _compile_all() -> str:
    _logger.warning("compiling the loops of predictors, once: this takes about 11 s")
    import_module(_NEAREST).compile_all()
    same_trees = import_module("predictors.regression.histograms.same_trees").same_trees
    same_tree = import_module("predictors.regression.single_tree.same_tree").same_tree
    same = {
        _SAME_BOOSTING: same_trees(import_module(_BOOSTING).fit),
        _SAME_TREE: same_tree(import_module(_TREE).fit),
    }
    return " ".join(what for what, grown in same.items() if grown)


LOOPS = CompiledLoops()
"""Those of this process."""
