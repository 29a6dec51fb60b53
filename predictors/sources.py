"""What the loops of predictors are compiled of, and what is compiled in this process."""

import os
from pathlib import Path

from predictors.compile_cache import CompiledCode

_SOURCES = (
    "compiled.py", "sources.py", "regression/histograms/*.py", "regression/single_tree/*.py",
    "rules/nearest.py",
)  # fmt: skip


def sources() -> list[Path]:
    """Return the files of all that is compiled."""
    own = Path(__file__).parent
    return [path for pattern in _SOURCES for path in sorted(own.glob(pattern))]


CODE = CompiledCode("predictors", sources, os.environ, libraries=("numpy", "scikit-learn"))
"""That of this process."""
